"""A memory bank: the result of its append-only changes, as of any revision.

An entry is in force once a person has accepted or written it; a proposal by an agent or from
someone else's file waits for that. An undo is a change too: nothing that was ever remembered is
lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property

from agent.memory.change import Change, Origin
from agent.memory.entry import Entry
from agent.memory.wording import OPEN, is_open
from agent.models.redaction import hide_secrets, known_secrets
from sessions.events.memory import MemoryUsed, ReadBy
from sessions.json_strings import map_values
from sessions.store.memory import BankRow, ChangeRow, MemoryRefused

ID_LENGTH = 8
"""How many characters of a digest name a proposal."""


@dataclass(frozen=True, slots=True)
class Version:
    """An entry as of a revision, and its origin."""

    revision: int
    at: str
    entry: Entry
    origin: Origin
    by: str
    by_judge: str = ""
    """The judge that put it in force; empty if a person did."""

    digest: str = ""
    """The digest of the bank as it was proposed or written; empty before it is stored."""

    accepted_at: str = ""
    """The time at which it was accepted; empty if it was written by hand or still waits."""

    @property
    def id(self) -> str:
        """The short id by which a person refers to a proposal."""
        return self.digest[:ID_LENGTH]


@dataclass
class Capability:
    """Everything that was ever said about one capability."""

    name: str
    versions: list[Version] = field(default_factory=list)
    """The versions in force, each replacing the one before it; the last one holds."""

    waiting: list[Version] = field(default_factory=list)
    """The proposals that no one has decided yet, in order."""

    taken_over: list[Version] = field(default_factory=list)
    """Every version ever accepted or written, even if undone, or rewritten when accepted."""

    history: list[tuple[int, str, Change]] = field(default_factory=list)
    """Every change, with its revision and its time."""

    @property
    def entry(self) -> Entry | None:
        """The entry in force; None if nothing was accepted, or all of it was undone."""
        return self.versions[-1].entry if self.versions else None

    @property
    def latest(self) -> Version | None:
        """The latest of the waiting proposals, or None."""
        return self.waiting[-1] if self.waiting else None

    @property
    def has_entries(self) -> bool:
        """Whether it ever had a proposal or an entry, and not only evidence that taught nothing."""
        return any(change.does != "omit" for _, _, change in self.history)

    def apply(self, row: ChangeRow, change: Change) -> None:
        """Apply the next change. Raises MemoryRefused if there is nothing that it can apply to."""
        self.history.append((row.revision, row.at, change))
        match change.does:
            case "propose":
                self.waiting.append(_version(row, change))
            case "edit":
                _refuse_open(change.entry)
                if self.waiting and change.of != 0:
                    rewritten = self._take_waiting(change)
                    self.taken_over.append(replace(rewritten, accepted_at=row.at))
                self._hold(_version(row, change))
            case "accept":
                judge = change.by if change.origin.kind == "judge" else ""
                decided = self._take_waiting(change)
                _refuse_open(decided.entry)
                self._hold(replace(decided, by_judge=judge, accepted_at=row.at))
            case "refuse":
                self._take_waiting(change)
            case "undo":
                if not self.versions:
                    raise MemoryRefused(f"{self.name} has no entry in force that could be undone.")
                self.versions.pop()
            case "omit":
                pass

    def _hold(self, version: Version) -> None:
        self.versions.append(version)
        self.taken_over.append(version)

    def _take_waiting(self, change: Change) -> Version:
        """Take the proposal that a decision is about out of those that wait."""
        if not self.waiting:
            raise MemoryRefused(f"{self.name} has no proposal waiting for a decision.")
        wanted = self.waiting[-1].revision if change.of is None else change.of
        found = next((each for each in self.waiting if each.revision == wanted), None)
        if found is None:
            raise MemoryRefused(f"This proposal for {self.name} is no longer waiting.")
        self.waiting.remove(found)
        return found


def _refuse_open(entry: Entry | None) -> None:
    """Raise MemoryRefused for an entry that does not say yet when it holds."""
    if entry is not None and is_open(entry.key_insight):
        raise MemoryRefused(
            f"The lesson in {entry.capability} still ends in “{OPEN}”: first say when it holds."
        )


def _version(row: ChangeRow, change: Change) -> Version:
    if change.entry is None:
        raise MemoryRefused(f"A change of {change.capability} has no entry.")
    return Version(row.revision, row.at, change.entry, change.origin, change.by, digest=row.digest)


@dataclass(frozen=True)
class Bank:
    """A bank as of a revision."""

    name: str
    domain: str
    policy_digest: str
    revision: int
    capabilities: Mapping[str, Capability]
    read_by: ReadBy = "tool"
    """How the agent of a session reads it."""

    digest: str = ""
    """The digest of how it began and of all its changes; empty if it is not stored."""

    stream: str | None = None
    """The stream of sessions that keeps it; None for a person's own."""

    @property
    def as_used(self) -> MemoryUsed:
        """The reference to this bank that a session records when it begins with it."""
        return MemoryUsed(
            bank=self.name, revision=self.revision, by=self.read_by, digest=self.digest
        )

    @cached_property
    def entries(self) -> dict[str, Entry]:
        """The entries in force, by capability."""
        found = ((name, each.entry) for name, each in self.capabilities.items())
        return {name: entry for name, entry in found if entry is not None}

    def get(self, name: str) -> Capability:
        """Everything about one capability. Raises MemoryRefused if there is none of that name."""
        found = self.capabilities.get(name)
        if found is None:
            raise MemoryRefused(
                f"The memory {self.name} has no capability {name!r}; saber memory list shows them."
            )
        return found

    def waiting(self) -> list[Version]:
        """The proposals that no one has decided yet, in the order in which they were made."""
        found = [version for each in self.capabilities.values() for version in each.waiting]
        return sorted(found, key=lambda each: each.revision)

    def find(self, tool: str, clause: str) -> Entry | None:
        """The entry in force of a tool that rests on this clause of the policy, or None."""
        fitting = (e for e in self.entries.values() if e.tool == tool and clause in e.policy_lines)
        return next(fitting, None)

    def after(self, made: Iterable[Change]) -> Bank:
        """The bank as these changes would leave it. Raises MemoryRefused for invalid changes.

        Nothing of it is stored: :func:`agent.memory.keeping.apply_changes` does that.
        """
        capabilities, revision = dict(self.capabilities), self.revision
        for each in made:
            revision += 1
            there = capabilities.get(each.capability, Capability(each.capability))
            found = replace(
                there, versions=[*there.versions], waiting=[*there.waiting],
                history=[*there.history], taken_over=[*there.taken_over],
            )  # fmt: skip
            found.apply(ChangeRow(revision, "", None, {}), each)
            capabilities[each.capability] = found
        return replace(self, revision=revision, capabilities=capabilities, digest="")

    def policy_notice(self, policy_digest: str) -> str:
        """A sentence if the policy is not the one that the bank was made under; else empty."""
        if policy_digest == self.policy_digest:
            return ""
        return (
            f"The policy of {self.domain} has changed since the memory {self.name} was made: its "
            "entries may be based on clauses that are gone."
        )


