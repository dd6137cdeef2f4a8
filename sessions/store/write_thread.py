"""The one connection that writes, and the one thread that may use it."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from sessions.store.database import SQLITE_ERRORS, open_writer, sqlite3
from sessions.store.errors import NewerFile, StoreError, explain
from sessions.store.schema import SCHEMA_VERSION
from sessions.store.schema_check import version_of
from sessions.store.without_pandas import Database

T = TypeVar("T")


class Writer:
    """Runs each piece of work in its own transaction, in the order of submission."""

    def __init__(self, path: Path) -> None:
        """Open the file, or raise StoreError."""
        self._path = path
        self._closed = False
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="saber-store")
        try:
            self._database, self.warnings = self._thread.submit(open_writer, path).result()
        except BaseException:
            self._thread.shutdown()
            raise
        self._name = str(path)
        self._file = _identity(self._name)
        self._wal_path = f"{path}-wal"
        self._ahead_file: tuple[int, int] | None = None

    def submit(self, work: Callable[[Database], T]) -> Future[T]:
        """Queue work; its future is done once the work is durable, or rolled back and failed."""
        try:
            return self._thread.submit(self._transaction, work)
        except RuntimeError as error:
            raise StoreError(f"The session file {self._path} has been closed.") from error

    def close(self) -> None:
        """Finish the queued work, checkpoint the write-ahead log, and close the file."""
        if not self._closed:
            self._closed = True
            self._thread.submit(self._let_go).result()
            self._thread.shutdown()

    def _transaction(self, work: Callable[[Database], T]) -> T:
        connection = self._database.conn
        self._refuse_moved()
        try:
            connection.execute("BEGIN IMMEDIATE")
            self._refuse_lost_wal()
            self._refuse_migrated()
            result = work(self._database)
            connection.execute("COMMIT")
        except BaseException as error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            if isinstance(error, SQLITE_ERRORS):
                raise explain(error, self._path) from error
            raise
        return result

    def _refuse_moved(self) -> None:
        """Raise StoreError if the file was moved, replaced, or deleted.

        SQLite would go on writing to a file that can no longer be opened.
        """
        if _identity(self._name) != self._file:
            raise StoreError(
                f"The session file {self._path} was moved, replaced or deleted while it was open. "
                "Nothing of this step was recorded; put it back, or start the program again."
            )

    def _refuse_lost_wal(self) -> None:
        """Raise StoreError if the write-ahead log was removed or replaced.

        That happens if another program does not see this program's locks.
        """
        found = _identity(self._wal_path)
        if self._ahead_file is None:
            self._ahead_file = found
        elif found != self._ahead_file:
            raise StoreError(
                f"Nothing more can be recorded in the session file {self._path}: its write-ahead "
                "log was removed or replaced while it was open. Nothing of this step was "
                "recorded; start the program again."
            )

    def _refuse_migrated(self) -> None:
        """Raise NewerFile if a newer program has migrated the file.

        The redundant data that this program writes beside the logs would then be incomplete.
        """
        if version_of(self._database) != SCHEMA_VERSION:
            raise NewerFile(
                f"A newer version of this program has upgraded {self._path} while it was open "
                "here. Nothing of this step was recorded; start the program again."
            )

    def _let_go(self) -> None:
        # Housekeeping only: everything acknowledged is already on disk, and this may well fail
        # because another program is using the file or the disk is full.
        try:
            with contextlib.suppress(sqlite3.Error):
                self._database.execute("PRAGMA optimize")
                self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        finally:
            self._database.close()


def _identity(path: str) -> tuple[int, int] | None:
    """The device and inode of the file at the path; None if there is none."""
    try:
        found = os.stat(path)  # noqa: PTH116  # runs before every write: a Path costs as much again
    except OSError:
        return None
    return found.st_dev, found.st_ino
