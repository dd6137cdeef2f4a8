"""The memory banks of a session file: named, append-only, each change bound to the one before it.

What a change says is its writer's (:mod:`agent.memory`); here it is JSON. Each hash covers its
row and the hash before it, so that what people accepted cannot be changed unnoticed.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from sessions.store.errors import StoreError
from sessions.store.sqlite import Database
from sessions.store.store import Store

Payload = dict[str, Any]

_compact = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False).encode


class MemoryRefused(StoreError):
    """A memory that cannot be used or changed as asked; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class BankRow:
    """A bank as it was made: whose tools, and under which policy."""

    name: str
    domain: str
    policy_digest: str
    data: str | None
    """The folder of the records that it was begun on; None for the demo records."""

    created_at: str


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """One change to a bank, counted from 1."""

    revision: int
    at: str
    key: str | None
    payload: Payload


def banks(store: Store) -> list[BankRow]:
    """Every bank of the file, by name."""
    with store.reading() as database:
        found = database.execute(
            "SELECT name, domain, policy_digest, data, created_at FROM memory_banks ORDER BY name"
        )
        return [BankRow(*row) for row in found]


def of_streams(store: Store) -> frozenset[str]:
    """The names of the banks that streams of sessions keep: nobody else writes in them."""
    with store.reading() as database:
        found = database.execute(
            "SELECT DISTINCT payload ->> '$.memory.bank' FROM sessions "
            "JOIN events ON events.session_id = sessions.id AND events.seq = 1 "
            "WHERE sessions.run IS NOT NULL AND payload ->> '$.run.stream' IS NOT NULL"
        )
        return frozenset(name for (name,) in found if name is not None)


def make_bank(store: Store, name: str, domain: str, policy_digest: str, data: str | None) -> None:
    """Make an empty bank; raises MemoryRefused where there is one of that name."""

    def make(database: Database) -> None:
        if database.execute("SELECT 1 FROM memory_banks WHERE name = ?", [name]).fetchone():
            raise MemoryRefused(f"There is a memory {name} already; give this one another name.")
        database.execute(
            "INSERT INTO memory_banks VALUES (?, ?, ?, ?, ?)",
            [name, domain, policy_digest, data, _now()],
        )

    store.submit(make).result()


def changes(store: Store, bank: str) -> list[ChangeRow]:
    """What was changed in a bank, in order; MemoryRefused where that was tampered with."""
    with store.reading() as database:
        rows = database.execute(
            "SELECT revision, at, key, payload, prev_hash, hash FROM memory_changes "
            "WHERE bank = ? ORDER BY revision",
            [bank],
        ).fetchall()
    last = ""
    for place, (revision, at, key, payload, before, sealed) in enumerate(rows, 1):
        if (revision, before) != (place, last) or sealed != _seal(
            bank, revision, at, key, payload, before
        ):
            raise MemoryRefused(
                f"The memory {bank} was changed by another hand: its change {place} does not fit "
                "the ones before it. It is not used; restore the session file from a backup."
            )
        last = sealed
    return [ChangeRow(row[0], row[1], row[2], json.loads(row[3])) for row in rows]


def append(
    store: Store, bank: str, made: Sequence[tuple[str | None, Payload]], *, after: int
) -> int:
    """Add changes, each with what it happens at most once for, all or none; the last revision.

    ``after`` is the revision that the caller knows. Raises MemoryRefused where somebody else
    changed the bank meanwhile, and where a key is there already.
    """

    def add(database: Database) -> int:
        last = database.execute(
            "SELECT revision, hash FROM memory_changes WHERE bank = ? "
            "ORDER BY revision DESC LIMIT 1",
            [bank],
        ).fetchone() or (0, "")
        if last[0] != after:
            raise MemoryRefused(f"The memory {bank} was changed meanwhile; try again.")
        revision, before = last
        for key, payload in made:
            _refuse_twice(database, bank, key)
            revision, text, at = revision + 1, _compact(payload), _now()
            sealed = _seal(bank, revision, at, key, text, before)
            database.execute(
                "INSERT INTO memory_changes VALUES (?, ?, ?, ?, ?, ?, ?)",
                [bank, revision, at, key, text, before, sealed],
            )
            before = sealed
        return int(revision)

    done: int = store.submit(add).result()
    return done


def _refuse_twice(database: Database, bank: str, key: str | None) -> None:
    there = "SELECT 1 FROM memory_changes WHERE bank = ? AND key = ?"
    if key is not None and database.execute(there, [bank, key]).fetchone():
        raise MemoryRefused(f"The memory {bank} has learned from this already.")


def _seal(*values: object) -> str:
    return sha256(_compact(values).encode("ascii")).hexdigest()


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
