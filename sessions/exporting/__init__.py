"""Sessions in the forms that others read: datasets, results, traces, a page to show somebody."""

from __future__ import annotations

from sessions.exporting.confirmations import Row, rows
from sessions.exporting.writing import write_jsonl

__all__ = ["Row", "rows", "write_jsonl"]
