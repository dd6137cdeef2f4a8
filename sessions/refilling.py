"""What the session file repeats of its logs, made anew from them after a migration."""

from __future__ import annotations

from collections.abc import Iterator

from sqlite_utils import Database

from sessions import indexing
from sessions.chain import COLUMNS, Row, unchecked
from sessions.errors import StoreError
from sessions.events import AnyEvent
from sessions.listing import NOTHING_YET, facts

_TELLING = (
    "session_started", "session_forked", "model_changed", "safeguards_changed", "session_ended",
    "scored", "customer_said", "card_shown", "write_applied", "imported", "labelled",
)  # fmt: skip
"""The events that say something of their session as a whole."""

_EVENTS = (
    f"SELECT {', '.join(COLUMNS)} FROM events WHERE session_id = ? "
    f"AND type IN ({', '.join('?' * len(_TELLING))}) ORDER BY seq"
)


def refill(database: Database) -> None:
    """Number the sessions, say in each one's row what its log says, and index what was said.

    In the caller's transaction. An event that cannot be read is passed over: the log tells so when
    it is read, and a damaged session must not keep the others from being used.
    """
    ids = [each for (each,) in database.execute("SELECT id FROM sessions ORDER BY id")]
    for number, session_id in enumerate(ids, 1):
        told = {**NOTHING_YET, **facts(_told(database, session_id)), "number": number}
        changes = ", ".join(f"{name} = :{name}" for name in told)
        database.execute(
            f"UPDATE sessions SET {changes}, said_seq = 0 WHERE id = :id",
            {**told, "id": session_id},
        )
    database.execute("INSERT INTO said_index(said_index) VALUES ('delete-all')")
    for session_id in ids:
        indexing.index(database, session_id)


def _told(database: Database, session_id: str) -> Iterator[AnyEvent]:
    for row in database.execute(_EVENTS, [session_id, *_TELLING]).fetchall():
        try:
            yield unchecked(Row._make(row)).event
        except StoreError:
            continue
