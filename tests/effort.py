"""How hard tests try.

``SABER_TESTS=whole`` has the costliest laws try five times as much, and every law try examples that
no run before has tried.
"""

from __future__ import annotations

import os

WHOLE = os.environ.get("SABER_TESTS") == "whole"


def examples(whole: int) -> int:
    """How many examples a costly law tries: so many in a whole run, a fifth of them otherwise."""
    return whole if WHOLE else whole // 5
