"""Whether a file has the tables that this program makes, and nothing that acts on them.

A session file may come from anywhere. A trigger in it could turn a rejection into an approval as
it is recorded, and a view in a table's place could show what no log holds; so all that this
program reads from, and every trigger, has to be to the letter what the migrations make. Tables and
views that somebody put beside them are never looked at.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from sessions.store.errors import StoreError
from sessions.store.migrations import APPLICATION_ID, SCHEMA_VERSION, STEPS, migrations
from sessions.store.sqlite import Database

Objects = dict[tuple[str, str], str]
"""SQL by type and name, of all that a file's schema names."""

_READ_OF_NEWER = ("sessions", "events")
_TABLE = "CREATE TABLE"
_INNER = "said_index_"
"""Tables that the index of words makes for itself, each SQLite in words of its own."""


def version_of(database: Database) -> int:
    """The migrations that the file has had; more than there are here where a newer program did."""
    (version,) = database.conn.execute("PRAGMA user_version").fetchone()
    return int(version)


def is_newer(database: Database) -> bool:
    """Whether a newer program made the file; only of a file that :func:`refuse_foreign` passed."""
    known = {step.__name__ for step in STEPS}
    applied = {each.name for each in migrations.applied(database)}
    return version_of(database) > SCHEMA_VERSION or bool(applied - known)


def refuse_foreign(database: Database, path: Path) -> None:
    """Raise StoreError for another program's file, and for one that somebody planted things in."""
    found = _objects(database)
    if not found:
        return
    (application,) = database.execute("PRAGMA application_id").fetchone()
    if application != APPLICATION_ID:
        raise StoreError(f"{path} is another program's database; choose another with --db.")
    version = version_of(database)
    odd = _no_tables(found) if version > SCHEMA_VERSION else _odd(found, _objects_after(version))
    if odd:
        named = ", ".join(sorted(odd)[:3])
        raise StoreError(
            f"{path} is not as this program makes its session files: somebody may have planted "
            f"something in it ({named}). It was left as it is; choose another file with --db."
        )


def _no_tables(found: Objects) -> set[str]:
    """What is read of a newer file and is not a plain table there."""
    read = (*_READ_OF_NEWER, migrations.migrations_table)
    return {name for name in read if not found.get(("table", name), "").startswith(_TABLE)}


def _odd(found: Objects, made: Objects) -> set[str]:
    missing = {name for (kind, name), sql in made.items() if found.get((kind, name)) != sql}
    planted = {
        name for kind, name in found.keys() - made.keys()
        if kind == "trigger" or name.startswith(_INNER)
    }  # fmt: skip
    return missing | planted


def _objects(database: Database) -> Objects:
    rows = database.execute("SELECT type, name, sql FROM sqlite_master").fetchall()
    return {(kind, name): _plain(name, sql or "") for kind, name, sql in rows}


def _plain(name: str, sql: str) -> str:
    return sql[: len(_TABLE)] if name.startswith(_INNER) else sql


@cache
def _objects_after(version: int) -> Objects:
    """What a new file has after its first migrations."""
    database = Database(memory=True)
    try:
        later = [step.__name__ for step in STEPS[version:]]
        migrations.apply(database, stop_before=later[:1])
        return _objects(database)
    finally:
        database.close()
