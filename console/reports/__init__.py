"""What commands print: tables, lines, pictures."""

from __future__ import annotations
