"""Opening the session file: who may, with which settings, and what is refused.

Everything that is checked is checked before the first byte is written, so that a file that is
not ours, is damaged, or is newer than the program stays as it was.
"""

from __future__ import annotations

import contextlib
import os
import stat
import time
from pathlib import Path
from typing import Any

from sqlite_utils import Database, utils

from sessions.errors import StoreError, explained, is_busy
from sessions.migrations import APPLICATION_ID, SCHEMA_VERSION, STEPS, migrations

sqlite3 = utils.sqlite3  # type: ignore[attr-defined]
"""The SQLite that sqlite-utils uses; a newer build has exception classes of its own."""

BUSY_SECONDS = 5.0
"""How long to wait for another program that is writing."""

_OLDEST = (3, 38, 0)
"""The first SQLite with strict tables and the ``->>`` of the ``decisions`` view."""

_MAGIC = b"SQLite format 3\x00"

_PRAGMAS = (
    "synchronous=FULL",
    "fullfsync=ON",
    "checkpoint_fullfsync=ON",
    "foreign_keys=ON",
    "trusted_schema=OFF",
    "cell_size_check=ON",
    "mmap_size=0",
    "journal_size_limit=67108864",
    "temp_store=MEMORY",
)


def open_writer(path: Path) -> tuple[Database, tuple[str, ...]]:
    """The file's writing connection, made or brought up to date, and what the person should know.

    Raises StoreError. The connection belongs to the calling thread.
    """
    try:
        _create(path)
        warnings = _guard(path, tighten=True)
        database = _connect(path, "rw")
        try:
            _refuse_foreign(database, path)
            warnings += _write_ahead(database, path)
            for pragma in _PRAGMAS:
                database.execute(f"PRAGMA {pragma}")
            _bring_up_to_date(database)
        except BaseException:
            database.close()
            raise
    except (sqlite3.Error, OSError) as error:
        raise explained(error, path) from error
    return database, warnings


def open_reader(path: Path) -> Database:
    """A connection that can only read; raises StoreError or sqlite3.Error."""
    database = _connect(path, "ro")
    database.execute("PRAGMA trusted_schema=OFF")
    return database


def check_reader(path: Path) -> None:
    """Refuse a file that cannot be read as sessions; raises StoreError."""
    try:
        _guard(path, tighten=False)
        database = open_reader(path)
        try:
            _refuse_foreign(database, path)
            if migrations.pending(database):
                raise StoreError(f"{path} holds no sessions yet.")
        finally:
            database.close()
    except FileNotFoundError as error:
        raise StoreError(f"There is no session file {path}.") from error
    except (sqlite3.Error, OSError) as error:
        raise explained(error, path) from error


def _create(path: Path) -> None:
    """Make the folder and an empty file for this user only, where there are none."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise StoreError(
            f"The folder {path.parent} for the session file cannot be made: {error.strerror}. "
            "Choose another file with --db."
        ) from error
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def _guard(path: Path, *, tighten: bool) -> tuple[str, ...]:
    """Refuse what is not this user's own plain SQLite file."""
    found = path.lstat()
    if stat.S_ISLNK(found.st_mode):
        raise StoreError(f"{path} is a symbolic link; name the session file itself with --db.")
    if not stat.S_ISREG(found.st_mode):
        raise StoreError(f"{path} is not a file; name a session file with --db.")
    if hasattr(os, "getuid") and found.st_uid != os.getuid():
        raise StoreError(f"{path} belongs to another user; copy it, or choose another with --db.")
    with path.open("rb") as file:
        start = file.read(len(_MAGIC))
    if start and start != _MAGIC:
        raise StoreError(f"{path} is not a session file: it is not an SQLite database.")
    if tighten and found.st_mode & 0o077:
        path.chmod(0o600)
        return (f"{path} could be read by others; now it is yours alone.",)
    return ()


def _connect(path: Path, mode: str) -> Database:
    if sqlite3.sqlite_version_info < _OLDEST:
        raise StoreError(
            f"This Python brings SQLite {sqlite3.sqlite_version}, and "
            f"{'.'.join(map(str, _OLDEST))} is needed; `pip install pysqlite3` brings a newer one."
        )
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=BUSY_SECONDS,
        isolation_level=None,
    )
    return Database(connection, execute_plugins=False)


def _refuse_foreign(database: Database, path: Path) -> None:
    """Refuse a newer file, another program's, and a damaged one."""
    applied = {migration.name for migration in migrations.applied(database)}
    known = {step.__name__ for step in STEPS}
    if _pragma(database, "user_version") > SCHEMA_VERSION or applied - known:
        raise StoreError(
            f"The session file {path} was written by a newer version of this program. "
            "Update the program, or choose another file with --db."
        )
    # Tables first: another program of ours may be making the file just now, all in one step.
    if database.table_names() and _pragma(database, "application_id") != APPLICATION_ID:
        raise StoreError(f"{path} is another program's database; choose another with --db.")
    if _pragma(database, "quick_check(1)") != "ok":
        raise StoreError(
            f"The session file {path} is damaged and was left as it is. Restore it from a "
            "backup, or choose another with --db."
        )


def _pragma(database: Database, name: str) -> Any:
    return database.execute(f"PRAGMA {name}").fetchone()[0]


def _write_ahead(database: Database, path: Path) -> tuple[str, ...]:
    """Switch to a write-ahead log; where the file system has none, say so and do without."""
    # Several programs that open a new file at once all switch it, and SQLite does not wait here.
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            mode = _pragma(database, "journal_mode=WAL")
            break
        except sqlite3.OperationalError as error:
            if not is_busy(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
    if mode == "wal":
        return ()
    _pragma(database, "journal_mode=DELETE")
    return (f"The file system of {path} allows no write-ahead log; recording is slower.",)


def _bring_up_to_date(database: Database) -> None:
    """Apply what is missing, all of it or nothing, while no other program can."""
    if not migrations.pending(database):
        return
    database.execute("BEGIN IMMEDIATE")
    try:
        migrations.apply(database)
        database.execute(f"PRAGMA application_id={APPLICATION_ID}")
        database.execute(f"PRAGMA user_version={SCHEMA_VERSION}")
        database.execute("COMMIT")
    except BaseException:
        if database.conn.in_transaction:
            database.execute("ROLLBACK")
        raise
