"""A number of things, in words."""

from __future__ import annotations


def quantity(number: int, thing: str) -> str:
    """``1 bag``, ``0 bags``, ``1,204 bags``: for nouns whose plural takes an *s*."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"
