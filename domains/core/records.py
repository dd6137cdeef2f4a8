"""The records of a domain: one base shared by all sessions, and a thin layer for each.

Nothing here ever copies a whole database. A call runs on a :class:`Draft`, a copy-on-write layer
that notes which records it read and wrote. A preview throws its draft away; only
:meth:`Records.apply`, handed a consent that fits, keeps one. Records are plain JSON objects, and
one that has been stored is never changed in place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

from domains.core.canonical import digest
from domains.core.consent import Consent, ConsentRefused, call_digest
from domains.core.tool import ToolCall, ToolResult, Toolset

Record = dict[str, Any]
"""One JSON object of the data: an order, a user, a product."""

Key = tuple[str, str]
"""A collection's name and a record's id in it."""

Path = tuple[str | int, ...]
"""Where in a record: object keys and list positions."""

T = TypeVar("T")

WHOLE = "*"
"""Stands for every id of a collection, where a call looked through all of it."""


class RecordsMoved(Exception):
    """A log's write does not lead to the records it recorded; the base is not the same."""


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One value inside one record that differs; None in place of a record or value means absent."""

    path: Path
    before: Any
    after: Any

    @property
    def label(self) -> str:
        """The path as text, ``items.0.price``; empty for a whole record."""
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


@dataclass(frozen=True, slots=True)
class Preview:
    """What a call would do now, found by trying it on a draft that was thrown away."""

    call: ToolCall
    result: ToolResult
    changes: tuple[Change, ...]
    state: str
    """Digest of every record the call touched, as they were before it."""

    after: Draft = field(repr=False)
    """The records as they would be, to read from when telling the effects."""


@dataclass(frozen=True, slots=True)
class Applied:
    """A write that was carried out."""

    result: ToolResult
    changes: tuple[Change, ...]
    digest: str
    """Digest of the session's records afterwards."""


class Base:
    """A domain's untouched records: collections of JSON objects by id, shared and never changed."""

    def __init__(self, collections: Mapping[str, Mapping[str, Record]], source: str) -> None:
        """``source`` says where they came from, in words for the person."""
        self.collections = collections
        self.source = source
        self._digest: str | None = None

    @property
    def digest(self) -> str:
        """Digest of the content, computed when first asked for."""
        if self._digest is None:
            self._digest = digest(self.collections)
        return self._digest


class Draft:
    """A copy-on-write layer over records; tools read and change records through one of these."""

    def __init__(self, below: Records | Draft) -> None:
        self._below = below
        self._layer: dict[Key, Record] = {}
        self.touched: set[Key] = set()

    def get(self, collection: str, key: str) -> Record | None:
        """The record of that id, to read and not to change; None where there is none."""
        hash(key)  # an argument that is no id at all fails here, as a dictionary look-up would
        self.touched.add((collection, key))
        if (collection, key) in self._layer:
            return self._layer[collection, key]
        return self._below.get(collection, key)

    def original(self, collection: str, key: str) -> Record | None:
        """The record as the session found it, whatever was changed since."""
        return self._below.original(collection, key)

    def items(self, collection: str) -> Iterator[tuple[str, Record]]:
        """Every id of a collection and its record; looking through all of it touches all of it."""
        self.touched.add((collection, WHOLE))
        return _over(self._below.items(collection), _part(self._layer, collection))

    def edit(self, collection: str, key: str) -> Record:
        """A copy of an existing record that may be changed, and is what later reads see.

        Raises KeyError where there is no such record.
        """
        record = self.get(collection, key)
        if record is None:
            raise KeyError(key)
        if (collection, key) not in self._layer:
            self._layer[collection, key] = _copied(record)
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
        return tuple(change for change in found if not same(change.before, change.after))

    def state_below(self) -> str:
        """Digest of the touched records as they are without this draft."""
        return digest([[name, key, self._seen(name, key)] for name, key in sorted(self.touched)])

    def _seen(self, collection: str, key: str) -> Any:
        if key == WHOLE:
            return dict(self._below.items(collection))
        return self._below.get(collection, key)


@dataclass(frozen=True, slots=True)
class Kept:
    """A record as a session left it, and its digest."""

    record: Record
    digest: str


