"""The session file: append-only logs in SQLite."""

from __future__ import annotations
