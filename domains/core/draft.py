"""A layer over records on which a call is tried: it notes what is read, and keeps what is written.

Records are plain JSON objects, and one that has been stored is never changed in place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Protocol, TypeVar

from domains.core.canonical import digest
from domains.core.changes import Change, Record

Key = tuple[str, str]
"""A collection's name and a record's id in it."""

WHOLE = "*"
"""Stands for every id of a collection, where a call looked through all of it."""

T = TypeVar("T")


class Layer(Protocol):
    """What a draft can lie on: a session's records, or another draft."""

    def get(self, collection: str, key: str) -> Record | None:
        """The record of that id; None where there is none."""
        ...

    def original(self, collection: str, key: str) -> Record | None:
        """The record as the session found it."""
        ...

    def items(self, collection: str) -> Iterator[tuple[str, Record]]:
        """Every id of a collection and its record."""
        ...


class Draft:
    """A copy-on-write layer over records; tools read and change records through one of these."""

    def __init__(self, below: Layer) -> None:
        self._below = below
        self._layer: dict[Key, Record] = {}
        self.touched: set[Key] = set()

    def get(self, collection: str, key: str) -> Record | None:
        """The record of that id, to read and not to change; None where there is none."""
        at = collection, key
        self.touched.add(at)  # an argument that is no id at all fails here, as in a dictionary
        if self._layer and at in self._layer:
            return self._layer[at]
        return self._below.get(collection, key)

    def original(self, collection: str, key: str) -> Record | None:
        """The record as the session found it, whatever was changed since."""
        return self._below.original(collection, key)

    def items(self, collection: str) -> Iterator[tuple[str, Record]]:
        """Every id of a collection and its record; looking through all of it touches all of it."""
        self.touched.add((collection, WHOLE))
        return overlaid(self._below.items(collection), part_of(self._layer, collection))

    def edit(self, collection: str, key: str) -> Record:
        """A copy of an existing record that may be changed, and is what later reads see.

        Raises KeyError where there is no such record.
        """
        record = self.get(collection, key)
        if record is None:
            raise KeyError(key)
        if (collection, key) not in self._layer:
            self._layer[collection, key] = _copy(record)
        return self._layer[collection, key]

    def put(self, collection: str, key: str, record: Record) -> None:
        """Add a record, or replace one whole."""
        self.touched.add((collection, key))
        self._layer[collection, key] = record

    def changes(self) -> tuple[Change, ...]:
        """Every record that differs from the layer below, in the order first written."""
        found = (
            Change(name, key, self._below.get(name, key), after)
            for (name, key), after in self._layer.items()
        )
        return tuple(change for change in found if change.fields)

    def state_below(self) -> str:
        """Digest of the touched records as they are without this draft."""
        return digest(
            [[name, key, self._look_below(name, key)] for name, key in sorted(self.touched)]
        )

    def _look_below(self, collection: str, key: str) -> Any:
        if key == WHOLE:
            return dict(self._below.items(collection))
        return self._below.get(collection, key)


def part_of(layer: Mapping[Key, T], collection: str) -> dict[str, T]:
    """What a layer has of one collection."""
    return {key: value for (name, key), value in layer.items() if name == collection}


def overlaid(
    below: Iterable[tuple[str, Record]], changed: dict[str, Record]
) -> Iterator[tuple[str, Record]]:
    """Records with those that a layer changed in their places, and those it added at the end."""
    for key, record in below:
        yield key, changed.pop(key, record)
    yield from changed.items()


def _copy(value: Any) -> Any:
    """A copy of a JSON value that shares nothing that could be changed; leaner than `deepcopy`."""
    if isinstance(value, dict):
        return {
            key: _copy(item) if isinstance(item, _PARTS) else item for key, item in value.items()
        }
    if isinstance(value, list):
        return [_copy(item) if isinstance(item, _PARTS) else item for item in value]
    return value


_PARTS = (dict, list)
