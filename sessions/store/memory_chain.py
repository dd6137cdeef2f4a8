"""The hash chain of a memory bank, from its creation over each change to its end.

It reveals a row that was changed, dropped, or moved, and a chain that was truncated. It cannot
reveal a file whose owner rebuilt the whole chain.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from sessions.store.errors import MemoryRefused
from sessions.store.without_pandas import Database

Payload = dict[str, Any]
Stored = tuple[int, str, str | None, str, str, str]
"""Revision, time, key, payload text, previous hash, hash: a change as stored in the file."""

compact = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False).encode


@dataclass(frozen=True, slots=True)
class BankRow:
    """A bank as it was created: its domain, its policy, and its keeper."""

    name: str
    domain: str
    policy_digest: str
    data: str | None
    """The folder of the records that it began with; None for the demo records."""

    created_at: str
    stream: str | None = None
    """The stream of sessions that keeps the bank; None if a person does."""

    @property
    def seal(self) -> str:
        """The hash that the first change is bound to."""
        return _seal(
            self.name, self.domain, self.policy_digest, self.data, self.created_at, self.stream
        )


COLUMNS = "name, domain, policy_digest, data, created_at, stream"


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """One change to a bank; revisions count from 1."""

    revision: int
    at: str
    key: str | None
    payload: Payload
    digest: str = ""
    """Digest of the bank with this change in it: its creation and all changes so far."""


def chained_row(
    bank: str, revision: int, at: str, key: str | None, payload: str, before: str
) -> tuple[str, int, str, str | None, str, str, str]:
    """A change as it is stored, bound to the one before it."""
    values = (bank, revision, at, key, payload, before)
    return (*values, _seal(*values))


def stored_changes(database: Database, bank: str) -> list[Stored]:
    """The changes of a bank as they are stored in the file, in order."""
    found = database.execute(
        "SELECT revision, at, key, payload, prev_hash, hash FROM memory_changes "
        "WHERE bank = ? ORDER BY revision",
        [bank],
    )
    return list(map(tuple, found.fetchall()))


def first_break(bank: str, rows: Iterable[Stored], beginning: str) -> int | None:
    """The position, from 1, of the first change that does not fit its predecessors, or None."""
    last = beginning
    for place, (revision, at, key, payload, before, sealed) in enumerate(rows, 1):
        if (revision, before) != (place, last):
            return place
        if chained_row(bank, revision, at, key, payload, before)[-1] != sealed:
            return place
        last = sealed
    return None


def whole_chain(database: Database, row: BankRow) -> list[ChangeRow]:
    """The changes to a bank, in order; raises MemoryRefused if they were tampered with."""
    rows = stored_changes(database, row.name)
    broken = first_break(row.name, rows, row.seal)
    if broken is not None:
        before = "the record of its creation" if broken == 1 else "the ones before it"
        raise _tampered(row.name, f"its change {broken} does not match {before}")
    end = database.execute(
        "SELECT revision, hash FROM memory_heads WHERE bank = ?", [row.name]
    ).fetchone()
    if end != (len(rows), rows[-1][-1] if rows else row.seal):
        there = end[0] if end else "no"
        raise _tampered(row.name, f"{len(rows)} changes are there, but {there} were recorded")
    return [ChangeRow(each[0], each[1], each[2], json.loads(each[3]), each[5]) for each in rows]


def bank_rows(database: Database) -> list[BankRow]:
    """Every bank in the file, by name."""
    found = database.execute(f"SELECT {COLUMNS} FROM memory_banks ORDER BY name")
    return [BankRow(*row) for row in found.fetchall()]


def find_changed_memories(database: Database) -> Iterator[str]:
    """Yield a sentence for every memory that differs from what was recorded."""
    rows = bank_rows(database)
    for row in rows:
        try:
            whole_chain(database, row)
        except MemoryRefused as refused:
            yield str(refused)
    ends = "SELECT bank FROM memory_heads UNION SELECT bank FROM memory_changes"
    names = {row.name for row in rows}
    for (bank,) in database.execute(ends).fetchall():
        if bank not in names:
            yield str(_tampered(bank, "the record of its creation is missing"))


def rechain_old_changes(database: Database) -> None:
    """Bind the changes that older versions recorded to each bank's creation, and note its end.

    A chain that is already broken is left as it is and continues to be reported.
    """
    for row in bank_rows(database):
        rows, last = stored_changes(database, row.name), row.seal
        if first_break(row.name, rows, "") is None:
            for revision, at, key, payload, _, _ in rows:
                *_, before, sealed = chained_row(row.name, revision, at, key, payload, last)
                database.execute(
                    "UPDATE memory_changes SET prev_hash = ?, hash = ? "
                    "WHERE bank = ? AND revision = ?",
                    [before, sealed, row.name, revision],
                )
                last = sealed
        write_head(database, row.name, len(rows), last)


def write_head(database: Database, bank: str, revision: int, digest: str) -> None:
    """Record the last revision of a bank and its hash."""
    database.execute(
        "INSERT INTO memory_heads VALUES (?, ?, ?) "
        "ON CONFLICT (bank) DO UPDATE SET revision = excluded.revision, hash = excluded.hash",
        [bank, revision, digest],
    )


def _tampered(bank: str, what: str) -> MemoryRefused:
    return MemoryRefused(
        f"The memory {bank} was changed outside this program: {what}. It is not used; restore the "
        "session file from a backup."
    )


def _seal(*values: object) -> str:
    return sha256(compact(values).encode("ascii")).hexdigest()
