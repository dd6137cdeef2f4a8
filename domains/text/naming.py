"""What records and the values in them are called, where a difference is told field by field.

A domain says what it can; whatever it says nothing about is told by the names that the records
themselves have, so that no difference can go untold.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from domains.core.changes import Record
from domains.text.one_line import value
from domains.text.wording import full_name

ENTRY = "*"
"""Stands in a path for any entry of a list."""

Names = tuple[str, ...]
"""Where in a record, by field names; :data:`ENTRY` for an entry of a list."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value stands, and what it takes to say in words what it is."""

    collection: str
    key: str
    record: Record
    """The whole record."""

    look: Callable[[str, str], Record | None]
    """Any record of the domain, by collection and id."""

    path: Names = ()

    def under(self, name: str) -> Place:
        """The place of a field, or of an entry, of the value here."""
        return replace(self, path=(*self.path, name))


def _title(place: Place) -> str:
    return f"{place.collection.removesuffix('s')} {place.key}"


def _label(place: Place) -> str:
    """``shipping address``; an entry goes by its list's name without the final *s*."""
    names = list(place.path)
    for at, name in enumerate(names):
        if name == ENTRY and at:
            names[at - 1] = names[at - 1].removesuffix("s")
    return " ".join(name for name in names if name != ENTRY).replace("_", " ")


def _phrase(place: Place, value: Any) -> str | None:
    """Nothing can be said of a value that is not known."""


@dataclass(frozen=True, slots=True)
class Naming:
    """How a domain's records are called in front of a person."""

    title: Callable[[Place], str] = _title
    """A record: ``order #W1``."""

    label: Callable[[Place], str] = _label
    """A value's name: ``status``, ``gift card balance``; empty where its words say what it is."""

    phrase: Callable[[Place, Any], str | None] = _phrase
    """A value in words, or None where its parts are to be told one by one."""

    alike: Mapping[tuple[str, Names], tuple[Names, ...]] = field(default_factory=dict)
    """By collection and path of a list: the fields by which entries of two lists are taken for
    the same, the surest first."""

    def name_of_record(self, place: Place) -> str:
        """What the record at a place is called, of whatever shape it is."""
        return _words_or_none(self.title, place) or _title(place)

    def name_of_value(self, place: Place) -> str:
        """What the value at a place is called."""
        said = _words_or_none(self.label, place)
        return _label(place) if said is None else said

    def words(self, place: Place, value: Any) -> str | None:
        """A value in words; None also for one of a shape that the domain did not foresee."""
        return _words_or_none(self.phrase, place, value)


def _words_or_none(say: Callable[..., str | None], *about: Any) -> str | None:
    """What a domain says; None where it did not foresee what it is asked about."""
    try:
        return say(*about)
    except (LookupError, TypeError, ValueError, AttributeError):
        return None


def title_of_customer(place: Place) -> str:
    """``customer Mia Li (mia_li_3668)``, for a record that holds a name."""
    return f"customer {full_name(place.record['name'])} ({value(place.key)})"
