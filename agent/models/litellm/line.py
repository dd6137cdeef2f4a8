"""The line to a provider: how much may come over it, and what is known of what came.

A server can send a hundred thousand pieces that mean nothing, or a kilobyte that unpacks to a
gigabyte, so everything is counted before anything is made of it.
"""

from __future__ import annotations

import re
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Literal

MOST_BYTES = 32_000_000
"""Of one response, unpacked."""

MOST_PIECES = 200_000
"""Lines of one response: an event and the blank line after it are two."""

MOST_EMPTY = 40_000
"""Lines in a row of which nothing became part of an answer."""

EMPTY_AFTER_ALL = 10
"""Lines that may well follow the last words: a blank one, a comment."""

LONGEST_PIECE = 600_000
"""Bytes of one line; a call's arguments may come in one piece."""

MOST_BRACKETS = 600
"""Objects and lists that begin in one line: each is made into several, all at once."""

LONGEST_ERROR = 8_000
"""Bytes that are read of a response that is no answer; what it says stands at its beginning."""

MOST_HOPS = 3
"""Redirects that are followed, within one origin."""

KEPT = 4_000
"""Bytes that are remembered of a response's beginning, and of its end."""

COMPARED = 30
"""Letters by which words are recognised as the server's own."""

Reason = Literal[
    "bytes", "pieces", "empty", "long piece", "crowded piece", "packed", "redirect", "redirects"
]
Failed = Literal["silent", "unreachable", "hung up", "unreadable"]


class Stopped(Exception):
    """A response was stopped on the way; the line says why."""


@dataclass(slots=True)
class Line:
    """One request and its response, while they last."""

    status: int | None = None
    """HTTP's, once there is one."""

    kind: str = ""
    """The content type, as the server calls it."""

    stopped: Reason | None = None
    """Why no more was taken from it."""

    failed: Failed | None = None
    """Why there was no response."""

    towards: str = ""
    """The address that a redirect led to, where it was not followed."""

    hops: int = 0
    """Redirects so far."""

    _opening: bytearray = field(default_factory=bytearray)
    _closing: bytes = b""
    _bytes: int = 0
    _pieces: int = 0
    _empty: int = 0
    _piece: int = 0
    _brackets: int = 0

    @property
    def opening(self) -> bytes:
        """How the response begins."""
        return bytes(self._opening).lstrip()

    @property
    def length(self) -> int:
        """Bytes of the response so far."""
        return self._bytes

    @property
    def is_empty(self) -> bool:
        """Whether lines came since something last became part of an answer."""
        return self._empty > EMPTY_AFTER_ALL

    def begin(self, status: int, kind: str) -> None:
        """A response begins; of a redirect before it nothing is kept."""
        self.status, self.kind = status, kind.lower()
        self._opening, self._closing = bytearray(), b""
        self._bytes = self._pieces = self._piece = self._brackets = self._empty = 0

    def stop(self, why: Reason) -> Stopped:
        """The exception that ends the response; the first reason stands."""
        self.stopped = self.stopped or why
        return Stopped(why)

    def count(self, segment: bytes) -> None:
        """Take note of a line, or a part of one; raises Stopped."""
        if len(self._opening) < KEPT:
            self._opening += segment[: KEPT - len(self._opening)]
        self._closing = (self._closing + segment)[-KEPT:]
        self._bytes += len(segment)
        self._piece += len(segment)
        self._brackets += segment.count(b"{") + segment.count(b"[")
        if self._piece > LONGEST_PIECE:
            raise self.stop("long piece")
        if self._brackets > MOST_BRACKETS and self.status == 200:
            raise self.stop("crowded piece")
        if segment.endswith((b"\n", b"\r")):
            self._piece = self._brackets = 0
            self._pieces += 1
            self._empty += 1
        if self._bytes > MOST_BYTES:
            raise self.stop("bytes")
        if self._pieces > MOST_PIECES:
            raise self.stop("pieces")
        if self._empty > MOST_EMPTY:
            raise self.stop("empty")

    def gave_something(self) -> None:
        """What came last became part of an answer."""
        self._empty = 0

    def has_sent(self, words: str) -> bool:
        """Whether words are the server's own, by the beginning and the end of what it sent."""
        wanted = _letters(words)[:COMPARED]
        heard = self._opening.decode("utf-8", "replace") + self._closing.decode("utf-8", "replace")
        return bool(wanted) and wanted in _letters(_UNICODE.sub(_character, heard))


LINE: ContextVar[Line | None] = ContextVar("line", default=None)
"""The line of the request that is being made."""

_UNICODE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|[nrtbf])")


def _character(found: re.Match[str]) -> str:
    return chr(int(found[1], 16)) if found[1] else " "


def _letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()
