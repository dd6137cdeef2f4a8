"""The records of a domain: one base shared by all sessions, and a thin layer for each session.

Nothing here ever copies a whole database. A call runs on a :class:`Draft`, a copy-on-write layer
that notes which records it reads and writes. The draft of a preview is never stored; only
:meth:`Records.apply`, given a consent that fits, stores one. Records are plain JSON objects, and
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


class RecordsMismatch(Exception):
    """A write in the log does not lead to the recorded state: the base is a different one."""


@dataclass(frozen=True, slots=True)
class Preview:
    """What a call would do now, found by trying it on a draft that is not stored."""

    call: ToolCall
    result: ToolResult
    changes: tuple[Change, ...]
    state: str
    """Digest of every record that the call touched, as it was before the call."""

    after: Draft = field(repr=False)
    """The records as they would be after the call, from which its effects are described."""


@dataclass(frozen=True, slots=True)
class Applied:
    """A write that was carried out."""

    result: ToolResult
    changes: tuple[Change, ...]
    digest: str
    """Digest of the session's records afterwards."""


class Base:
    """A domain's unchanged records: collections of JSON objects by id, shared by all sessions."""

    def __init__(self, collections: Mapping[str, Mapping[str, Record]], source: str) -> None:
        """Wrap the collections; ``source`` says where they came from, in words for the user."""
        self.collections = collections
        self.source = source
        self._digest: str | None = None

    @property
    def digest(self) -> str:
        """Digest of the content, computed on first use."""
        if self._digest is None:
            self._digest = digest(self.collections)
        return self._digest


@dataclass(frozen=True, slots=True)
class StoredRecord:
    """A record as a session left it, with its digest."""

    record: Record
    digest: str


class Records:
    """One session's records: the domain's base, and what this session changed.

    New changes come only from :meth:`apply` with a consent, or from :meth:`replay_write` of a write
    that is already in the log.
    """

    def __init__(self, base: Base, tools: Toolset) -> None:
        self.base = base
        self.tools = tools
        self._layer: dict[Key, StoredRecord] = {}
        self._used_approvals: set[str] = set()

    def get(self, collection: str, key: str) -> Record | None:
        """The record with that id, to be read only; None if there is none."""
        kept = self._layer.get((collection, key)) if self._layer else None
        return self.base.collections[collection].get(key) if kept is None else kept.record

    def original(self, collection: str, key: str) -> Record | None:
        """The record as the session found it, whatever has been changed since."""
        return self.base.collections[collection].get(key)

    def items(self, collection: str) -> Iterator[tuple[str, Record]]:
        """Every id in a collection with its record, those in the base first."""
        changed = {key: kept.record for key, kept in part_of(self._layer, collection).items()}
        return overlaid(self.base.collections[collection].items(), changed)

    def draft(self) -> Draft:
        """A layer on which to try calls; it is discarded unless :meth:`apply` created it."""
        return Draft(self)

    def look_up(self, call: ToolCall) -> ToolResult:
        """Run a call that must not change records; if it tries to, return an error instead."""
        draft = self.draft()
        result = self.tools.run(call, draft)
        if draft.changes():
            return ToolResult(
                f"Error: {call.name} is not declared as changing records, but it tried to.", True
            )
        return result

    def preview(self, call: ToolCall) -> Preview:
        """Try a call on a draft and return what it would do; nothing is stored."""
        draft = self.draft()
        result = self.tools.run(call, draft)
        changes = () if result.error else draft.changes()
        return Preview(call, result, changes, draft.touched_state(), draft)

    def apply(self, call: ToolCall, consent: Consent) -> Applied:
        """Carry out a call, once, if the consent was given for exactly this call on these records.

        Raises ConsentRefused, with nothing changed, if the consent was used before, was given for
        other arguments, or was given while the touched records were different.
        """
        if consent.card_id in self._used_approvals:
            raise ConsentRefused("this approval has already been used")
        if consent.call != call_digest(call):
            raise ConsentRefused("this approval was given for a different call")
        draft = self.draft()
        result = self.tools.run(call, draft)
        if consent.state != draft.touched_state():
            raise ConsentRefused("the records have changed since the card was shown")
        self._used_approvals.add(consent.card_id)
        changes = () if result.error else draft.changes()
        self._keep(changes)
        return Applied(result, changes, self.digest)

    def replay_write(self, card_id: str, patch: Iterable[Mapping[str, Any]], expected: str) -> None:
        """Apply a write from the log without running it again; ``patch`` comes from `patch_of`.

        Raises RecordsMismatch if the digest afterwards is not the expected one, which was recorded.
        """
        for entry in patch:
            name, key = entry["collection"], entry["key"]
            self._store(name, key, apply_patch(self.get(name, key), entry["fields"]))
        self._used_approvals.add(card_id)
        if self.digest != expected:
            raise RecordsMismatch("the recorded writes do not fit these records")

    @property
    def digest(self) -> str:
        """Digest of the records as they are now; its cost grows with what the session changed."""
        changed = sorted((name, key, kept.digest) for (name, key), kept in self._layer.items())
        return digest([self.base.digest, changed])

    def digest_with(self, changes: Iterable[Change]) -> str:
        """The digest that the records would have with these changes; nothing is changed."""
        after = Records(self.base, self.tools)
        after.restore(self._layer)
        after._keep(changes)
        return after.digest

    def diff(self) -> tuple[Change, ...]:
        """Every record that this session has changed so far, compared with the base."""
        return tuple(
            Change(name, key, self.base.collections[name].get(key), kept.record)
            for (name, key), kept in self._layer.items()
        )

    def snapshot(self) -> Mapping[Key, StoredRecord]:
        """The session's layer as it is now; cheap to keep and to :meth:`restore`."""
        return dict(self._layer)

    def restore(self, snapshot: Mapping[Key, StoredRecord]) -> None:
        """Go back to a snapshot; approvals that were used stay used."""
        self._layer = dict(snapshot)

    def _keep(self, changes: Iterable[Change]) -> None:
        for change in changes:
            self._store(change.collection, change.key, change.after)

    def _store(self, collection: str, key: str, record: Record | None) -> None:
        """Store a record in the layer, or drop it from the layer if it equals the base's again.

        Equal states therefore have equal digests.
        """
        if record is None or same(record, self.base.collections[collection].get(key)):
            self._layer.pop((collection, key), None)
        else:
            self._layer[collection, key] = StoredRecord(record, digest(record))
