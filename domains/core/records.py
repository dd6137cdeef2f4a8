"""The records of a domain: one base shared by all sessions, and a thin layer for each.

Nothing here ever copies a whole database. A call runs on a :class:`Draft`, a copy-on-write layer
that notes which records it read and wrote. A preview throws its draft away; only
:meth:`Records.apply`, handed a consent that fits, keeps one. Records are plain JSON objects, and
one that has been stored is never changed in place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from domains.core.canonical import digest
from domains.core.changes import Change, Record, apply_patch, same
from domains.core.consent import Consent, ConsentRefused, call_digest
from domains.core.draft import Draft, Key, overlaid, part_of
from domains.core.tool import ToolCall, ToolResult, Toolset


class RecordsMoved(Exception):
    """A log's write does not lead to the records it recorded; the base is not the same."""


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
        kept = self._layer.get((collection, key)) if self._layer else None
        return self.base.collections[collection].get(key) if kept is None else kept.record

    def original(self, collection: str, key: str) -> Record | None:
        """The record as the session found it, whatever was changed since."""
        return self.base.collections[collection].get(key)

    def items(self, collection: str) -> Iterator[tuple[str, Record]]:
        """Every id of a collection and its record, the base's first."""
        changed = {key: kept.record for key, kept in part_of(self._layer, collection).items()}
        return overlaid(self.base.collections[collection].items(), changed)

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
            self._store(name, key, apply_patch(self.get(name, key), entry["fields"]))
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
