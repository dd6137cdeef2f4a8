"""Where the sessions of a file came from: recorded here, taken in from another file, or not known.

Nobody can tell here who wrote what came with another file. Since version 5 it is marked; what was
there before is of unknown origin, until a person says.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from sessions.store.chain import Row
from sessions.store.sqlite import Database

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

# Before version 5 nothing told a session of another file, in our own format, from one that was
# recorded here, and no id or time in it can be believed. A file that began with version 5 has
# marked all that came: there it was made in one go.
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
"""The file that a session came with. Older versions marked no run of another program: its own
events tell it, up to its end."""


UNKNOWN_ORIGIN = "SELECT events FROM of_unknown_origin WHERE session_id = ?"
"""How much of a session was here before its origin was noted; see :mod:`.migrations`."""


@dataclass(frozen=True, slots=True)
class TakenIn:
    """Where a session came from that was recorded elsewhere."""

    file: str
    """What the file was called that it came with."""

    events: int
    """How many events it brought, from the first on; what follows was recorded here."""


_MARKS_OF_PARENT = (
    "INSERT INTO taken_in SELECT :id, file, min(events, :shared), at FROM taken_in "
    "WHERE session_id = :parent",
    "INSERT INTO of_unknown_origin SELECT :id, min(events, :shared) FROM of_unknown_origin "
    "WHERE session_id = :parent",
)


def mark(database: Database, last: Row, file: str) -> None:
    """Say of a session that it came with a file up to its last row."""
    database.execute(
        "INSERT INTO taken_in VALUES (?, ?, ?, ?)", [last.session_id, file, last.seq, _now()]
    )


def inherit(database: Database, session_id: str, parent: str, shared: int) -> None:
    """A fork's first events came from where its parent's came from."""
    for statement in _MARKS_OF_PARENT:
        database.execute(statement, {"id": session_id, "parent": parent, "shared": shared})


def settle(session_id: str, here: bool, database: Database) -> None:
    """A person says whether a session of unknown origin was recorded here or came with a file."""
    if not here:
        database.execute(
            "INSERT INTO taken_in SELECT session_id, '', events, ? FROM of_unknown_origin "
            "WHERE session_id = ?",
            [_now(), session_id],
        )
    database.execute("DELETE FROM of_unknown_origin WHERE session_id = ?", [session_id])


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
