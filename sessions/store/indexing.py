"""The index of what was said, kept with the log: which words stand in which event.

It holds words and no texts; :data:`sessions.store.migrations` has its table. An event goes by one
number, made of its session's and its seq, so that matches come in the order of lists and all that
one session said lies together.
"""

from __future__ import annotations

from collections.abc import Iterable

from sessions.events import AgentSaid, AnyEvent, CustomerSaid, SessionEnded, SessionResumed
from sessions.store.sqlite import Database

BITS = 24
"""A session holds fewer than 2**24 events."""

# Not a view: SQLite takes no JSON functions from a schema that it is told not to trust.
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
ALL = f"{_SAID} AND seq <= sessions.said_seq"
"""Selects the number and the text of every event that is to be in the index."""


def place(number: int, seq: int) -> int:
    """What an event goes by in the index."""
    return number << BITS | seq


def place_of(at: int) -> tuple[int, int]:
    """The number of the session and the seq of the event that go by this."""
    return at >> BITS, at & ((1 << BITS) - 1)


def is_due(events: Iterable[AnyEvent]) -> bool:
    """Whether the index is brought up to date with these events.

    Cards and decisions wait for the next words: a gated write must not pay for being found later.
    """
    return any(
        isinstance(event, CustomerSaid | AgentSaid | SessionEnded | SessionResumed)
        for event in events
    )


def index(database: Database, session_id: str) -> None:
    """Add what was said in a session since this was last done; in the caller's transaction."""
    database.conn.execute(_INDEX, [session_id])
    database.conn.execute(_INDEXED, [session_id])


def forget(database: Database, session_id: str) -> None:
    """Take a session out of the index, before its log goes; in the caller's transaction."""
    database.conn.execute(_FORGET, [session_id])
