"""Read the session file for the browser.

The methods of :class:`SessionFile` block and are called in a thread unless they say otherwise.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from console.browser.session_query import Known
from sessions.cleaning import clean
from sessions.store.errors import StoreError
from sessions.store.finding import Page, SessionFilter, find
from sessions.store.store import Store
from sessions.store.values import values

PAGE = 50
"""Sessions read at once."""


@dataclass(frozen=True, slots=True)
class PageRequest:
    """The request for a page; ``before`` is as in :func:`sessions.store.finding.find`."""

    wanted: SessionFilter
    before: int | None = None
    limit: int = PAGE
    keep: str = ""
    """The session that stays highlighted if it is still listed."""


class SessionFile:
    """A session file that is opened and checked once, when its first page is read."""

    def __init__(self, path: Path) -> None:
        """Remember the path; no file is opened or created yet."""
        self.path = path
        self._opened: Store | None = None
        self._warnings: tuple[str, ...] = ()

    def page(self, asked: PageRequest) -> Page:
        """A page as :func:`sessions.store.finding.find` returns it; raises StoreError."""
        if not self.path.exists():
            return Page((), None)
        return find(self._store, asked.wanted, limit=asked.limit, before=asked.before)

    def known_values(self) -> Known:
        """The values to choose from, without those that cannot be typed; raises StoreError."""
        found = values(self._store) if self.path.exists() else {}
        return {name: tuple(filter(_is_typed, several)) for name, several in found.items()}

    def delete(self, session: str) -> None:
        """Delete a session for good; raises StoreError."""
        with Store.open(self.path) as store:
            store.delete(session)

    def new_warnings(self) -> tuple[str, ...]:
        """The warnings about the file that were not shown yet; does not block."""
        warnings, self._warnings = self._warnings, ()
        return warnings

    @property
    def _store(self) -> Store:
        if self._opened is None:
            self._opened = Store.open(self.path, read_only=True)
            self._warnings = self._opened.warnings
        return self._opened


class Reader:
    """Reads one page at a time; of several requests made meanwhile, it serves only the last.

    So a user who types faster than pages are read keeps at most one thread busy, and the page shown
    at the end is the one that the line asks for.
    """

    def __init__(self, file: SessionFile) -> None:
        """Begin without a request."""
        self._file = file
        self._asked: PageRequest | None = None
        self.busy = False

    def ask(self, asked: PageRequest) -> bool:
        """Replace the pending request; return whether the caller has to start :meth:`read`."""
        idle, self.busy = not self.busy, True
        self._asked = asked
        return idle

    async def read(self, show: Callable[[PageRequest, Page, str], None]) -> None:
        """Read in a thread while requests are pending, and give `show` the page or a sentence."""
        try:
            while (asked := self._asked) is not None:
                self._asked = None
                page, fault = await asyncio.to_thread(self._page, asked)
                if self._asked is None:
                    show(asked, page, fault)
        finally:
            self.busy = False

    def _page(self, asked: PageRequest) -> tuple[Page, str]:
        try:
            return self._file.page(asked), ""
        except Exception as error:
            return Page((), None), as_text(error)


def _is_typed(value: str) -> bool:
    return value.isprintable() and clean(value) == value


def as_text(error: Exception) -> str:
    """Why the file cannot be read, as a sentence; an unforeseen error is also written to a file."""
    from console import crash

    return str(error) if isinstance(error, StoreError) else crash.record_crash(error)
