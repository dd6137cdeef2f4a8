"""The session file: append-only logs in SQLite, written by one thread and read by any.

An append is one transaction that is on disk before it returns, and costs the same however long the
log is. Recorded events never change; they can only be deleted together with their session.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Self

from sessions.events import AnyEvent, Logged, SessionStarted
from sessions.store import checking, memory_chain, origins, writing
from sessions.store.chain import Row
from sessions.store.database import SQLITE_ERRORS, check_reader, copy_to, open_reader
from sessions.store.errors import NewerFile, StoreError, explain
from sessions.store.ids import new_session_id
from sessions.store.listing import LIST, SessionRow
from sessions.store.origins import ORIGIN, UNKNOWN_ORIGIN, ForeignOrigin
from sessions.store.reading import missing, read_rows, whole_log
from sessions.store.without_pandas import Database
from sessions.store.write_thread import Writer


class Store:
    """A session file; open it with :meth:`open`, and close it."""

    def __init__(self, path: Path, writer: Writer | None, warnings: tuple[str, ...] = ()) -> None:
        """Wrap an open file; ``warnings`` are sentences for the user about this file."""
        self.path = path
        self.warnings = warnings
        self._writer = writer

    @classmethod
    def open(cls, path: Path, *, read_only: bool = False) -> Self:
        """Open a session file, creating it if there is none; raises StoreError.

        A file of an older version is migrated, and its original is kept beside it. A file of a
        newer version is opened read-only, with a warning.
        """
        if not read_only:
            try:
                writer = Writer(path)
                return cls(path, writer, writer.warnings)
            except NewerFile:
                pass  # opened as a reader below, with a warning
        return cls(path, None, check_reader(path))

    @property
    def read_only(self) -> bool:
        """Whether the file was opened without the ability to record."""
        return self._writer is None

    def close(self) -> None:
        """Finish the queued work and close the file."""
        if self._writer:
            self._writer.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self, started: SessionStarted) -> list[Logged]:
        """Begin a session; the one event returned holds its id. Raises StoreError."""
        return self.start_soon(started).result()

    def start_soon(self, started: SessionStarted) -> Future[list[Logged]]:
        """Submit :meth:`start` to the writing thread."""
        return self.submit(partial(writing.begin, new_session_id(), started))

    def fork(
        self, parent: str, at: int | None = None, changes: Sequence[AnyEvent] = ()
    ) -> list[Logged]:
        """Begin a session with another's events up to ``at``; see :func:`.forking.fork_point`.

        The fork event and then ``changes`` are recorded with it. Returns the whole log. Raises
        CannotFork, and StoreError if there is no such session or it was changed.
        """
        return self.fork_soon(parent, at, changes).result()

    def fork_soon(
        self, parent: str, at: int | None = None, changes: Sequence[AnyEvent] = ()
    ) -> Future[list[Logged]]:
        """Submit :meth:`fork` to the writing thread."""
        return self.submit(partial(writing.fork, new_session_id(), parent, at, changes))

    def append(
        self, session_id: str, events: Sequence[AnyEvent], *, after: int | None = None
    ) -> list[Logged]:
        """Record events at the end of a session's log, all or none; durable when this returns.

        ``after`` is the seq that the caller believes to be the last. Raises SessionBusy if it no
        longer is, AlreadyRecorded if an event's type and key exist already, and StoreError
        otherwise.
        """
        return self.append_soon(session_id, events, after=after).result()

    def append_soon(
        self, session_id: str, events: Sequence[AnyEvent], *, after: int | None = None
    ) -> Future[list[Logged]]:
        """Submit :meth:`append` to the writing thread; appends keep the order of submission."""
        return self.submit(partial(writing.append, session_id, events, after))

    def read(self, session_id: str) -> list[Logged]:
        """A session's whole log; raises StoreError if it is missing or was changed afterwards."""
        with self.reading() as database:
            return whole_log(database, session_id)

    def logs(self, ids: Iterable[str]) -> Iterator[list[Logged] | StoreError]:
        """Yield the whole log of each session, or the error that prevents reading it.

        One connection reads them all, from one snapshot of the file. Raises StoreError if the file
        itself cannot be read.
        """
        with self.reading() as database:
            for session_id in ids:
                try:
                    yield whole_log(database, session_id)
                except StoreError as error:
                    yield error

    def sessions(
        self,
        *,
        domain: str | None = None,
        scenario: str | None = None,
        model: str | None = None,
        status: str | None = None,
        limit: int = -1,
    ) -> list[SessionRow]:
        """The sessions that match every given filter, newest first."""
        wanted = {"domain": domain, "scenario": scenario, "model": model, "status": status}
        given = {name: value for name, value in wanted.items() if value is not None}
        where = " AND ".join(f"{name} = :{name}" for name in given) or "true"
        return self._list(f"WHERE {where} ORDER BY id DESC LIMIT :limit", {**given, "limit": limit})

    def unfinished_sessions(self, limit: int = -1) -> list[SessionRow]:
        """Sessions in which something was said and that have not ended, last used first."""
        return self._list(
            "WHERE status = 'open' AND title IS NOT NULL ORDER BY updated_at DESC LIMIT :limit",
            {"limit": limit},
        )

    def of_run(self, name: str) -> list[SessionRow]:
        """The sessions of a headless run, in the order in which they began."""
        return self._list("WHERE run = :name ORDER BY id", {"name": name})

    def family(self) -> list[SessionRow]:
        """Every session that is a fork or has one, oldest first."""
        return self._list(
            "WHERE parent IS NOT NULL OR id IN (SELECT parent FROM sessions) ORDER BY id"
        )

    def session(self, session_id: str) -> SessionRow:
        """One session as lists show it; raises StoreError if there is none."""
        found = self._list("WHERE id = :id", {"id": session_id})
        if not found:
            raise missing(session_id)
        return found[0]

    def beginning_with(self, beginning: str) -> list[SessionRow]:
        """The sessions whose ids start with this text, newest first."""
        where = "WHERE id >= :beginning AND id < :beginning || '~' ORDER BY id DESC"
        return self._list(where, {"beginning": beginning})

    def record(self, events: Sequence[AnyEvent], file: str | None = None) -> str:
        """Record a whole session at once, its start first, and return its id; raises StoreError.

        ``file`` is the name of the file that all of it came with, if any.
        """
        work = partial(writing.record, new_session_id(), events, file)
        session_id: str = self.submit(work).result()
        return session_id

    def rows(self, session_id: str) -> list[Row]:
        """A session's log as stored, every row verified; raises StoreError like :meth:`read`."""
        with self.reading() as database:
            whole_log(database, session_id)
            return list(read_rows(database, session_id))

    def import_session(self, log: Sequence[Logged], rows: Sequence[Row], file: str = "") -> bool:
        """Add another file's session under its own id; return False if it was already here.

        ``rows`` must be verified and read as ``log``; ``file`` is the other file's name. Raises
        StoreError if another session has this id.
        """
        taken: bool = self.submit(partial(writing.take_in, log, rows, file)).result()
        return taken

    def foreign_origin(self, session_id: str) -> ForeignOrigin | None:
        """The file that a session or its fork's parent came with; None if there is none."""
        with self.reading() as database:
            found = database.execute(ORIGIN, {"id": session_id}).fetchone()
        return None if found is None else ForeignOrigin(*found)

    def events_of_unknown_origin(self, session_id: str) -> int:
        """The number of a session's first events that may have come with another file.

        An older version of the program kept them without noting it. 0 if the origin is known.
        """
        with self.reading() as database:
            found = database.execute(UNKNOWN_ORIGIN, [session_id]).fetchone()
        return 0 if found is None else int(found[0])

    def settle_origin(self, session_id: str, *, here: bool) -> None:
        """Record a person's decision about a session of unknown origin; raises StoreError."""
        self.submit(partial(origins.settle, session_id, here)).result()

    def imported_digests(self) -> set[str]:
        """The digests of the imported runs, each read from its session's first events."""
        with self.reading() as database:
            found = database.execute("SELECT key FROM events WHERE seq = 2 AND type = 'imported'")
            return {key for (key,) in found}

    def delete(self, session_id: str) -> None:
        """Delete a session and its whole log for good; raises StoreError if there is none."""
        self.submit(partial(writing.delete, session_id)).result()

    def verify(self) -> list[str]:
        """Read every log and memory; return a sentence for each that is not as recorded."""
        with self.reading() as database:
            logs = checking.find_changed_logs(database)
            return [*logs, *memory_chain.find_changed_memories(database)]

    def check(self) -> list[str]:
        """Check the whole file (pages, lists, index); return a sentence for each problem.

        Logs are left to :meth:`verify`. Takes about a second for 500 MB, plus time for the text
        index.
        """
        with self.reading() as database:
            return list(checking.find_damage(database))

    def backup(self, path: Path) -> None:
        """Write a complete, compact copy to a new file owned by this user; raises StoreError."""
        copy_to(self.path, path)

    def _list(self, rest: str, values: dict[str, Any] | None = None) -> list[SessionRow]:
        with self.reading() as database:
            return [SessionRow(*row) for row in database.execute(f"{LIST} {rest}", values or {})]

    @contextmanager
    def reading(self) -> Iterator[Database]:
        """A read-only connection to one snapshot of the file; raises StoreError."""
        try:
            database = open_reader(self.path)
            try:
                database.execute("BEGIN")  # one snapshot, even while others write
                yield database
            finally:
                database.close()
        except SQLITE_ERRORS as error:
            raise explain(error, self.path) from error

    def submit(self, work: Callable[[Database], Any]) -> Future[Any]:
        """Queue one transaction's work for the writing thread; raises StoreError if read-only."""
        if self._writer is None:
            why = " ".join(self.warnings)
            raise StoreError(why or f"The session file {self.path} was opened for reading only.")
        return self._writer.submit(work)
