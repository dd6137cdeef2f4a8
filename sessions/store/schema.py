"""The tables of the session file, step by step; a step that has shipped is never edited.

The log is the ``events`` table. ``sessions`` repeats a few facts of each log to make lists fast,
and ``decisions`` and ``labels`` are views: none of them contains anything that the log does not.
"""

from __future__ import annotations

from sessions.store import origins
from sessions.store.memory_chain import rechain_old_changes
from sessions.store.without_pandas import Database, Migrations

APPLICATION_ID = 0x53424552
"""Identifies the file as ours in SQLite's header: ``SBER``."""

SCHEMA_VERSION = 6
"""Stored in ``user_version``; raised by every migration."""

migrations = Migrations("saber")

_SESSIONS = """
CREATE TABLE sessions (
    id TEXT PRIMARY KEY CHECK (length(id) = 26),
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    domain TEXT NOT NULL,
    source TEXT NOT NULL,
    scenario TEXT,
    model TEXT NOT NULL,
    status TEXT NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'ended')),
    ended TEXT,
    reward REAL,
    title TEXT,
    parent TEXT,
    fork_seq INTEGER,
    head_seq INTEGER NOT NULL,
    head_hash TEXT NOT NULL
) STRICT
"""

_EVENTS = """
CREATE TABLE events (
    id INTEGER PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
    seq INTEGER NOT NULL CHECK (seq > 0),
    type TEXT NOT NULL,
    key TEXT,
    v INTEGER NOT NULL,
    at TEXT NOT NULL,
    payload TEXT NOT NULL,
    prev_hash TEXT NOT NULL,
    hash TEXT NOT NULL,
    UNIQUE (session_id, seq)
) STRICT
"""

# Partial, because most events may repeat and have no key; this halves the pages of an append.
_HAPPENS_ONCE = """
CREATE UNIQUE INDEX happens_once ON events (session_id, type, key) WHERE key IS NOT NULL
"""

_NEVER_CHANGED = """
CREATE TRIGGER events_are_never_changed BEFORE UPDATE ON events
BEGIN SELECT RAISE(ABORT, 'an event is never changed'); END
"""

# Deleting a session removes its row first and its events by the following cascade, so the
# exception holds for whole sessions only: part of a log can never be removed.
_NEVER_REMOVED = """
CREATE TRIGGER events_are_never_removed BEFORE DELETE ON events
WHEN EXISTS (SELECT 1 FROM sessions WHERE id = OLD.session_id)
BEGIN SELECT RAISE(ABORT, 'an event is only removed with its whole session'); END
"""

_DECISIONS = """
CREATE VIEW decisions AS
SELECT
    shown.session_id AS session,
    shown.seq AS seq,
    shown.key AS card,
    shown.payload ->> '$.card.tool' AS tool,
    shown.payload -> '$.card.arguments' AS arguments,
    shown.payload ->> '$.card.sentence' AS sentence,
    made.payload ->> '$.decision' AS decision,
    made.payload ->> '$.words' AS words,
    made.payload ->> '$.by' AS by,
    made.payload ->> '$.milliseconds' AS milliseconds,
    made.payload -> '$.overrode' AS overrode,
    used.seq IS NOT NULL AS consented,
    written.seq IS NOT NULL AND NOT (written.payload ->> '$.error') AS applied,
    CASE WHEN written.payload ->> '$.error' THEN written.payload ->> '$.result' END AS error,
    shown.at AS shown_at,
    made.at AS decided_at
FROM events AS shown
LEFT JOIN events AS made ON made.session_id = shown.session_id
    AND made.type = 'decision_made' AND made.key = shown.key
LEFT JOIN events AS used ON used.session_id = shown.session_id
    AND used.type = 'consent_used' AND used.key = shown.key
LEFT JOIN events AS written ON written.session_id = shown.session_id
    AND written.type = 'write_applied' AND written.key = shown.key
WHERE shown.type = 'card_shown'
"""


