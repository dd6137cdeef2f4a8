"""What one may ask about a change: parts of the records, by the words that people use for them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Topic:
    """A part of the customer's records."""

    words: str
    """As the answer calls it: ``your default address``."""

    ways: tuple[str, ...]
    """What people say for it, in lower case; the longest that fits a question is meant."""

    collection: str
    fields: tuple[str, ...] = ()
    """Fields of a record there; any of the record where none is named."""

    but: tuple[str, ...] = ()
    """Names of values within them that it is not about: what a flight costs is not the flight."""

    other: bool = False
    """Whether it means records of that collection beside the one that the call names."""
