"""The memory banks of a session file: named, append-only, and linked by hashes.

The content of a change is defined by :mod:`agent.memory`; here it is JSON. Only the keeper of a
bank writes to it: a person, or the stream of sessions that began it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from sessions.store import memory_chain
from sessions.store.errors import MemoryMoved as MemoryMoved
from sessions.store.errors import MemoryRefused as MemoryRefused
from sessions.store.memory_chain import BankRow as BankRow
from sessions.store.memory_chain import ChangeRow as ChangeRow
from sessions.store.memory_chain import Payload as Payload
from sessions.store.memory_chain import chained_row, compact
from sessions.store.store import Store
from sessions.store.without_pandas import Database

KeyedChanges = Sequence[tuple[str | None, Payload]]
"""Changes, each with its idempotency key or None."""


def banks(store: Store) -> list[BankRow]:
    """Every bank in the file, by name."""
    with store.reading() as database:
        return memory_chain.bank_rows(database)


def make_bank(
    store: Store, name: str, domain: str, policy_digest: str, data: str | None,
    made: KeyedChanges = (), *, stream: str | None = None,
) -> None:  # fmt: skip
    """Create a bank that begins with these changes, in one transaction.

    ``stream`` names the stream of sessions that keeps it. Raises MemoryRefused if a bank of that
    name exists.
    """

    def make(database: Database) -> None:
        if database.execute("SELECT 1 FROM memory_banks WHERE name = ?", [name]).fetchone():
            raise MemoryRefused(f"There is already a memory {name}; give this one another name.")
        row = BankRow(name, domain, policy_digest, data, _now(), stream)
        database.execute(
            f"INSERT INTO memory_banks ({memory_chain.COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)",
            [name, domain, policy_digest, data, row.created_at, stream],
        )
        _add(database, name, made, 0, row.seal)

    store.submit(make).result()


def changes(store: Store, row: BankRow) -> list[ChangeRow]:
    """The changes to a bank, in order; raises MemoryRefused if they were tampered with."""
    with store.reading() as database:
        return memory_chain.whole_chain(database, row)


def append(
    store: Store, bank: str, made: KeyedChanges, *, after: int, stream: str | None = None
) -> None:  # fmt: skip
    """Add changes, all or none.

    ``after`` is the last revision that the caller knows, ``stream`` the stream that the caller acts
    for. Raises MemoryMoved if the bank was changed in the meantime, and MemoryRefused if a key
    already exists or another keeper owns the bank.
    """

    def add(database: Database) -> None:
        for row in memory_chain.bank_rows(database):
            if row.name == bank:
                check_keeper(bank, row.stream, stream)
        head = database.execute(
            "SELECT revision, hash FROM memory_heads WHERE bank = ?", [bank]
        ).fetchone()
        if head is None or head[0] != after:
            raise MemoryMoved(f"The memory {bank} was changed meanwhile; try again.")
        _add(database, bank, made, *head)

    store.submit(add).result()


def _add(database: Database, bank: str, made: KeyedChanges, revision: int, before: str) -> None:
    for key, payload in made:
        _refuse_twice(database, bank, key)
        revision += 1
        row = chained_row(bank, revision, _now(), key, compact(payload), before)
        database.execute("INSERT INTO memory_changes VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        before = row[-1]
    memory_chain.write_head(database, bank, revision, before)


def check_keeper(bank: str, keeper: str | None, stream: str | None) -> None:
    """Raise MemoryRefused if a bank's keeper is not this stream or, with None, a person."""
    if keeper == stream:
        return
    if stream is not None:
        raise MemoryRefused(
            f"The memory {bank} was not made by this stream, so the stream does not learn into "
            "it; give the stream another --name."
        )
    raise MemoryRefused(
        f"The memory {bank} belongs to a stream of sessions, and only the stream changes it; with "
        "saber memory export and import you can make your own copy."
    )


def _refuse_twice(database: Database, bank: str, key: str | None) -> None:
    there = "SELECT 1 FROM memory_changes WHERE bank = ? AND key = ?"
    if key is not None and database.execute(there, [bank, key]).fetchone():
        raise MemoryRefused(f"The memory {bank} has learned from this already.")


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
