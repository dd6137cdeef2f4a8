"""What Python compiles is kept for the tests, also where it is told to keep nothing.

With ``PYTHONDONTWRITEBYTECODE`` set, as in many containers, every worker would rewrite the asserts
of all tests, and every program that a test starts would compile this one, each time anew: ten
seconds a worker. What is compiled then lies in pytest's own folder and not beside the sources.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

FOLDER = Path(__file__).parents[1] / ".pytest_cache" / "compiled"


def keep() -> None:
    """From here on in this process, and in all that it starts."""
    if sys.dont_write_bytecode:
        sys.dont_write_bytecode, sys.pycache_prefix = False, str(FOLDER)
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = str(FOLDER)
