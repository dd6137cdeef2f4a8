"""The session file: append-only logs in SQLite, written by one thread and read by any.

An append is one transaction that is on the disk before it returns, and costs the same however
long the log is. What was recorded is never changed; it can only be deleted session by session.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Self

from sqlite_utils import Database

from sessions.chain import COLUMNS, GENESIS, Row, chained, checked
from sessions.database import check_reader, open_reader, sqlite3
from sessions.errors import AlreadyRecorded, SessionBusy, StoreError, explained
from sessions.events import AnyEvent, Logged, SessionStarted
from sessions.ids import new_session_id
from sessions.listing import LIST, SessionRow, facts
from sessions.writer import Writer

_NAMES = ", ".join(COLUMNS)
_INSERT = f"INSERT INTO events ({_NAMES}) VALUES ({', '.join('?' * len(COLUMNS))})"
_HEAD = "SELECT head_seq, head_hash, title FROM sessions WHERE id = ?"
_OF_RUN = (
    "SELECT session_id FROM events WHERE seq = 1 AND type = 'session_started' "
    "AND payload ->> '$.run.name' = :name"
)
_READ = f"SELECT {_NAMES} FROM events WHERE session_id = ? ORDER BY seq"


class Store:
    """A session file; make one with :meth:`open`, and close it."""

    def __init__(self, path: Path, writer: Writer | None) -> None:
        self.path = path
        self._writer = writer

    @classmethod
    def open(cls, path: Path, *, read_only: bool = False) -> Self:
        """Open a session file, made where there is none; raises StoreError."""
        if read_only:
            check_reader(path)
            return cls(path, None)
        return cls(path, Writer(path))

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the person should know about this file, in sentences."""
        return self._writer.warnings if self._writer else ()

    def close(self) -> None:
        """Finish what was handed over and let the file go."""
        if self._writer:
            self._writer.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self, started: SessionStarted) -> list[Logged]:
        """Begin a session; its id is in the one event returned. Raises StoreError."""
        return self.start_soon(started).result()

    def start_soon(self, started: SessionStarted) -> Future[list[Logged]]:
        """:meth:`start`, handed to the writing thread."""
        return self._submit(partial(_begin, new_session_id(), started))

    def append(
        self, session_id: str, events: Sequence[AnyEvent], *, after: int | None = None
    ) -> list[Logged]:
        """Record events at the end of a session's log, all or none; durable when this returns.

        ``after`` is the seq that the caller holds to be the last. Raises SessionBusy where it no
        longer is, AlreadyRecorded where a type and key is there already, StoreError otherwise.
        """
        return self.append_soon(session_id, events, after=after).result()

    def append_soon(
        self, session_id: str, events: Sequence[AnyEvent], *, after: int | None = None
    ) -> Future[list[Logged]]:
        """:meth:`append`, handed to the writing thread; appends are made in the order handed in."""
        return self._submit(partial(_append, session_id, events, after))

    def read(self, session_id: str) -> list[Logged]:
        """A session's whole log; StoreError where it is missing or was changed afterwards."""
        with self._reader() as database:
            return _read(database, session_id)

    def sessions(
        self,
        *,
        domain: str | None = None,
        scenario: str | None = None,
        model: str | None = None,
        status: str | None = None,
        limit: int = -1,
    ) -> list[SessionRow]:
        """The sessions that fit every filter given, the newest first."""
        wanted = {"domain": domain, "scenario": scenario, "model": model, "status": status}
        given = {name: value for name, value in wanted.items() if value is not None}
        where = " AND ".join(f"{name} = :{name}" for name in given) or "true"
        return self._list(f"WHERE {where} ORDER BY id DESC LIMIT :limit", {**given, "limit": limit})

    def unfinished(self) -> list[SessionRow]:
        """Sessions in which something was said and that did not end, the last used first."""
        return self._list("WHERE status = 'open' AND title IS NOT NULL ORDER BY updated_at DESC")

    def of_run(self, name: str) -> list[SessionRow]:
        """The sessions of a headless run, in the order in which they began."""
        return self._list(f"WHERE id IN ({_OF_RUN}) ORDER BY id", {"name": name})

    def session(self, session_id: str) -> SessionRow:
        """One session as lists show it; StoreError where there is none."""
        found = self._list("WHERE id = :id", {"id": session_id})
        if not found:
            raise _missing(session_id)
        return found[0]

    def delete(self, session_id: str) -> None:
        """Remove a session and its whole log for good; StoreError where there is none."""
        self._submit(partial(_delete, session_id)).result()

    def verify(self) -> list[str]:
        """Read every log through; a sentence for each that was changed or cannot be read."""
        with self._reader() as database:
            rows = [SessionRow(*row) for row in database.execute(LIST)]
            return [problem for row in rows for problem in _problems(database, row)]

    def backup(self, path: Path) -> None:
        """Write a whole, compact copy to a new file of this user's own; raises StoreError."""
        try:
            path.touch(mode=0o600, exist_ok=False)
        except OSError as error:
            raise StoreError(f"The copy {path} cannot be made: {error.strerror}.") from error
        try:
            with self._reader() as database:
                database.execute("COMMIT")
                database.execute("VACUUM INTO ?", [str(path)])
        except StoreError:
            path.unlink()
            raise

    def _list(self, rest: str, values: dict[str, Any] | None = None) -> list[SessionRow]:
        with self._reader() as database:
            return [SessionRow(*row) for row in database.execute(f"{LIST} {rest}", values or {})]

    @contextmanager
    def _reader(self) -> Iterator[Database]:
        try:
            database = open_reader(self.path)
            try:
                database.execute("BEGIN")  # one moment of the file, whoever writes meanwhile
                yield database
            finally:
                database.close()
        except sqlite3.Error as error:
            raise explained(error, self.path) from error

    def _submit(self, work: Any) -> Future[Any]:
        if self._writer is None:
            raise StoreError(f"The session file {self.path} was opened for reading only.")
        return self._writer.submit(work)


