"""What Python compiles is kept for the tests, also where it is told to keep nothing.

With ``PYTHONDONTWRITEBYTECODE`` set, as in many containers, every worker would rewrite the asserts
of all tests, and every program that a test starts would compile this one, each time anew: six
seconds of every worker's ten.
"""

from __future__ import annotations

import os
import sys


def keep() -> None:
    """From here on in this process, and in all that it starts."""
    sys.dont_write_bytecode = False
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
