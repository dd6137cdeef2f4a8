"""The airline: search flights, book, change and cancel reservations, make up for delays."""

from __future__ import annotations

from domains.airline.load import load

__all__ = ["load"]
