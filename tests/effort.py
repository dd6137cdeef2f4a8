"""How hard tests try: ``SABER_TESTS=whole`` has the costliest laws try five times as much."""

from __future__ import annotations

import os

WHOLE = os.environ.get("SABER_TESTS") == "whole"
