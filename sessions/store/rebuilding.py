"""Rebuild the redundant data of a session file from its logs after a migration."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from sessions.events import AnyEvent
from sessions.store import indexing
from sessions.store.chain import COLUMNS, Row, read_unverified
from sessions.store.errors import StoreError
from sessions.store.listing import JUDGEMENT_TYPES, NOTHING_YET, columns_set_by
from sessions.store.without_pandas import Database

_SUMMARY_TYPES = (
    "session_started", "session_forked", "model_changed", "safeguards_changed", "session_ended",
    "scored", "customer_said", "card_shown", "write_applied", "imported", "labelled",
)  # fmt: skip
"""The types of events that set facts about their session as a whole."""

_EVENTS = (
    f"SELECT {', '.join(COLUMNS)} FROM events WHERE session_id = ? "
    f"AND type IN ({', '.join('?' * len(_SUMMARY_TYPES))}) ORDER BY seq"
)

_USED_AT = (
    "SELECT at FROM events WHERE session_id = :id "
    f"AND type NOT IN ({', '.join(map(repr, JUDGEMENT_TYPES))}) ORDER BY seq DESC LIMIT 1"
)


def rebuild(database: Database) -> None:
    """Number the sessions, fill each session's row from its log, and rebuild the search index.

    Sessions that have a number keep it: it records the order of recording, which ids lose when the
    clock is set back. Runs in the caller's transaction. An event that cannot be read is skipped:
    reading the log reports it, and one damaged session must not make the others unusable.
    """
    numbers = _numbers(database)
    for session_id, number in numbers.items():
        told = {
            **NOTHING_YET,
            **columns_set_by(_readable_events(database, session_id)),
            "number": number,
        }
        changes = ", ".join(f"{name} = :{name}" for name in told)
        database.execute(
            f"UPDATE sessions SET {changes}, said_seq = 0, "
            f"updated_at = coalesce(({_USED_AT}), updated_at) WHERE id = :id",
            {**told, "id": session_id},
        )
    database.execute("INSERT INTO said_index(said_index) VALUES ('delete-all')")
    for session_id in numbers:
        indexing.index(database, session_id)


def _numbers(database: Database) -> dict[str, int]:
    """Each session's number; new numbers follow the order of ids, as version 1 files have none."""
    rows = database.execute("SELECT id, number FROM sessions ORDER BY number, id").fetchall()
    last = max((number for _, number in rows), default=0)
    new = count(last + 1)
    return {session_id: number if number > 0 else next(new) for session_id, number in rows}


def _readable_events(database: Database, session_id: str) -> Iterator[AnyEvent]:
    for row in database.execute(_EVENTS, [session_id, *_SUMMARY_TYPES]).fetchall():
        try:
            yield read_unverified(Row._make(row)).event
        except StoreError:
            continue
