"""What a customer may ask about a change: parts of the records, by the words used for them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Topic:
    """A part of the customer's records."""

    words: str
    """The topic as the answer names it: ``your default address``."""

    ways: tuple[str, ...]
    """What people call it, in lower case; the longest phrase that matches a question counts."""

    collection: str
    fields: tuple[str, ...] = ()
    """Fields of a record in the collection; any field if empty."""

    but: tuple[str, ...] = ()
    """Names of values in them that do not belong: what a flight costs is not the flight."""

    other: bool = False
    """Whether it means the collection's other records, not the one that the call names."""
