"""The full-text index of everything said, kept up to date with the log.

It maps words to events and stores no texts; its table is defined in
:mod:`sessions.store.schema`. An event is identified by one number, composed of its session's
number and its seq, so that matches come in list order and one session's events are adjacent.
"""

from __future__ import annotations

from collections.abc import Iterable

from sessions.events import AgentSaid, AnyEvent, CustomerSaid, SessionEnded, SessionResumed
from sessions.store.without_pandas import Database

BITS = 24
"""The bits for the seq: a session holds fewer than 2**24 events."""

# Not a view: SQLite allows no JSON functions in a schema that it is told not to trust.
_SAID = f"""
SELECT (sessions.number << {BITS}) | seq AS place,
    CASE type
        WHEN 'card_shown' THEN payload ->> '$.card.sentence'
        WHEN 'decision_made' THEN payload ->> '$.words'
        ELSE payload ->> '$.text'
    END AS text
FROM events JOIN sessions ON sessions.id = events.session_id
WHERE type IN ('customer_said', 'agent_said', 'card_shown', 'decision_made')
    AND json_valid(payload) AND text <> ''
"""
_INDEX = (
    f"INSERT INTO said_index(rowid, text) {_SAID} AND sessions.id = ? AND seq > sessions.said_seq"
)
_INDEXED = "UPDATE sessions SET said_seq = head_seq WHERE id = ?"
_FORGET = (
    f"INSERT INTO said_index(said_index, rowid, text) SELECT 'delete', place, text FROM ({_SAID} "
    "AND sessions.id = ? AND seq <= sessions.said_seq)"
)
INDEXED_TEXTS = f"{_SAID} AND seq <= sessions.said_seq"
"""Selects the number and the text of every event that should be in the index."""


def rowid_of(number: int, seq: int) -> int:
    """The number that identifies an event in the index."""
    return number << BITS | seq


def split_rowid(at: int) -> tuple[int, int]:
    """The session number and the seq of the event that this number identifies."""
    return at >> BITS, at & ((1 << BITS) - 1)


def is_due(events: Iterable[AnyEvent]) -> bool:
    """Whether the index is updated with these events.

    Cards and decisions wait for the next words, so that indexing does not slow down a gated write.
    """
    return any(
        isinstance(event, CustomerSaid | AgentSaid | SessionEnded | SessionResumed)
        for event in events
    )


def index(database: Database, session_id: str) -> None:
    """Index what was said in a session since the last update, in the caller's transaction."""
    database.conn.execute(_INDEX, [session_id])
    database.conn.execute(_INDEXED, [session_id])


def forget(database: Database, session_id: str) -> None:
    """Remove a session from the index before its log is deleted, in the caller's transaction."""
    database.conn.execute(_FORGET, [session_id])
