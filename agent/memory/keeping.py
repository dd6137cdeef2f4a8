"""Opens, creates and changes the memory banks of a session file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from pydantic import ValidationError

from agent.memory.bank import Bank, fold
from agent.memory.change import Change
from agent.models.redaction import without_secrets, without_secrets_json
from domains.core.domain import Domain
from sessions.store import memory
from sessions.store.memory import BankRow, MemoryMoved, MemoryRefused
from sessions.store.store import Store

_NAME = re.compile(r"[A-Za-z0-9][\w.+-]{0,63}")


def own_banks(store: Store) -> list[BankRow]:
    """The banks of the file, by name, without those that streams keep."""
    return [row for row in memory.banks(store) if row.stream is None]


def row_of(store: Store, name: str | None) -> BankRow:
    """The bank of that name, or the only one that no stream keeps. Raises MemoryRefused."""
    found = [row for row in memory.banks(store) if row.name == name]
    there = found or own_banks(store)
    if len(there) == 1 and name in (None, there[0].name):
        return there[0]
    if not there:
        raise MemoryRefused(
            "There is no memory in this session file; create one with saber memory begin."
        )
    names = ", ".join(row.name for row in there)
    if name is None:
        raise MemoryRefused(f"There are several memories ({names}); choose one with --bank.")
    raise MemoryRefused(f"There is no memory {name!r}; there are: {names}.")


def open_bank(store: Store, name: str | None, at: int | None = None) -> Bank:
    """Open a bank, as of a revision if one is given. Raises MemoryRefused."""
    row = row_of(store, name)
    return fold(row, memory.changes(store, row), at)


def is_name(text: str) -> bool:
    """Whether a memory can have this name."""
    return _NAME.fullmatch(text) is not None


def make_bank(
    store: Store, name: str, domain: Domain, data: Path | None = None,
    made: Sequence[Change] = (), *, stream: str | None = None,
) -> Bank:  # fmt: skip
    """Create a bank that begins with these changes, all of them or none.

    ``stream`` names the stream of sessions that keeps it. Raises MemoryRefused for a name that is
    invalid or taken, and for changes that cannot be made.
    """
    refuse_taken(store, name)
    place = None if data is None else str(data.absolute())
    Bank(name, domain.name, domain.policy_digest, 0, {}).after(made)
    memory.make_bank(
        store, name, domain.name, domain.policy_digest, place, _rows(made), stream=stream
    )
    return open_bank(store, name)


def refuse_taken(store: Store, name: str) -> None:
    """Raise MemoryRefused if a new bank cannot have this name."""
    if not is_name(name):
        raise MemoryRefused(
            "A memory's name has at most 64 characters: letters, digits and . _ + - only."
        )
    if without_secrets(name) != name:
        raise MemoryRefused("This name contains a secret key that is in use; choose another.")
    if any(row.name == name for row in memory.banks(store)):
        raise MemoryRefused(f"There is already a memory {name}; give this one another name.")


def refuse_stream(bank: Bank) -> None:
    """Raise MemoryRefused for a bank that a stream keeps, which no person may change."""
    memory.check_keeper(bank.name, bank.stream, None)


def apply_changes(
    store: Store, bank: Bank, made: Sequence[Change], *, stream: str | None = None
) -> Bank:  # fmt: skip
    """Make these changes to a bank, all or none, and return it.

    Raises MemoryRefused if they cannot be made, and MemoryMoved if the bank has changed since it
    was read. Changes from a piece of evidence are made at most once; changes made together here may
    share one piece. ``stream`` names the stream of sessions that makes them.
    """
    if open_bank(store, bank.name).digest != bank.digest:
        raise MemoryMoved(f"The memory {bank.name} was changed meanwhile; try again.")
    bank.after(made)  # refuses invalid changes before they are written
    memory.append(store, bank.name, _rows(made), after=bank.revision, stream=stream)
    return open_bank(store, bank.name)


def evidence_learned_from(store: Store, bank: Bank) -> frozenset[str]:
    """The keys of the evidence that the bank has learned from already."""
    rows = memory.changes(store, row_of(store, bank.name))
    return frozenset(each.key for each in rows if each.key is not None)


def _rows(made: Sequence[Change]) -> list[tuple[str | None, memory.Payload]]:
    """Changes in the form in which they are stored."""
    return list(zip(_keys(made), map(_payload, made), strict=True))


def _keys(made: Sequence[Change]) -> list[str | None]:
    """The key for which each change happens at most once; only the first of several has it."""
    keys = [each.key for each in made]
    return [None if key in keys[:place] else key for place, key in enumerate(keys)]


def _payload(change: Change) -> memory.Payload:
    """A change in the form in which it is stored, without secret keys, whoever wrote it."""
    plain = change.model_dump(mode="json", exclude_defaults=True)
    kept: memory.Payload = without_secrets_json(plain)
    try:
        Change.model_validate(kept)
    except ValidationError:
        raise MemoryRefused(
            "A name in this entry is a secret key that is in use; nothing was saved."
        ) from None
    return kept
