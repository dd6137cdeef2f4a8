"""Airports, as the clerk speaks of them."""

from __future__ import annotations

from domains.airline.airports import CITIES


def city(code: str) -> str:
    """The city of an airport; the code itself where it is not known."""
    return CITIES.get(code, code)
