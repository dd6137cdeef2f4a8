"""Read a session's log from the file and verify every row."""

from __future__ import annotations

from collections.abc import Iterator

from sessions.events import Logged
from sessions.store.chain import COLUMNS, Row, verify_chain
from sessions.store.errors import StoreError
from sessions.store.without_pandas import Database

_READ = f"SELECT {', '.join(COLUMNS)} FROM events WHERE session_id = ? ORDER BY seq LIMIT ?"
_HEAD = "SELECT head_seq, head_hash FROM sessions WHERE id = ?"


def whole_log(database: Database, session_id: str) -> list[Logged]:
    """A session's whole log; raises StoreError if it is missing or was changed afterwards."""
    head = database.execute(_HEAD, [session_id]).fetchone()
    if head is None:
        raise missing(session_id)
    return list(verify_chain(session_id, read_rows(database, session_id), *head))


def read_rows(database: Database, session_id: str, most: int = -1) -> Iterator[Row]:
    """A session's rows as stored, in order: all of them, or the first ``most``."""
    return map(Row._make, database.execute(_READ, [session_id, most]))


def missing(session_id: str) -> StoreError:
    """The error for a session that does not exist."""
    return StoreError(f"There is no session {session_id}.")
