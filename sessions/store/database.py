"""Open the session file: check access, apply settings, and refuse unsuitable files.

All checks run before the first byte is written, so that a file that is not ours, is damaged, or is
newer than the program remains unchanged.
"""

from __future__ import annotations

import contextlib
import os
import stat
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sessions.store import rebuilding
from sessions.store.errors import NewerFile, StoreError, explain, is_busy
from sessions.store.folders import make_private
from sessions.store.schema import APPLICATION_ID, SCHEMA_VERSION, migrations
from sessions.store.schema_check import is_newer, refuse_foreign, version_of
from sessions.store.without_pandas import Database, utils

sqlite3 = utils.sqlite3  # type: ignore[attr-defined]
"""The SQLite module that sqlite-utils uses; a newer build has its own exception classes."""

SQLITE_ERRORS = (sqlite3.Error, UnicodeDecodeError)
"""The exceptions that an unusable file causes.

If a name in the file is damaged, SQLite's message repeats it and cannot be decoded.
"""

BUSY_SECONDS = 5.0
"""How long to wait for another program that is writing."""

MIN_SQLITE_VERSION = (3, 38, 0)
"""The first SQLite with strict tables and the ``->>`` of the ``decisions`` view."""

_SMALLEST = 512
"""Bytes of the smallest page, and so of the smallest database."""

MAX_CHECKED_BYTES = 32 * 1024 * 1024
"""Files up to this many bytes are checked whenever they are opened, at about 1 ms per megabyte."""


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
    """Open the file's writing connection, creating or migrating the file, and collect warnings.

    Raises StoreError. The connection belongs to the calling thread.
    """
    try:
        _create(path)
        warnings = _check_file(path, tighten=True)
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
    """Open a connection that can only read; raises StoreError or SQLITE_ERRORS."""
    database = _connect(path, "ro")
    database.execute("PRAGMA trusted_schema=OFF")
    database.execute("PRAGMA temp_store=MEMORY")
    return database


def check_reader(path: Path) -> tuple[str, ...]:
    """Refuse a file that cannot be read as sessions; raises StoreError.

    Returns warnings for the user. An older file is migrated first.
    """
    try:
        _check_file(path, tighten=False)
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
    """The schema version of one of our files, which is left unchanged; raises StoreError."""
    try:
        _check_file(path, tighten=False)
        database = open_reader(path)
        try:
            refuse_foreign(database, path)
            return version_of(database)
        finally:
            database.close()
    except (*SQLITE_ERRORS, OSError) as error:
        raise explain(error, path) from error


def copy_to(path: Path, copy: Path) -> None:
    """Write a complete, compact copy to a new file owned by this user; raises StoreError."""
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
        _flush_to_disk(copy)
    except (*SQLITE_ERRORS, OSError) as error:
        copy.unlink()
        raise explain(error, copy) from error


def _flush_to_disk(copy: Path) -> None:
    """Flush a new file and its folder entry to disk, which SQLite does not do here."""
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
    """Create the folder and an empty file for this user only, if they are missing."""
    try:
        make_private(path.parent)
    except OSError as error:
        raise StoreError(
            f"The folder {path.parent} for the session file cannot be made: {error.strerror}. "
            "Choose another file with --db."
        ) from error
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def _check_file(path: Path, *, tighten: bool) -> tuple[str, ...]:
    """Refuse anything but a plain SQLite file of this user; return warnings."""
    found = path.lstat()
    if stat.S_ISLNK(found.st_mode):
        raise StoreError(f"{path} is a symbolic link; name the session file itself with --db.")
    if not stat.S_ISREG(found.st_mode):
        raise StoreError(f"{path} is not a file; name a session file with --db.")
    if hasattr(os, "getuid") and found.st_uid != os.getuid():
        raise StoreError(f"{path} belongs to another user; copy it, or choose another with --db.")
    if 0 < found.st_size < _SMALLEST:  # SQLite would take it for an empty one
        raise StoreError(f"{path} is not a session file: it is not an SQLite database.")
    # Only SQLite may open the file: closing any handle of ours on it would release every POSIX
    # lock that this process holds on it, and others would consider it abandoned.
    if tighten and found.st_mode & 0o077:
        path.chmod(0o600)
        return (f"{path} could be read by other users; now only you can read it.",)
    return ()


def _connect(path: Path, mode: str) -> Database:
    if sqlite3.sqlite_version_info < MIN_SQLITE_VERSION:
        raise StoreError(
            f"This Python has SQLite {sqlite3.sqlite_version}, but "
            f"{'.'.join(map(str, MIN_SQLITE_VERSION))} is needed; `pip install pysqlite3` "
            "installs a newer one."
        )
    # A file in a read-only folder does not change if it has no write-ahead log beside it; without
    # ``immutable``, SQLite would need to create such a log to read it.
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
    """Refuse a file whose pages are inconsistent; a large file is checked only on demand."""
    if path.stat().st_size <= MAX_CHECKED_BYTES and _pragma(database, "quick_check(1)") != "ok":
        raise StoreError(
            f"The session file {path} is damaged and was left as it is. Restore it from a "
            "backup, or choose another with --db."
        )


def _pragma(database: Database, name: str) -> Any:
    return database.execute(f"PRAGMA {name}").fetchone()[0]


def _write_ahead(database: Database, path: Path) -> tuple[str, ...]:
    """Switch to a write-ahead log; if the file system does not support one, return a warning."""
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
    return (f"The file system of {path} does not support a write-ahead log; recording is slower.",)


def _bring_up_to_date(database: Database, path: Path) -> tuple[str, ...]:
    """Apply the missing migrations, all or none, while locking out other programs."""
    if version_of(database) == SCHEMA_VERSION:
        return ()
    database.execute("BEGIN IMMEDIATE")
    try:
        before = version_of(database)  # another program may have migrated it first
        kept = _back_up(path, before) if 0 < before < SCHEMA_VERSION else None
        migrations.apply(database)
        if kept:
            rebuilding.rebuild(database)
        database.execute(f"PRAGMA application_id={APPLICATION_ID}")
        database.execute(f"PRAGMA user_version={SCHEMA_VERSION}")
        database.execute("COMMIT")
    except BaseException:
        if database.conn.in_transaction:
            database.execute("ROLLBACK")
        raise
    return (
        (f"{path} was upgraded to the current format; the file as it was is kept as {kept}.",)
        if kept
        else ()
    )


def _back_up(path: Path, version: int) -> Path:
    """Copy a file before a migration, under a name with the time and the version."""
    now = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%fZ")
    copy = path.with_name(f"{path.stem}-{now}-version-{version}{path.suffix}")
    copy_to(path, copy)
    return copy
