"""The origin of each session: recorded here, copied from another file, or unknown.

The authorship of sessions from another file cannot be verified here. Since version 5 they are
marked; sessions from before that are of unknown origin until a person decides.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from sessions.store.chain import Row
from sessions.store.without_pandas import Database

TAKEN_IN = """
CREATE TABLE taken_in (
    session_id TEXT PRIMARY KEY REFERENCES sessions(id) ON DELETE CASCADE,
    file TEXT NOT NULL,
    events INTEGER NOT NULL,
    at TEXT NOT NULL
) STRICT
"""

OF_UNKNOWN_ORIGIN = """
CREATE TABLE of_unknown_origin (
    session_id TEXT PRIMARY KEY REFERENCES sessions(id) ON DELETE CASCADE,
    events INTEGER NOT NULL
) STRICT
"""

# Before version 5 nothing distinguished a session copied from another file in our own format
# from one recorded here, and no id or time in it is reliable. A file that began with version 5
# has marked all such sessions: its migrations ran in one go.
NOT_TOLD = """
INSERT INTO of_unknown_origin SELECT id, head_seq FROM sessions
WHERE id NOT IN (SELECT session_id FROM taken_in)
AND id NOT IN (SELECT session_id FROM events WHERE seq = 2 AND type = 'imported')
AND (
    SELECT coalesce(julianday(max(applied_at)) - julianday(min(applied_at)), 1) > 1.0 / 1440
    FROM _sqlite_migrations
    WHERE migration_set = 'saber' AND name IN ('m001_sessions_events_decisions', 'm005_origins')
)
"""

ORIGIN = """
SELECT file, events FROM taken_in WHERE session_id = :id
UNION ALL
SELECT payload ->> '$.file', (
    SELECT coalesce(
        min(seq) FILTER (WHERE type IN ('session_ended', 'session_forked')), max(seq)
    ) FROM events WHERE session_id = :id
) FROM events WHERE session_id = :id AND seq = 2 AND type = 'imported'
LIMIT 1
"""
"""Selects the file that a session came with, and the number of events from it.

Older versions did not mark runs imported from other programs: their own events identify them, up to
the end of the session.
"""


UNKNOWN_ORIGIN = "SELECT events FROM of_unknown_origin WHERE session_id = ?"
"""Selects how many events a session had before origins were recorded; see :mod:`.migrations`."""


@dataclass(frozen=True, slots=True)
class ForeignOrigin:
    """The origin of a session that was recorded elsewhere."""

    file: str
    """The name of the file that the session came with."""

    events: int
    """The number of events it brought, from the first; later events were recorded here."""


_MARKS_OF_PARENT = (
    "INSERT INTO taken_in SELECT :id, file, min(events, :shared), at FROM taken_in "
    "WHERE session_id = :parent",
    "INSERT INTO of_unknown_origin SELECT :id, min(events, :shared) FROM of_unknown_origin "
    "WHERE session_id = :parent",
)


def mark(database: Database, last: Row, file: str) -> None:
    """Mark a session as having come with a file, up to this last row."""
    database.execute(
        "INSERT INTO taken_in VALUES (?, ?, ?, ?)", [last.session_id, file, last.seq, _now()]
    )


def inherit(database: Database, session_id: str, parent: str, shared: int) -> None:
    """Give a fork's shared events the same origin marks as its parent's."""
    for statement in _MARKS_OF_PARENT:
        database.execute(statement, {"id": session_id, "parent": parent, "shared": shared})


def settle(session_id: str, here: bool, database: Database) -> None:
    """Record a person's decision whether a session of unknown origin was recorded here."""
    if not here:
        database.execute(
            "INSERT INTO taken_in SELECT session_id, '', events, ? FROM of_unknown_origin "
            "WHERE session_id = ?",
            [_now(), session_id],
        )
    database.execute("DELETE FROM of_unknown_origin WHERE session_id = ?", [session_id])


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