def fold(row: BankRow, changes: Iterable[ChangeRow], at: int | None = None) -> Bank:
    """The bank after its changes, or after the first ``at`` of them. Raises MemoryRefused.

    Texts that are known to be secret keys by now are removed here, no matter when they were stored,
    so that no later code sees them.
    """
    known = known_secrets()

    @cache  # the next version of an entry repeats most of its texts
    def without_keys(text: str) -> str:
        return hide_secrets(known, text)[: len(text)]  # never longer than it was

    capabilities: dict[str, Capability] = {}
    revision, digest = 0, row.seal
    for each in changes:
        if at is not None and each.revision > at:
            break
        change = _read(row.name, each, without_keys if known else None)
        found = capabilities.setdefault(change.capability, Capability(change.capability))
        found.apply(each, change)
        revision, digest = each.revision, each.digest
    if at is not None and revision < at:
        raise MemoryRefused(
            f"The memory {row.name} has only {revision} changes here, but {at} are needed: this "
            "session used another memory of that name."
        )
    return Bank(
        row.name, row.domain, row.policy_digest, revision, capabilities,
        digest=digest, stream=row.stream,
    )  # fmt: skip


def _read(bank: str, row: ChangeRow, without_keys: Callable[[str], str] | None) -> Change:
    payload = row.payload if without_keys is None else map_values(row.payload, without_keys)
    try:
        return Change.model_validate(payload)
    except ValueError:
        if payload != row.payload:
            raise MemoryRefused(
                f"The memory {bank} has a name in it (change {row.revision}) that is a secret key "
                "in use, so it is not read. Replace that key with a new one."
            ) from None
        raise MemoryRefused(
            f"The memory {bank} holds a change ({row.revision}) that this version of the program "
            "cannot read; a newer one may have written it."
        ) from None
