"""Check that a session file has the tables of this program, unaltered, and no foreign triggers.

A session file may come from anywhere. A planted trigger could turn a rejection into an approval as
it is recorded, and a view in place of a table could show things that are in no log. So every object
that this program reads from, and every trigger, must match to the letter what the migrations
create. Additional tables and views are never read and are allowed.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from sessions.store.errors import StoreError
from sessions.store.schema import APPLICATION_ID, SCHEMA_VERSION, STEPS, migrations
from sessions.store.without_pandas import Database

Objects = dict[tuple[str, str], str]
"""SQL by type and name for every object in a file's schema."""

_READ_OF_NEWER = ("sessions", "events")
_TABLE = "CREATE TABLE"
_INNER = "said_index_"
"""Prefix of the tables that the full-text index creates itself; their SQL varies with SQLite."""


def version_of(database: Database) -> int:
    """The number of migrations applied to the file; a newer program may have applied more."""
    (version,) = database.conn.execute("PRAGMA user_version").fetchone()
    return int(version)


def is_newer(database: Database) -> bool:
    """Whether a newer program made the file; requires that :func:`refuse_foreign` accepted it."""
    known = {step.__name__ for step in STEPS}
    applied = {each.name for each in migrations.applied(database)}
    return version_of(database) > SCHEMA_VERSION or bool(applied - known)


def refuse_foreign(database: Database, path: Path) -> None:
    """Raise StoreError for another program's file and for one with planted objects."""
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
            f"{path} does not have the structure of this program's session files: somebody may "
            f"have planted something in it ({named}). It was left as it is; choose another file "
            "with --db."
        )


def _no_tables(found: Objects) -> set[str]:
    """The names that are read from a newer file but are not plain tables there."""
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
    """The objects of a new file after the first ``version`` migrations."""
    database = Database(memory=True)
    try:
        later = [step.__name__ for step in STEPS[version:]]
        migrations.apply(database, stop_before=later[:1])
        return _objects(database)
    finally:
        database.close()
