"""The session file as the browser reads it; every method here blocks, and is called in a thread."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from console.browser.session_query import Known
from sessions.cleaning import clean
from sessions.store.errors import StoreError
from sessions.store.finding import Page, Wanted, find
from sessions.store.store import Store
from sessions.store.values import values

PAGE = 50
"""Sessions that are read at once."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A page that is wanted; ``before`` as :func:`sessions.store.finding.find` has it."""

    wanted: Wanted
    before: int | None = None
    limit: int = PAGE
    keep: str = ""
    """The session that stays highlighted, if it is still listed."""


class SessionFile:
    """A session file that is looked through once, when its first page is read."""

    def __init__(self, path: Path) -> None:
        """Nothing is opened yet, and nothing is made where there is no file."""
        self.path = path
        self._opened: Store | None = None
        self._warnings: tuple[str, ...] = ()

    def page(self, asked: Asked) -> Page:
        """Sessions that fit, as :func:`sessions.store.finding.find`; raises StoreError."""
        if not self.path.exists():
            return Page((), None)
        return find(self._store, asked.wanted, limit=asked.limit, before=asked.before)

    def known_values(self) -> Known:
        """What can be chosen from, but for what nobody could type; raises StoreError."""
        found = values(self._store) if self.path.exists() else {}
        return {name: tuple(filter(_is_typed, several)) for name, several in found.items()}

    def delete(self, session: str) -> None:
        """Remove a session for good; raises StoreError."""
        with Store.open(self.path) as store:
            store.delete(session)

    def new_warnings(self) -> tuple[str, ...]:
        """What the person should know about the file and was not told yet; does not block."""
        warnings, self._warnings = self._warnings, ()
        return warnings

    @property
    def _store(self) -> Store:
        if self._opened is None:
            self._opened = Store.open(self.path, read_only=True)
            self._warnings = self._opened.warnings
        return self._opened


class Reader:
    """Reads one page at a time, and of several that are asked for meanwhile the last.

    So a line that is typed faster than pages are read never keeps more than one thread busy, and
    what is shown at the end is what the line asks for.
    """

    def __init__(self, file: SessionFile) -> None:
        """Nothing is asked for."""
        self._file = file
        self._asked: Asked | None = None
        self.busy = False

    def ask(self, asked: Asked) -> bool:
        """Want another page than before; returns whether :meth:`read` is to be begun."""
        idle, self.busy = not self.busy, True
        self._asked = asked
        return idle

    async def read(self, show: Callable[[Asked, Page, str], None]) -> None:
        """Read in a thread until nothing is asked for; `show` is told the page or a sentence."""
        try:
            while (asked := self._asked) is not None:
                self._asked = None
                page, fault = await asyncio.to_thread(self._page, asked)
                if self._asked is None:
                    show(asked, page, fault)
        finally:
            self.busy = False

    def _page(self, asked: Asked) -> tuple[Page, str]:
        try:
            return self._file.page(asked), ""
        except Exception as error:
            return Page((), None), as_text(error)


def _is_typed(value: str) -> bool:
    return value.isprintable() and clean(value) == value


def as_text(error: Exception) -> str:
    """Why the file cannot be read, in a sentence; what nobody foresaw is written to a file."""
    from console import crash

    return str(error) if isinstance(error, StoreError) else crash.record(error)
