"""Exit codes that click does not define."""

from __future__ import annotations

INTERRUPTED = 130
"""The code after Ctrl+C, or when the reader of the output has gone."""
