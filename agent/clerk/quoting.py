"""The customer's own words, as they are given back."""

from __future__ import annotations

LONGEST = 120
"""Characters of the customer's words that are repeated."""


def quote(text: str) -> str:
    """Words between quotes, on one line, cut where they are long."""
    line = " ".join(text.split()).strip(" ,;")
    short = line if len(line) <= LONGEST else f"{line[:LONGEST].rsplit(' ', 1)[0]} …"
    return f"“{short}”"


def as_typed(part: str, text: str) -> str:
    """A part of a message in the capitals it was typed in; as it is where it was corrected."""
    straight = text.replace("’", "'").replace("‘", "'")
    place = straight.lower().find(part)
    return straight[place : place + len(part)] if place >= 0 else part
