"""What records and their values are called when differences are listed field by field.

A domain names what it can. Anything else gets the name that it has in the records, so that no
difference goes unmentioned.
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
"""A position in a record, by field names; :data:`ENTRY` for an entry of a list."""


@dataclass(frozen=True, slots=True)
class Place:
    """The position of a value, with what is needed to say in words what it is."""

    collection: str
    key: str
    record: Record
    """The whole record."""

    look: Callable[[str, str], Record | None]
    """Returns any record of the domain, by collection and id."""

    path: Names = ()

    def under(self, name: str) -> Place:
        """The place of a field, or of a list entry, in the value here."""
        return replace(self, path=(*self.path, name))


def _title(place: Place) -> str:
    return f"{place.collection.removesuffix('s')} {place.key}"


def _label(place: Place) -> str:
    """A name such as ``shipping address``; an entry has its list's name without the final *s*."""
    names = list(place.path)
    for at, name in enumerate(names):
        if name == ENTRY and at:
            names[at - 1] = names[at - 1].removesuffix("s")
    return " ".join(name for name in names if name != ENTRY).replace("_", " ")


def _phrase(place: Place, value: Any) -> str | None:
    """The wording of a value in a domain that declares none: always None."""


@dataclass(frozen=True, slots=True)
class Naming:
    """How a domain's records are named for a person."""

    title: Callable[[Place], str] = _title
    """Returns the name of a record: ``order #W1``."""

    label: Callable[[Place], str] = _label
    """Returns the name of a value: ``gift card balance``; empty if its words say what it is."""

    phrase: Callable[[Place, Any], str | None] = _phrase
    """Returns a value in words, or None if its parts are to be described one by one."""

    alike: Mapping[tuple[str, Names], tuple[Names, ...]] = field(default_factory=dict)
    """The fields by which entries of two lists are matched, the most reliable first.

    By collection and path of the list.
    """

    def name_of_record(self, place: Place) -> str:
        """The name of the record at a place, whatever its shape."""
        return _words_or_none(self.title, place) or _title(place)

    def name_of_value(self, place: Place) -> str:
        """The name of the value at a place."""
        said = _words_or_none(self.label, place)
        return _label(place) if said is None else said

    def words(self, place: Place, value: Any) -> str | None:
        """A value in words; None also for a shape that the domain did not foresee."""
        return _words_or_none(self.phrase, place, value)


def _words_or_none(say: Callable[..., str | None], *about: Any) -> str | None:
    """What a domain says; None if it did not foresee the arguments."""
    try:
        return say(*about)
    except (LookupError, TypeError, ValueError, AttributeError):
        return None


def title_of_customer(place: Place) -> str:
    """The title of a record that has a name: ``customer Mia Li (mia_li_3668)``."""
    return f"customer {full_name(place.record['name'])} ({value(place.key)})"
