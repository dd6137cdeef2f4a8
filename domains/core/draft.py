"""A layer over records on which a call is tried: it notes what is read and keeps what is written.

Records are plain JSON objects, and one that has been stored is never changed in place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Protocol, TypeVar

from domains.core.canonical import digest
from domains.core.changes import Change, Record

Key = tuple[str, str]
"""The name of a collection, and the id of a record in it."""

WHOLE = "*"
"""Stands for every id in a collection, for a call that looked through all of it."""

T = TypeVar("T")


class Layer(Protocol):
    """The records below a draft: a session's records, or another draft."""

    def get(self, collection: str, key: str) -> Record | None:
        """The record with that id; None if there is none."""
        ...

    def original(self, collection: str, key: str) -> Record | None:
        """The record as the session found it."""
        ...

    def items(self, collection: str) -> Iterator[tuple[str, Record]]:
        """Every id in a collection with its record."""
        ...


class Draft:
    """A copy-on-write layer over records, through which tools read and change them."""

    def __init__(self, below: Layer) -> None:
        self._below = below
        self._layer: dict[Key, Record] = {}
        self.touched: set[Key] = set()

    def get(self, collection: str, key: str) -> Record | None:
        """The record with that id, to be read only; None if there is none."""
        at = collection, key
        self.touched.add(at)  # an argument that cannot be an id raises here, as in a dictionary
        if self._layer and at in self._layer:
            return self._layer[at]
        return self._below.get(collection, key)

    def original(self, collection: str, key: str) -> Record | None:
        """The record as the session found it, whatever has been changed since."""
        return self._below.original(collection, key)

    def items(self, collection: str) -> Iterator[tuple[str, Record]]:
        """Every id in a collection with its record; this touches the whole collection."""
        self.touched.add((collection, WHOLE))
        return overlaid(self._below.items(collection), part_of(self._layer, collection))

    def edit(self, collection: str, key: str) -> Record:
        """Return a copy of an existing record that may be changed; later reads see it.

        Raises KeyError if there is no such record.
        """
        record = self.get(collection, key)
        if record is None:
            raise KeyError(key)
        if (collection, key) not in self._layer:
            self._layer[collection, key] = _copy(record)
        return self._layer[collection, key]

    def put(self, collection: str, key: str, record: Record) -> None:
        """Add a record, or replace an existing one as a whole."""
        self.touched.add((collection, key))
        self._layer[collection, key] = record

    def changes(self) -> tuple[Change, ...]:
        """Every record that differs from the layer below, in the order of the first writes."""
        found = (
            Change(name, key, self._below.get(name, key), after)
            for (name, key), after in self._layer.items()
        )
        return tuple(change for change in found if change.fields)

    def touched_state(self) -> str:
        """Digest of the touched records as they are without this draft."""
        return digest(
            [[name, key, self._look_below(name, key)] for name, key in sorted(self.touched)]
        )

    def _look_below(self, collection: str, key: str) -> Any:
        if key == WHOLE:
            return dict(self._below.items(collection))
        return self._below.get(collection, key)


def part_of(layer: Mapping[Key, T], collection: str) -> dict[str, T]:
    """The part of a layer that belongs to one collection, by id."""
    return {key: value for (name, key), value in layer.items() if name == collection}


def overlaid(
    below: Iterable[tuple[str, Record]], changed: dict[str, Record]
) -> Iterator[tuple[str, Record]]:
    """Yield records with a layer's changes in their places, and its additions at the end."""
    for key, record in below:
        yield key, changed.pop(key, record)
    yield from changed.items()


def _copy(value: Any) -> Any:
    """A copy of a JSON value that shares nothing mutable with it; faster than `deepcopy`."""
    if isinstance(value, dict):
        return {
            key: _copy(item) if isinstance(item, _PARTS) else item for key, item in value.items()
        }
    if isinstance(value, list):
        return [_copy(item) if isinstance(item, _PARTS) else item for item in value]
    return value


_PARTS = (dict, list)
