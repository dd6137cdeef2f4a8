"""What happened: the log, and everything that is read from it."""

from __future__ import annotations
