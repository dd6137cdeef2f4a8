"""What the program tells a script about how it ended, where click has no code for it."""

from __future__ import annotations

INTERRUPTED = 130
"""Ctrl+C has ended it."""