def _begin(session_id: str, started: SessionStarted, database: Database) -> list[Logged]:
    ((row, logged),) = chained(session_id, [started], 0, GENESIS)
    columns = {
        "id": session_id, "created_at": row.at, "updated_at": row.at,
        "head_seq": row.seq, "head_hash": row.hash, **facts([started]),
    }  # fmt: skip
    names = ", ".join(columns)
    marks = ", ".join(f":{name}" for name in columns)
    database.execute(f"INSERT INTO sessions ({names}) VALUES ({marks})", columns)
    _insert(database, [row])
    return [logged]


def _append(
    session_id: str, events: Sequence[AnyEvent], after: int | None, database: Database
) -> list[Logged]:
    head = database.conn.execute(_HEAD, [session_id]).fetchone()
    if head is None:
        raise _missing(session_id)
    head_seq, head_hash, title = head
    if after is not None and after != head_seq:
        raise SessionBusy(
            f"Session {session_id} was continued by another program meanwhile. Open it again "
            "to go on from there."
        )
    pairs = list(chained(session_id, events, head_seq, head_hash))
    if pairs:
        _insert(database, [row for row, _ in pairs])
        _advance(database, pairs[-1][0], facts(events, title))
    return [logged for _, logged in pairs]


def _insert(database: Database, rows: Sequence[Row]) -> None:
    for row in rows:
        try:
            database.conn.execute(_INSERT, (*row.values, row.hash))
        except sqlite3.IntegrityError as error:
            if "events.key" not in str(error):
                raise
            raise AlreadyRecorded(
                f"Session {row.session_id} already holds {row.type} for {row.key}."
            ) from error


def _advance(database: Database, last: Row, told: dict[str, Any]) -> None:
    columns = {"updated_at": last.at, "head_seq": last.seq, "head_hash": last.hash, **told}
    changes = ", ".join(f"{name} = :{name}" for name in columns)
    database.conn.execute(
        f"UPDATE sessions SET {changes} WHERE id = :id", {**columns, "id": last.session_id}
    )


def _read(database: Database, session_id: str) -> list[Logged]:
    head = database.execute(_HEAD, [session_id]).fetchone()
    if head is None:
        raise _missing(session_id)
    rows = (Row(*row) for row in database.execute(_READ, [session_id]))
    return list(checked(session_id, rows, head[0], head[1]))


def _problems(database: Database, row: SessionRow) -> list[str]:
    try:
        log = _read(database, row.id)
    except StoreError as error:
        return [str(error)]
    told = facts([logged.event for logged in log])
    wrong = ", ".join(name for name, value in told.items() if getattr(row, name) != value)
    return [f"Session {row.id} is listed with another {wrong} than its log has."] * bool(wrong)


def _delete(session_id: str, database: Database) -> None:
    if not database.execute("DELETE FROM sessions WHERE id = ?", [session_id]).rowcount:
        raise _missing(session_id)


def _missing(session_id: str) -> StoreError:
    return StoreError(f"There is no session {session_id}.")
