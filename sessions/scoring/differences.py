"""Describe the differences between two states of the records, field by field, in words.

States are compared as τ²-bench compares the hashes of whole databases: by the JSON text of every
record. The order of a list, ``2`` versus ``2.0``, and floating-point noise therefore count as
differences. Only records that either state changed are compared, because all others are the base's
on both sides.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from domains.core.canonical import canonical
from domains.core.changes import Record, same
from domains.core.domain import Domain
from domains.core.draft import Key
from domains.core.ends import State
from domains.text.naming import ENTRY, Naming, Place

UNSET = "not set"
"""The words for a value that is null."""

ABSENT: Any = object()
"""Marks a value that does not exist, as opposed to one that is null."""


def same_state(domain: Domain, reached: State, end: State) -> bool:
    """Whether two states are exactly equal."""
    return next(_differing_records(domain, reached, end), None) is None


def nearest(domain: Domain, reached: State, ends: Sequence[State]) -> tuple[int, tuple[str, ...]]:
    """Return the index of the end that differs least, and the differences in words.

    If several ends differ equally, the first of them is returned.
    """
    for number, end in enumerate(ends):
        if same_state(domain, reached, end):
            return number, ()
    told = [tuple(differences(domain, reached, end)) for end in ends]
    number = min(range(len(told)), key=lambda each: len(told[each]))
    return number, told[number]


def differences(domain: Domain, reached: State, end: State) -> Iterator[str]:
    """Yield a sentence for every wrong value; nothing if the states are equal."""
    for (collection, key), is_now, should_be in _differing_records(domain, reached, end):
        place = Place(collection, key, should_be or is_now or {}, _look(domain))
        title = domain.naming.name_of_record(place)
        for sentence in _DifferenceWriter(domain.naming).record(place, is_now, should_be):
            yield f"{title}{sentence}"


def _differing_records(
    domain: Domain, reached: State, end: State
) -> Iterator[tuple[Key, Record | None, Record | None]]:
    """Yield the key of each record that differs, the record as it is, and as it should be."""
    for collection, key in sorted(reached.keys() | end.keys()):
        unchanged = domain.base.collections[collection].get(key)
        is_now = reached.get((collection, key), unchanged)
        should_be = end.get((collection, key), unchanged)
        if not same(is_now, should_be):
            yield (collection, key), is_now, should_be


def _look(domain: Domain) -> Any:
    return lambda collection, key: domain.base.collections.get(collection, {}).get(key)


class _DifferenceWriter:
    """Puts differing values into words; every pair passed in must differ and yields a sentence."""

    def __init__(self, naming: Naming) -> None:
        self._naming = naming

    def record(self, place: Place, now: Record | None, right: Record | None) -> Iterator[str]:
        """Yield what is wrong with a record, worded to follow the record's title."""
        if now is None:
            yield f" is missing: {self._words(place, right)}"
        elif right is None:
            yield f" should not be there: {self._words(place, now)}"
        else:
            yield from (f": {each}" for each in self._fields(place, now, right))

    def _value(self, place: Place, now: Any, right: Any) -> Iterator[str]:
        label = self._naming.name_of_value(place)
        said, wanted = self._in_words(place, now), self._in_words(place, right)
        if now is ABSENT and _is_entry(place, right):
            yield f"{label} {self._words(place, right)} is missing".lstrip()
        elif right is ABSENT and _is_entry(place, now):
            yield f"{label} {self._words(place, now)} should not be there".lstrip()
        elif said is not None and wanted is not None and said != wanted:
            yield _should_be(place, label, said, wanted)
        elif isinstance(now, dict) and isinstance(right, dict):
            yield from self._fields(place, now, right)
        elif isinstance(now, list) and isinstance(right, list):
            yield from self._lists(place, now, right)
        else:
            yield _should_be(place, label, *self._apart(place, now, right))

    def _fields(self, place: Place, now: Record, right: Record) -> Iterator[str]:
        for name in (*right, *(name for name in now if name not in right)):
            values = now.get(name, ABSENT), right.get(name, ABSENT)
            if not same(*values):
                yield from self._value(place.under(name), *values)

    def _lists(self, place: Place, now: list[Any], right: list[Any]) -> Iterator[str]:
        """Compare list entries with their counterparts, wherever these are in the list."""
        surplus, lacking = _without_equals(now, right)
        if not surplus and not lacking:
            yield f"{self._naming.name_of_value(place)} are the right ones, in another order"
        pairs = self._pairs(place, surplus, lacking)
        entry = place.under(ENTRY)
        for one, other in pairs:
            yield from self._value(entry, one, other)
        for each in lacking:
            yield from self._value(entry, ABSENT, each)
        for each in surplus:
            yield from self._value(entry, each, ABSENT)

    def _pairs(self, place: Place, surplus: list[Any], lacking: list[Any]) -> list[tuple[Any, Any]]:
        """Remove corresponding entries from both lists and return them as pairs."""
        found: list[tuple[Any, Any]] = []
        for names in self._naming.alike.get((place.collection, place.path), ()):
            for right in list(lacking):
                now = next((each for each in surplus if _alike(names, each, right)), None)
                if now is not None:
                    found.append((now, right))
                    _take(surplus, now)
                    _take(lacking, right)
        return found

    def _words(self, place: Place, value: Any) -> str:
        return self._in_words(place, value) or _plain(value)

    def _in_words(self, place: Place, value: Any) -> str | None:
        return None if value is ABSENT else self._naming.words(place, value)

    def _apart(self, place: Place, now: Any, right: Any) -> tuple[str, str]:
        """Two values in words, given in enough detail to tell them apart."""
        said, wanted = self._words(place, now), self._words(place, right)
        if said != wanted:
            return said, wanted
        said, wanted = _plain(now), _plain(right)
        return (said, wanted) if said != wanted else (canonical(now), canonical(right))


def _is_entry(place: Place, value: Any) -> bool:
    return place.path[-1] == ENTRY or isinstance(value, dict)


def _should_be(place: Place, label: str, said: str, wanted: str) -> str:
    if place.path[-1] == ENTRY:
        return f"{label} {said} should be {wanted}".lstrip()
    should = "should not be set" if wanted == UNSET else f"should be {wanted}"
    return f"{label} is {said}, {should}"


def _without_equals(now: list[Any], right: list[Any]) -> tuple[list[Any], list[Any]]:
    """Both lists without the entries that they have in common."""
    surplus, lacking = list(now), []
    for each in right:
        equal = next((one for one in surplus if same(one, each)), ABSENT)
        if equal is ABSENT:
            lacking.append(each)
        else:
            _take(surplus, equal)
    return surplus, lacking


def _take(entries: list[Any], entry: Any) -> None:
    """Remove an entry by identity, because equality is too loose: 1 equals True."""
    del entries[next(i for i, each in enumerate(entries) if each is entry)]


def _alike(names: tuple[str, ...], one: Any, other: Any) -> bool:
    if not isinstance(one, dict) or not isinstance(other, dict):
        return False
    return all(name in one and one[name] == other.get(name) for name in names)


def _plain(value: Any) -> str:
    if value is ABSENT:
        return "missing"
    if value is None:
        return UNSET
    if isinstance(value, dict):
        return f"({', '.join(f'{name}: {_plain(each)}' for name, each in value.items())})"
    return value if isinstance(value, str) else canonical(value)