class Records:
    """One session's records: the domain's base and what this session changed.

    The only way to change them is :meth:`apply` with a consent, or :meth:`redo` of a write that
    the log already holds.
    """

    def __init__(self, base: Base, tools: Toolset) -> None:
        self.base = base
        self.tools = tools
        self._layer: dict[Key, Kept] = {}
        self._spent: set[str] = set()

    def get(self, collection: str, key: str) -> Record | None:
        """The record of that id, to read and not to change; None where there is none."""
        kept = self._layer.get((collection, key))
        return self.base.collections[collection].get(key) if kept is None else kept.record

    def original(self, collection: str, key: str) -> Record | None:
        """The record as the session found it, whatever was changed since."""
        return self.base.collections[collection].get(key)

    def items(self, collection: str) -> Iterator[tuple[str, Record]]:
        """Every id of a collection and its record, the base's first."""
        changed = {key: kept.record for key, kept in _part(self._layer, collection).items()}
        return _over(self.base.collections[collection].items(), changed)

    def draft(self) -> Draft:
        """A layer to try things on; it is thrown away unless :meth:`apply` made it."""
        return Draft(self)

    def look_up(self, call: ToolCall) -> ToolResult:
        """Run a call that must not change anything; one that tries to is refused and undone."""
        draft = self.draft()
        result = self.tools.run(call, draft)
        if draft.changes():
            return ToolResult(
                f"Error: {call.name} is not declared as changing records, but it tried to.", True
            )
        return result

    def preview(self, call: ToolCall) -> Preview:
        """Try a call on a copy and tell what it would do; nothing is kept."""
        draft = self.draft()
        result = self.tools.run(call, draft)
        changes = () if result.error else draft.changes()
        return Preview(call, result, changes, draft.state_below(), draft)

    def apply(self, call: ToolCall, consent: Consent) -> Applied:
        """Carry a call out, once, if the consent was given for exactly this call on these records.

        Raises ConsentRefused, with nothing changed, when the consent was used before, was given
        for other arguments, or was given while the touched records were different.
        """
        if consent.card_id in self._spent:
            raise ConsentRefused("this approval has already been used")
        if consent.call != call_digest(call):
            raise ConsentRefused("this approval was given for a different call")
        draft = self.draft()
        result = self.tools.run(call, draft)
        if consent.state != draft.state_below():
            raise ConsentRefused("the records have changed since the card was shown")
        self._spent.add(consent.card_id)
        changes = () if result.error else draft.changes()
        self._keep(changes)
        return Applied(result, changes, self.digest)

    def redo(self, card_id: str, patch: Iterable[Mapping[str, Any]], expected: str) -> None:
        """Take in a write from the log without running it again; the patch is `patch_of` changes.

        Raises RecordsMoved where the outcome is not the one that was recorded.
        """
        for entry in patch:
            name, key = entry["collection"], entry["key"]
            self._store(name, key, _patched(self.get(name, key), entry["fields"]))
        self._spent.add(card_id)
        if self.digest != expected:
            raise RecordsMoved("the recorded writes do not fit these records")

    @property
    def digest(self) -> str:
        """Digest of the records as they are now; costs what the session changed."""
        changed = sorted((name, key, kept.digest) for (name, key), kept in self._layer.items())
        return digest([self.base.digest, changed])

    def digest_with(self, changes: Iterable[Change]) -> str:
        """What the digest would be with these changes; nothing is changed."""
        after = Records(self.base, self.tools)
        after.restore(self._layer)
        after._keep(changes)
        return after.digest

    def diff(self) -> tuple[Change, ...]:
        """Every record that this session has changed so far, against the base."""
        return tuple(
            Change(name, key, self.base.collections[name].get(key), kept.record)
            for (name, key), kept in self._layer.items()
        )

    def snapshot(self) -> Mapping[Key, Kept]:
        """The session's layer as it is now, cheap to keep and to :meth:`restore`."""
        return dict(self._layer)

    def restore(self, snapshot: Mapping[Key, Kept]) -> None:
        """Go back to a snapshot; approvals that were used stay used."""
        self._layer = dict(snapshot)

    def _keep(self, changes: Iterable[Change]) -> None:
        for change in changes:
            self._store(change.collection, change.key, change.after)

    def _store(self, collection: str, key: str, record: Record | None) -> None:
        """Keep a record, or forget it where it is the base's again: equal states, equal digests."""
        if record is None or same(record, self.base.collections[collection].get(key)):
            self._layer.pop((collection, key), None)
        else:
            self._layer[collection, key] = Kept(record, digest(record))


def _part(layer: Mapping[Key, T], collection: str) -> dict[str, T]:
    """What a layer has of one collection."""
    return {key: value for (name, key), value in layer.items() if name == collection}


def _over(
    below: Iterable[tuple[str, Record]], changed: dict[str, Record]
) -> Iterator[tuple[str, Record]]:
    """Records with those that a layer changed in their places, and those it added at the end."""
    for key, record in below:
        yield key, changed.pop(key, record)
    yield from changed.items()


def same(one: Any, other: Any) -> bool:
    """Whether two JSON values are equal to the letter, as digests of them are: 2 is not 2.0."""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    return repr(one) == repr(other) if isinstance(one, float) else bool(one == other)


def patch_of(changes: Iterable[Change]) -> list[dict[str, Any]]:
    """Changes as JSON for the log: for each record the fields that differ, with both values."""
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
    """Objects are compared by key; lists by position while they only grow, else as a whole."""
    if same(before, after):
        return
    if isinstance(before, dict) and isinstance(after, dict) and before.keys() <= after.keys():
        for key in after:
            yield from _differences((*path, key), before.get(key), after[key])
    elif isinstance(before, list) and isinstance(after, list) and len(before) <= len(after):
        for index, value in enumerate(after):
            old = before[index] if index < len(before) else None
            yield from _differences((*path, index), old, value)
    else:
        yield FieldChange(path, before, after)


def _patched(record: Record | None, fields: Iterable[Mapping[str, Any]]) -> Record | None:
    """The record with the given fields set; an empty path stands for the whole record."""
    result: Any = record
    for entry in fields:
        result = _with(result, entry["path"], entry["after"])
    return None if result is None else dict(result)


def _with(value: Any, path: Sequence[str | int], new: Any) -> Any:
    """A value with another at a path in it; what lies beside the path is shared, not copied."""
    if not path:
        return new
    step: Any = path[0]
    rest = path[1:]
    if isinstance(value, list):
        old = value[step] if step < len(value) else None
        return [*value[:step], _with(old, rest, new), *value[step + 1 :]]
    return {**value, step: _with(value.get(step), rest, new)}


def _copied(value: Any) -> Any:
    """A copy of a JSON value that shares nothing that could be changed; leaner than `deepcopy`."""
    if isinstance(value, dict):
        return {key: _copied(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_copied(item) for item in value]
    return value
