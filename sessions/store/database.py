"""Opening the session file: who may, with which settings, and what is refused.

Everything that is checked is checked before the first byte is written, so that a file that is
not ours, is damaged, or is newer than the program stays as it was.
"""

from __future__ import annotations

import contextlib
import os
import stat
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sessions.store import refilling
from sessions.store.errors import NewerFile, StoreError, explain, is_busy
from sessions.store.folders import make_own
from sessions.store.migrations import APPLICATION_ID, SCHEMA_VERSION, migrations
from sessions.store.schema import is_newer, refuse_foreign, version_of
from sessions.store.sqlite import Database, utils

sqlite3 = utils.sqlite3  # type: ignore[attr-defined]
"""The SQLite that sqlite-utils uses; a newer build has exception classes of its own."""

SQLITE_ERRORS = (sqlite3.Error, UnicodeDecodeError)
"""What comes of a file that cannot be used: where a name in it is damaged, the message of SQLite
that repeats it cannot be decoded."""

BUSY_SECONDS = 5.0
"""How long to wait for another program that is writing."""

OLDEST = (3, 38, 0)
"""The first SQLite with strict tables and the ``->>`` of the ``decisions`` view."""

_SMALLEST = 512
"""Bytes of the smallest page, and so of the smallest database."""

LOOKED_THROUGH = 32 * 1024 * 1024
"""Bytes up to which a file is looked through whenever it is opened, at about 1 ms a megabyte."""


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
            refuse_foreign(database, path)
            if is_newer(database):
                raise NewerFile(_newer(path))
            _refuse_damaged(database, path)
            warnings += _write_ahead(database, path)
            for pragma in _PRAGMAS:
                database.execute(f"PRAGMA {pragma}")
            warnings += _bring_up_to_date(database, path)
        except BaseException:
            database.close()
            raise
    except (*SQLITE_ERRORS, OSError) as error:
        raise explain(error, path) from error
    return database, warnings


def open_reader(path: Path) -> Database:
    """A connection that can only read; raises StoreError or SQLITE_ERRORS."""
    database = _connect(path, "ro")
    database.execute("PRAGMA trusted_schema=OFF")
    database.execute("PRAGMA temp_store=MEMORY")
    return database


def check_reader(path: Path) -> tuple[str, ...]:
    """Refuse a file that cannot be read as sessions; raises StoreError.

    Returns what the person should know. An older file is brought up to date first.
    """
    try:
        _guard(path, tighten=False)
        database = open_reader(path)
        try:
            refuse_foreign(database, path)
            if is_newer(database):
                return (_newer(path),)
            _refuse_damaged(database, path)
            version = version_of(database)
        finally:
            database.close()
        if not version:
            raise StoreError(f"{path} holds no sessions yet.")
        if version == SCHEMA_VERSION:
            return ()
        database, warnings = open_writer(path)
        database.close()
        return warnings
    except FileNotFoundError as error:
        raise StoreError(f"There is no session file {path}.") from error
    except (*SQLITE_ERRORS, OSError) as error:
        raise explain(error, path) from error


def version_at(path: Path) -> int:
    """The schema's version in a file of ours, which is left as it is; raises StoreError."""
    try:
        _guard(path, tighten=False)
        database = open_reader(path)
        try:
            refuse_foreign(database, path)
            return version_of(database)
        finally:
            database.close()
    except (*SQLITE_ERRORS, OSError) as error:
        raise explain(error, path) from error


def copy_to(path: Path, copy: Path) -> None:
    """Write a whole, compact copy to a new file of this user's own; raises StoreError."""
    try:
        os.close(os.open(copy, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except OSError as error:
        raise StoreError(f"The copy {copy} cannot be made: {error.strerror}.") from error
    try:
        database = open_reader(path)
        try:
            database.execute("VACUUM INTO ?", [str(copy)])
        finally:
            database.close()
        _make_sure(copy)
    except (*SQLITE_ERRORS, OSError) as error:
        copy.unlink()
        raise explain(error, copy) from error


def _make_sure(copy: Path) -> None:
    """Have the disk hold a new file, name and all: SQLite leaves that to us here."""
    for each in (copy, copy.parent):
        handle = os.open(each, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _newer(path: Path) -> str:
    return (
        f"The session file {path} was written by a newer version of this program, so it is open "
        "for reading only. Update the program, or choose another file with --db."
    )


def _create(path: Path) -> None:
    """Make the folder and an empty file for this user only, where there are none."""
    try:
        make_own(path.parent)
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
    if 0 < found.st_size < _SMALLEST:  # which SQLite would take for an empty one
        raise StoreError(f"{path} is not a session file: it is not an SQLite database.")
    # Its content is SQLite's alone to look at: closing any handle of ours on it would let go of
    # every lock that this process has on it (POSIX), and others would take it for abandoned.
    if tighten and found.st_mode & 0o077:
        path.chmod(0o600)
        return (f"{path} could be read by others; now it is yours alone.",)
    return ()


def _connect(path: Path, mode: str) -> Database:
    if sqlite3.sqlite_version_info < OLDEST:
        raise StoreError(
            f"This Python brings SQLite {sqlite3.sqlite_version}, and "
            f"{'.'.join(map(str, OLDEST))} is needed; `pip install pysqlite3` brings a newer one."
        )
    # Without a write-ahead log beside it a file in a folder that nobody may write to does not
    # change; SQLite would want to make one there to read it.
    log = path.with_name(f"{path.name}-wal")
    still = mode == "ro" and not os.access(path.parent, os.W_OK) and not log.exists()
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}{'&immutable=1' * still}",
        uri=True,
        timeout=BUSY_SECONDS,
        isolation_level=None,
    )
    return Database(connection, execute_plugins=False)


def _refuse_damaged(database: Database, path: Path) -> None:
    """Refuse a file whose pages do not fit; a large one is looked through on demand only."""
    if path.stat().st_size <= LOOKED_THROUGH and _pragma(database, "quick_check(1)") != "ok":
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


def _bring_up_to_date(database: Database, path: Path) -> tuple[str, ...]:
    """Apply what is missing, all of it or nothing, while no other program can."""
    if version_of(database) == SCHEMA_VERSION:
        return ()
    database.execute("BEGIN IMMEDIATE")
    try:
        before = version_of(database)  # another program may have been quicker
        kept = _keep(path, before) if 0 < before < SCHEMA_VERSION else None
        migrations.apply(database)
        if kept:
            refilling.refill(database)
        database.execute(f"PRAGMA application_id={APPLICATION_ID}")
        database.execute(f"PRAGMA user_version={SCHEMA_VERSION}")
        database.execute("COMMIT")
    except BaseException:
        if database.conn.in_transaction:
            database.execute("ROLLBACK")
        raise
    return (f"{path} was brought up to date; {kept} is what it was before.",) if kept else ()


def _keep(path: Path, version: int) -> Path:
    """Copy a file as it is before a migration, under a name that tells when and which version."""
    now = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%fZ")
    copy = path.with_name(f"{path.stem}-{now}-version-{version}{path.suffix}")
    copy_to(path, copy)
    return copy