def m001_sessions_events_decisions(db: Database) -> None:
    """Create the log, its list of sessions, and a view with one row per card."""
    open_sessions = "CREATE INDEX open_sessions ON sessions (id) WHERE status = 'open'"
    for statement in (
        _SESSIONS, _EVENTS, _HAPPENS_ONCE, open_sessions, _NEVER_CHANGED, _NEVER_REMOVED, _DECISIONS
    ):  # fmt: skip
        db.execute(statement)


# Added with ALTER TABLE instead of rebuilding the table: sessions.store.listing knows which
# facts each event sets, and the columns are filled after each migration.
_MORE_ABOUT_SESSIONS = (
    "number INTEGER NOT NULL DEFAULT 0",
    "turns INTEGER NOT NULL DEFAULT 0",
    "cards INTEGER NOT NULL DEFAULT 0",
    "writes INTEGER NOT NULL DEFAULT 0",
    "safeguards TEXT NOT NULL DEFAULT ''",
    "run TEXT",
    "said_seq INTEGER NOT NULL DEFAULT 0",
)

# All columns that sessions are filtered by, in list order, so any filter is one pass over it.
_TO_FIND = """
CREATE INDEX sessions_to_find ON sessions
    (number, domain, model, scenario, status, reward, safeguards, run, created_at)
"""

_OF_RUN = "CREATE INDEX sessions_of_run ON sessions (run, id) WHERE run IS NOT NULL"

# Stores the words but not the texts, which are in the log already. Row numbers are those of
# sessions.store.indexing, so that matches come in list order and a search can skip to one
# session.
SAID_INDEX_COLUMNS = "text, content='', columnsize=0, tokenize='unicode61 remove_diacritics 2'"
_SAID_INDEX = f"CREATE VIRTUAL TABLE said_index USING fts5({SAID_INDEX_COLUMNS})"


def m002_find(db: Database) -> None:
    """Add what sessions are found by: facts in their rows, and an index of the words said."""
    for column in _MORE_ABOUT_SESSIONS:
        db.execute(f"ALTER TABLE sessions ADD COLUMN {column}")
    for statement in (_TO_FIND, _OF_RUN, _SAID_INDEX):
        db.execute(statement)


# Stored as readable text, and included in the index of all filters: labels are rare, and a
# table of labels would be one more place that repeats the log.
_JUDGED = ("labels TEXT NOT NULL DEFAULT ''", "tags TEXT NOT NULL DEFAULT ''")

_TO_FIND_JUDGED = """
CREATE INDEX sessions_to_find ON sessions
    (number, domain, model, scenario, status, reward, safeguards, run, created_at, labels, tags)
"""

_LABELS = """
CREATE VIEW labels AS
SELECT
    given.session_id AS session,
    given.seq AS seq,
    given.payload ->> '$.about' AS about,
    given.payload ->> '$.seq' AS event,
    given.payload ->> '$.card_id' AS card,
    given.payload ->> '$.verdict' AS verdict,
    given.payload -> '$.tags' AS tags,
    given.payload ->> '$.note' AS note,
    given.payload ->> '$.by' AS by,
    given.at AS at,
    NOT EXISTS (
        SELECT 1 FROM events AS later
        WHERE later.session_id = given.session_id AND later.seq > given.seq AND (
            later.type = 'session_forked' AND given.payload ->> '$.about' = 'session'
            OR later.type = 'labelled'
            AND later.payload ->> '$.by' = given.payload ->> '$.by'
            AND later.payload ->> '$.about' = given.payload ->> '$.about'
            AND later.payload ->> '$.card_id' IS given.payload ->> '$.card_id'
            AND later.payload ->> '$.seq' IS given.payload ->> '$.seq'
        )
    ) AS holds
FROM events AS given
WHERE given.type = 'labelled'
"""


def m003_labels(db: Database) -> None:
    """Add labels: text in the sessions' rows to search by, and a view with one row per label."""
    for column in _JUDGED:
        db.execute(f"ALTER TABLE sessions ADD COLUMN {column}")
    for statement in ("DROP INDEX sessions_to_find", _TO_FIND_JUDGED, _LABELS):
        db.execute(statement)


