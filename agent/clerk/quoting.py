"""The customer's own words, as they are given back."""

from __future__ import annotations

LONGEST = 120
"""Characters of the customer's words that are repeated."""


def quote(text: str) -> str:
    """Words between quotes, on one line, cut where they are long."""
    line = " ".join(text.split()).strip(" ,;")
    short = line if len(line) <= LONGEST else f"{line[:LONGEST].rsplit(' ', 1)[0]} …"
    return f"“{short}”"
