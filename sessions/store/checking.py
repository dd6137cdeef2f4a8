"""Check that the session file holds what was recorded: its logs, lists, index, and pages."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from sessions.store import indexing
from sessions.store.database import sqlite3
from sessions.store.errors import StoreError
from sessions.store.listing import (
    LIST,
    NOTHING_YET,
    SessionRow,
    began_at,
    columns_set_by,
    last_use_column,
)
from sessions.store.reading import whole_log
from sessions.store.schema import SAID_INDEX_COLUMNS
from sessions.store.without_pandas import Database

_WORST = 20
"""The maximum number of SQLite's own findings that are reported."""

_WORDS = "SELECT term, doc, offset FROM temp.words_of_{}"


def find_changed_logs(database: Database) -> Iterator[str]:
    """Yield a sentence for every session whose log was changed or differs from its list entry."""
    for row in database.execute(LIST).fetchall():
        yield from _find_changes(database, SessionRow(*row))
    lost = "SELECT count(*) FROM events WHERE session_id NOT IN (SELECT id FROM sessions)"
    (count,) = database.execute(lost).fetchone()
    if count:
        yield f"{count} events belong to no listed session."


def find_damage(database: Database) -> Iterator[str]:
    """Yield a sentence for every problem with the file's pages, its lists, or the search index."""
    for (found,) in database.execute(f"PRAGMA integrity_check({_WORST})"):
        if found != "ok":
            yield f"SQLite finds: {found}."
    for table, rowid, parent, _ in database.execute("PRAGMA foreign_key_check"):
        yield f"Row {rowid} of {table} refers to no row of {parent}."
    if not _index_holds(database):
        yield "The search index differs from the logs, so a search may miss sessions."


def _find_changes(database: Database, row: SessionRow) -> Iterator[str]:
    try:
        log = whole_log(database, row.id)
    except StoreError as error:
        yield str(error)
        return
    times = [(logged.event.type, logged.at) for logged in log]
    told = {
        **NOTHING_YET,
        **columns_set_by(logged.event for logged in log),
        **last_use_column(times),
    }
    differing = [name for name, value in told.items() if getattr(row, name) != value]
    # In older versions, a fork copied from another file got the time of its first shared event.
    began = row.created_at in (began_at(times), times[0][1])
    wrong = ", ".join([*differing, *(() if began else ("created_at",))])
    if wrong:
        yield f"The list entry of session {row.id} differs from its log in: {wrong}."


def _index_holds(database: Database) -> bool:
    """Whether the index equals one rebuilt from the logs."""
    database.execute(f"CREATE VIRTUAL TABLE temp.said_again USING fts5({SAID_INDEX_COLUMNS})")
    database.execute(f"INSERT INTO temp.said_again(rowid, text) {indexing.INDEXED_TEXTS}")
    for name, schema in (("said_index", "main"), ("said_again", "temp")):
        database.execute(
            f"CREATE VIRTUAL TABLE temp.words_of_{name} "
            f"USING fts5vocab('{schema}', '{name}', 'instance')"
        )
    try:
        kept = database.execute(_WORDS.format("said_index"))
        again = database.execute(_WORDS.format("said_again"))
        return all(one == other for one, other in zip_longest(kept, again))
    except sqlite3.DatabaseError:
        return False