_BANKS = """
CREATE TABLE memory_banks (
    name TEXT PRIMARY KEY,
    domain TEXT NOT NULL,
    policy_digest TEXT NOT NULL,
    data TEXT,
    created_at TEXT NOT NULL
) STRICT
"""

_MEMORY_CHANGES = """
CREATE TABLE memory_changes (
    bank TEXT NOT NULL REFERENCES memory_banks(name),
    revision INTEGER NOT NULL CHECK (revision > 0),
    at TEXT NOT NULL,
    key TEXT,
    payload TEXT NOT NULL,
    prev_hash TEXT NOT NULL,
    hash TEXT NOT NULL,
    PRIMARY KEY (bank, revision)
) STRICT
"""

_LEARNED_ONCE = """
CREATE UNIQUE INDEX learned_once ON memory_changes (bank, key) WHERE key IS NOT NULL
"""


def _forbid(what: str, table: str) -> str:
    """The SQL of a trigger that keeps a table append-only."""
    name = f"{table}_are_never_{'changed' if what == 'UPDATE' else 'removed'}"
    return (
        f"CREATE TRIGGER {name} BEFORE {what} ON {table} "
        "BEGIN SELECT RAISE(ABORT, 'what a memory learned is never changed'); END"
    )


def m004_memory(db: Database) -> None:
    """Add what agents learned about a policy: named banks, and every change to their content."""
    for statement in (_BANKS, _MEMORY_CHANGES, _LEARNED_ONCE):
        db.execute(statement)
    for table in ("memory_banks", "memory_changes"):
        for what in ("UPDATE", "DELETE"):
            db.execute(_forbid(what, table))


# Where each bank ends, so that a truncated chain is detected; the rest is in the chain.
_MEMORY_HEADS = """
CREATE TABLE memory_heads (
    bank TEXT PRIMARY KEY REFERENCES memory_banks(name),
    revision INTEGER NOT NULL,
    hash TEXT NOT NULL
) STRICT
"""

# Older versions identified streams by name only. A bank with any decision by a person belongs
# to a person, regardless of what a session from elsewhere claims.
_KEPT_BY_STREAMS = """
UPDATE memory_banks SET stream = (
    SELECT payload ->> '$.run.name' || ' ' || (payload ->> '$.run.settings')
    FROM sessions JOIN events ON events.session_id = sessions.id AND events.seq = 1
    WHERE sessions.run IS NOT NULL AND payload ->> '$.run.stream' IS NOT NULL
        AND payload ->> '$.memory.bank' = memory_banks.name
    ORDER BY sessions.number LIMIT 1
)
WHERE name GLOB '*.*.*[0-9].[0-9]*' AND NOT EXISTS (
    SELECT 1 FROM memory_changes
    WHERE bank = memory_banks.name AND payload ->> '$.origin.kind' = 'person'
)
"""


def m005_origins(db: Database) -> None:
    """Add each bank's keeper and end to its chain, and mark sessions that came from other files."""
    for table in ("memory_banks", "memory_changes"):
        db.execute(f"DROP TRIGGER {table}_are_never_changed")
    db.execute("ALTER TABLE memory_banks ADD COLUMN stream TEXT")
    for statement in (_MEMORY_HEADS, origins.TAKEN_IN, _KEPT_BY_STREAMS):
        db.execute(statement)
    rechain_old_changes(db)
    for table in ("memory_banks", "memory_changes"):
        db.execute(_forbid("UPDATE", table))
    db.execute(_forbid("DELETE", "memory_heads"))


def m006_unknown_origins(db: Database) -> None:
    """Mark the sessions of which it is unknown whether they were recorded in this file."""
    for statement in (origins.OF_UNKNOWN_ORIGIN, origins.NOT_TOLD):
        db.execute(statement)


STEPS = (
    m001_sessions_events_decisions, m002_find, m003_labels, m004_memory, m005_origins,
    m006_unknown_origins,
)  # fmt: skip
"""Every migration there is, in order; the file remembers them by name."""

for _step in STEPS:
    migrations()(_step)
