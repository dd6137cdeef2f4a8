"""What the commands print and write: lines, tables, pictures and report pages."""

from __future__ import annotations
