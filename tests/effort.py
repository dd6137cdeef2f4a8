"""How hard tests try.

``SABER_TESTS=whole`` has the costliest laws try five times as much, and every law try examples that
no run before has tried.
"""

from __future__ import annotations

import os

WHOLE = os.environ.get("SABER_TESTS") == "whole"
