"""The differences between a record before and after, and the patch that a log stores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

Record = dict[str, Any]
"""One JSON object of the data: an order, a user, a product."""

Path = tuple[str | int, ...]
"""A position in a record: object keys and list indexes."""


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One value in one record that differs; None for a record or value that is absent."""

    path: Path
    before: Any
    after: Any

    @property
    def label(self) -> str:
        """The path as text, such as ``items.0.price``; empty for a whole record."""
        return ".".join(str(step) for step in self.path)


@dataclass(frozen=True)
class Change:
    """One record before and after a call."""

    collection: str
    key: str
    before: Record | None
    after: Record | None

    @cached_property
    def fields(self) -> tuple[FieldChange, ...]:
        """The smallest values that differ, in the record's own order."""
        return tuple(_differences((), self.before, self.after))


def same(one: Any, other: Any) -> bool:
    """Whether two JSON values are identical, as their digests would be: 2 is not 2.0."""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, float):
        return repr(one) == repr(other)
    if one != other:
        return False
    if isinstance(one, dict):
        return all(same(each, other[key]) for key, each in one.items())
    if isinstance(one, list):
        return all(map(same, one, other))
    return True


def patch_of(changes: Iterable[Change]) -> list[dict[str, Any]]:
    """The changes as JSON for the log: for each record, the fields that differ and both values."""
    return [
        {
            "collection": change.collection,
            "key": change.key,
            "fields": [
                {"path": list(each.path), "before": each.before, "after": each.after}
                for each in change.fields
            ],
        }
        for change in changes
    ]


def _differences(path: Path, before: Any, after: Any) -> Iterator[FieldChange]:
    """Yield the differences between two values; none exactly if they are the :func:`same`.

    Objects are compared by key and lists by position as long as nothing was removed; otherwise they
    are compared as a whole. Parts that both hold as one object, as a record and its edited copy do,
    are skipped.
    """
    if isinstance(before, dict) and isinstance(after, dict) and before.keys() <= after.keys():
        for key, value in after.items():
            if key not in before:
                yield FieldChange((*path, key), None, value)
            elif before[key] is not value:
                yield from _differences((*path, key), before[key], value)
    elif isinstance(before, list) and isinstance(after, list) and len(before) <= len(after):
        for index, (old, value) in enumerate(zip(before, after, strict=False)):
            if old is not value:
                yield from _differences((*path, index), old, value)
        for index, value in enumerate(after[len(before) :], len(before)):
            yield FieldChange((*path, index), None, value)
    elif not same(before, after):
        yield FieldChange(path, before, after)


def apply_patch(record: Record | None, fields: Iterable[Mapping[str, Any]]) -> Record | None:
    """The record with the given fields set; an empty path replaces the whole record."""
    result: Any = record
    for entry in fields:
        result = _with(result, entry["path"], entry["after"])
    return None if result is None else dict(result)


def _with(value: Any, path: Sequence[str | int], new: Any) -> Any:
    """The value with ``new`` at the given path; all that is not on the path is shared."""
    if not path:
        return new
    step: Any = path[0]
    rest = path[1:]
    if isinstance(value, list):
        old = value[step] if step < len(value) else None
        return [*value[:step], _with(old, rest, new), *value[step + 1 :]]
    return {**value, step: _with(value.get(step), rest, new)}
