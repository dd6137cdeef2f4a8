"""Exports sessions in formats for others: datasets, results files, traces, a page to show someone.

``confirmations`` builds the main dataset, one row per card; each other format has a module of its
own. ``gathering`` reads the sessions, ``redacting`` replaces personal values, and ``writing``
writes files.
"""

from __future__ import annotations

from sessions.exporting.confirmations import Row, rows
from sessions.exporting.writing import write_jsonl

__all__ = ["Row", "rows", "write_jsonl"]
