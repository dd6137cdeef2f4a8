"""A memory bank: a fold of its append-only changes, as of any revision.

What is in force is what a person accepted or wrote; what somebody else's file or an agent
proposes waits for that. Undoing adds a change, too: nothing that was ever remembered is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property

from agent.memory.change import Change, Origin
from agent.memory.entry import Entry
from agent.memory.wording import OPEN, is_open
from agent.models.redaction import hide, known_secrets
from sessions.events.memory import MemoryUsed, ReadBy
from sessions.json_strings import map_values
from sessions.store.memory import BankRow, ChangeRow, MemoryRefused

ID_LENGTH = 8
"""Characters of the name of a proposal."""


@dataclass(frozen=True, slots=True)
class Version:
    """An entry as it stood from a revision on, and whom or what it comes from."""

    revision: int
    at: str
    entry: Entry
    origin: Origin
    by: str
    by_judge: str = ""
    """Who put it into force, where that was no person."""

    digest: str = ""
    """Of the bank as it was proposed or written; empty before it is kept."""

    accepted_at: str = ""
    """When a person or a judge took it over; empty for what was written and what waits."""

    @property
    def id(self) -> str:
        """What a person names a proposal by."""
        return self.digest[:ID_LENGTH]


@dataclass
class Capability:
    """All that was ever said of one capability."""

    name: str
    versions: list[Version] = field(default_factory=list)
    """Those in force, each over the one before it; the last one holds."""

    waiting: list[Version] = field(default_factory=list)
    """What was proposed and nobody has decided yet, in order."""

    taken_over: list[Version] = field(default_factory=list)
    """All that was ever accepted or written, also what is undone and what was rewritten at once."""

    history: list[tuple[int, str, Change]] = field(default_factory=list)
    """Every change, with its revision and its time."""

    @property
    def entry(self) -> Entry | None:
        """What holds; None where nothing was accepted, or all of it undone."""
        return self.versions[-1].entry if self.versions else None

    @property
    def latest(self) -> Version | None:
        """What was proposed last of what waits."""
        return self.waiting[-1] if self.waiting else None

    @property
    def was_something(self) -> bool:
        """Whether anything was ever proposed of it; nothing was where evidence taught nothing."""
        return any(change.does != "omit" for _, _, change in self.history)

    def take(self, row: ChangeRow, change: Change) -> None:
        """Take the next change in; raises MemoryRefused where it is about nothing."""
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
                    raise MemoryRefused(f"Nothing of {self.name} is in force that could be undone.")
                self.versions.pop()
            case "omit":
                pass

    def _hold(self, version: Version) -> None:
        self.versions.append(version)
        self.taken_over.append(version)

    def _take_waiting(self, change: Change) -> Version:
        """Take what a decision is about off what waits."""
        if not self.waiting:
            raise MemoryRefused(f"Nothing of {self.name} waits to be decided.")
        wanted = self.waiting[-1].revision if change.of is None else change.of
        found = next((each for each in self.waiting if each.revision == wanted), None)
        if found is None:
            raise MemoryRefused(f"What is decided of {self.name} does not wait any more.")
        self.waiting.remove(found)
        return found


def _refuse_open(entry: Entry | None) -> None:
    """Raise MemoryRefused for an entry that does not say yet when it holds."""
    if entry is not None and is_open(entry.key_insight):
        raise MemoryRefused(
            f"What is learned in {entry.capability} still ends in “{OPEN}”: say first when it "
            "holds."
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
    """How the agent of a session is to read it."""

    digest: str = ""
    """Of how it began and all that was changed in it; empty where it is not kept."""

    stream: str | None = None
    """The stream of sessions that keeps it; None for a person's own."""

    @property
    def as_used(self) -> MemoryUsed:
        """What a session says that begins with it."""
        return MemoryUsed(
            bank=self.name, revision=self.revision, by=self.read_by, digest=self.digest
        )

    @cached_property
    def entries(self) -> dict[str, Entry]:
        """What holds, by capability."""
        found = ((name, each.entry) for name, each in self.capabilities.items())
        return {name: entry for name, entry in found if entry is not None}

    def get(self, name: str) -> Capability:
        """All about one capability; raises MemoryRefused where there is none."""
        found = self.capabilities.get(name)
        if found is None:
            raise MemoryRefused(
                f"The memory {self.name} has no capability {name!r}; saber memory list tells them."
            )
        return found

    def waiting(self) -> list[Version]:
        """What nobody has decided yet, in the order in which it was proposed."""
        found = [version for each in self.capabilities.values() for version in each.waiting]
        return sorted(found, key=lambda each: each.revision)

    def find(self, tool: str, clause: str) -> Entry | None:
        """The entry in force of a tool that rests on this clause of the policy."""
        fitting = (e for e in self.entries.values() if e.tool == tool and clause in e.policy_lines)
        return next(fitting, None)

    def after(self, made: Iterable[Change]) -> Bank:
        """The bank as these changes would leave it; raises MemoryRefused for what makes no sense.

        Nothing of it is kept: that is :func:`agent.memory.keeping.change`.
        """
        capabilities, revision = dict(self.capabilities), self.revision
        for each in made:
            revision += 1
            there = capabilities.get(each.capability, Capability(each.capability))
            found = replace(
                there, versions=[*there.versions], waiting=[*there.waiting],
                history=[*there.history], taken_over=[*there.taken_over],
            )  # fmt: skip
            found.take(ChangeRow(revision, "", None, {}), each)
            capabilities[each.capability] = found
        return replace(self, revision=revision, capabilities=capabilities, digest="")

    def policy_notice(self, policy_digest: str) -> str:
        """A sentence where the policy is another than the bank was made under; else empty."""
        if policy_digest == self.policy_digest:
            return ""
        return (
            f"The policy of {self.domain} has changed since the memory {self.name} was made: its "
            "entries may rest on clauses that are gone."
        )


def fold(row: BankRow, changes: Iterable[ChangeRow], at: int | None = None) -> Bank:
    """The bank after its changes, or after the first ``at`` of them; raises MemoryRefused.

    What is a key by now goes out of it here, whenever it was kept: nobody behind it has the key.
    """
    known = known_secrets()

    @cache  # an entry's next version has most of its texts again
    def without_keys(text: str) -> str:
        return hide(known, text)[: len(text)]  # no longer than it may be

    capabilities: dict[str, Capability] = {}
    revision, digest = 0, row.seal
    for each in changes:
        if at is not None and each.revision > at:
            break
        change = _read(row.name, each, without_keys if known else None)
        found = capabilities.setdefault(change.capability, Capability(change.capability))
        found.take(each, change)
        revision, digest = each.revision, each.digest
    if at is not None and revision < at:
        raise MemoryRefused(
            f"The memory {row.name} has {revision} changes here, and {at} are wanted: this session "
            "was held with another memory of that name."
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
                f"The memory {bank} has a name in it (change {row.revision}) that is a key in use, "
                "and it is not read. Have the key replaced by another."
            ) from None
        raise MemoryRefused(
            f"The memory {bank} holds a change ({row.revision}) that this version of the program "
            "cannot read; a newer one may have written it."
        ) from None
