"""The writes to the session file: each function does the work of one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sessions.events import AnyEvent, Logged, SessionForked, SessionStarted
from sessions.store import indexing, origins
from sessions.store.chain import COLUMNS, GENESIS, Row, continue_chain, event_of
from sessions.store.database import sqlite3
from sessions.store.errors import AlreadyRecorded, SessionBusy, StoreError
from sessions.store.forking import copy_rows, fork_point
from sessions.store.listing import LABEL_EVENTS, began_at, columns_set_by, last_use_column
from sessions.store.reading import missing, read_rows, whole_log
from sessions.store.without_pandas import Database

_INSERT = f"INSERT INTO events ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))})"
_SO_FAR = ("title", "turns", "cards", "writes")
_HEAD = f"SELECT head_seq, head_hash, {', '.join(_SO_FAR)} FROM sessions WHERE id = ?"
_JUDGED = (
    f"SELECT {', '.join(COLUMNS)} FROM events WHERE session_id = ? AND seq <= ? "
    "AND type IN ('labelled', 'session_forked') ORDER BY seq"
)
_NUMBER = "(SELECT coalesce(max(number), 0) + 1 FROM sessions)"


def begin(session_id: str, started: SessionStarted, database: Database) -> list[Logged]:
    """Record a session's first event."""
    ((row, logged),) = continue_chain(session_id, [started], 0, GENESIS)
    _insert_session(database, [row], [started])
    _insert(database, [row])
    return [logged]


def fork(
    session_id: str, parent: str, at: int | None, changes: Sequence[AnyEvent], database: Database
) -> list[Logged]:
    """Record a session that begins with another's events, and return its log; raises CannotFork."""
    log = whole_log(database, parent)
    end = fork_point(log, at)
    shared = list(copy_rows(session_id, read_rows(database, parent, end)))
    last = shared[-1]
    forked = SessionForked(parent=parent, seq=end)
    own = list(continue_chain(session_id, [forked, *changes], last.seq, last.hash))
    prefix = [
        each.model_copy(update={"session": session_id, "hash": row.hash})
        for each, row in zip(log[:end], shared, strict=True)
    ]
    whole = [*prefix, *(logged for _, logged in own)]
    rows = [row for row, _ in own]
    _insert_session(database, rows, [each.event for each in whole])
    _insert(database, [*shared, *rows])
    origins.inherit(database, session_id, parent, end)
    indexing.index(database, session_id)
    return whole


def record(
    session_id: str, events: Sequence[AnyEvent], file: str | None, database: Database
) -> str:  # fmt: skip
    """Record a whole session at once, marked with the file it came from, if any; return its id."""
    rows = [row for row, _ in continue_chain(session_id, events, 0, GENESIS)]
    _insert_session(database, rows, events)
    _insert(database, rows)
    if file is not None:
        origins.mark(database, rows[-1], file)
    indexing.index(database, session_id)
    return session_id


def take_in(log: Sequence[Logged], rows: Sequence[Row], file: str, database: Database) -> bool:
    """Add another file's session under its own id; return False if it was already here.

    Everything it brings is marked with that file, because its authorship cannot be verified here.
    Raises StoreError if another log has this id.
    """
    last = rows[-1]
    there = database.execute(_HEAD, [last.session_id]).fetchone()
    if there is not None:
        if there[:2] == (last.seq, last.hash):
            return False
        raise StoreError(
            f"Session {last.session_id} already exists here with a different log; delete it "
            "first, or import into another file with --db."
        )
    events = [logged.event for logged in log]
    _insert_session(database, rows, events)
    _insert(database, rows)
    origins.mark(database, last, file)
    indexing.index(database, last.session_id)
    return True


def append(
    session_id: str, events: Sequence[AnyEvent], after: int | None, database: Database
) -> list[Logged]:
    """Record events at the end of a session's log; raises SessionBusy and AlreadyRecorded."""
    head = database.conn.execute(_HEAD, [session_id]).fetchone()
    if head is None:
        raise missing(session_id)
    head_seq, head_hash, *so_far = head
    if after is not None and after != head_seq:
        raise SessionBusy(
            f"Session {session_id} was continued by another program meanwhile. Open it again to "
            "continue from there."
        )
    pairs = list(continue_chain(session_id, events, head_seq, head_hash))
    if pairs:
        rows = [row for row, _ in pairs]
        _insert(database, rows)
        before = dict(zip(_SO_FAR, so_far, strict=True))
        judged = _judgements(database, session_id, head_seq) if _is_judging(events) else []
        _advance(database, rows, columns_set_by(events, before, judged))
        if indexing.is_due(events):
            indexing.index(database, session_id)
    return [logged for _, logged in pairs]


def delete(session_id: str, database: Database) -> None:
    """Remove every trace of a session; raises StoreError if there is none."""
    indexing.forget(database, session_id)
    if not database.execute("DELETE FROM sessions WHERE id = ?", [session_id]).rowcount:
        raise missing(session_id)


def _insert_session(database: Database, rows: Sequence[Row], events: Sequence[AnyEvent]) -> None:
    """Insert a new session's row; ``rows`` are its own, ``events`` include a fork's parent's."""
    began = began_at((row.type, row.at) for row in rows)
    columns = {
        "id": rows[0].session_id, "created_at": began, "updated_at": began,
        **_stands(rows), **columns_set_by(events),
    }  # fmt: skip
    names = ", ".join(("number", *columns))
    values = ", ".join((_NUMBER, *(f":{name}" for name in columns)))
    database.execute(f"INSERT INTO sessions ({names}) VALUES ({values})", columns)


def _insert(database: Database, rows: Sequence[Row]) -> None:
    for row in rows:
        try:
            database.conn.execute(_INSERT, (*row.values, row.hash))
        except sqlite3.IntegrityError as error:
            if "events.key" not in str(error):
                raise
            raise AlreadyRecorded(
                f"Session {row.session_id} already holds {row.type} for {row.key}."
            ) from error


def _is_judging(events: Sequence[AnyEvent]) -> bool:
    return any(isinstance(event, LABEL_EVENTS) for event in events)


def _judgements(database: Database, session_id: str, head: int) -> list[AnyEvent]:
    """The earlier events that affect a session's labels; raises StoreError if they were changed."""
    rows = database.execute(_JUDGED, [session_id, head]).fetchall()
    return [event_of(Row._make(row)) for row in rows]


def _advance(database: Database, rows: Sequence[Row], told: dict[str, Any]) -> None:
    columns = {**_stands(rows), **told}
    changes = ", ".join(f"{name} = :{name}" for name in columns)
    database.conn.execute(
        f"UPDATE sessions SET {changes} WHERE id = :id", {**columns, "id": rows[-1].session_id}
    )


def _stands(rows: Sequence[Row]) -> dict[str, Any]:
    """The columns for the end of a log that ends with these rows, and for its last use."""
    used = last_use_column((row.type, row.at) for row in rows)
    return {"head_seq": rows[-1].seq, "head_hash": rows[-1].hash, **used}
