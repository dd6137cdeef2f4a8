"""The banks of a session file: opened, made, and changed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from pydantic import ValidationError

from agent.memory.bank import Bank, Change, fold
from agent.models.redaction import without_secrets_json
from domains.core.domain import Domain
from sessions.store import memory
from sessions.store.memory import BankRow, MemoryRefused
from sessions.store.store import Store

_NAME = re.compile(r"[A-Za-z0-9][\w.+-]{0,63}")


def own_banks(store: Store) -> list[BankRow]:
    """The banks of the file but for those that streams keep, by name."""
    kept = memory.of_streams(store)
    return [row for row in memory.banks(store) if row.name not in kept]


def row_of(store: Store, name: str | None) -> BankRow:
    """The bank of that name, or the only one but for those of streams; raises MemoryRefused."""
    found = [row for row in memory.banks(store) if row.name == name]
    there = found or own_banks(store)
    if len(there) == 1 and name in (None, there[0].name):
        return there[0]
    if not there:
        raise MemoryRefused(
            "There is no memory in this session file; saber memory begin makes one."
        )
    names = ", ".join(row.name for row in there)
    if name is None:
        raise MemoryRefused(f"There are several memories ({names}); say which with --bank.")
    raise MemoryRefused(f"There is no memory {name!r}; there are: {names}.")


def open_bank(store: Store, name: str | None, at: int | None = None) -> Bank:
    """A bank, as of a revision where one is given; raises MemoryRefused."""
    row = row_of(store, name)
    return fold(row, memory.changes(store, row.name), at)


def is_name(text: str) -> bool:
    """Whether a memory can be called that."""
    return _NAME.fullmatch(text) is not None


def make_bank(store: Store, name: str, domain: Domain, data: Path | None = None) -> Bank:
    """A new, empty bank; raises MemoryRefused for a name that is none or is taken."""
    refuse_taken(store, name)
    place = None if data is None else str(data.absolute())
    memory.make_bank(store, name, domain.name, domain.policy_digest, place)
    return open_bank(store, name)


def refuse_taken(store: Store, name: str) -> None:
    """Raise MemoryRefused where no new bank can have that name."""
    if not is_name(name):
        raise MemoryRefused(
            "A memory's name is made of letters, digits and . _ + - and has at most 64 characters."
        )
    if any(row.name == name for row in memory.banks(store)):
        raise MemoryRefused(f"There is a memory {name} already; give this one another name.")


def change(store: Store, bank: Bank, made: Sequence[Change]) -> Bank:
    """The bank after these changes, all or none; MemoryRefused where they cannot be made.

    What comes from evidence is made at most once for it: changes that stand here together may
    share one piece.
    """
    row = row_of(store, bank.name)
    stands = memory.changes(store, row.name)
    if len(stands) != bank.revision:
        raise MemoryRefused(f"The memory {bank.name} was changed meanwhile; try again.")
    rows = list(zip(_keys(made), map(_payload, made), strict=True))
    tried = [
        memory.ChangeRow(bank.revision + place, "", None, payload)
        for place, (_, payload) in enumerate(rows, 1)
    ]
    fold(row, (*stands, *tried))  # refuses what makes no sense, before it is written
    memory.append(store, bank.name, rows, after=bank.revision)
    return open_bank(store, bank.name)


def evidence_learned_from(store: Store, bank: Bank) -> frozenset[str]:
    """What the bank has learned from already, by key."""
    return frozenset(each.key for each in memory.changes(store, bank.name) if each.key is not None)


def _keys(made: Sequence[Change]) -> list[str | None]:
    """What each of these happens at most once for; the first of those that share one says so."""
    keys = [each.key for each in made]
    return [None if key in keys[:place] else key for place, key in enumerate(keys)]


def _payload(change: Change) -> memory.Payload:
    """A change as it is kept: whoever wrote it, no key is in it."""
    plain = change.model_dump(mode="json", exclude_defaults=True)
    kept: memory.Payload = without_secrets_json(plain)
    try:
        Change.model_validate(kept)
    except ValidationError:
        raise MemoryRefused(
            "A name in this entry is a key that is in use; nothing was kept."
        ) from None
    return kept
