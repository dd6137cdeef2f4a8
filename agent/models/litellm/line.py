"""The line to a provider: one request with its response, and the limits on what may arrive.

A server can send a hundred thousand pieces that mean nothing, or a kilobyte that unpacks to a
gigabyte, so everything is counted before anything is done with it.
"""

from __future__ import annotations

import re
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Literal

MOST_BYTES = 32_000_000
"""Bytes of one response, unpacked."""

MOST_PIECES = 200_000
"""Lines of one response; an event and the blank line after it count as two."""

MOST_EMPTY = 40_000
"""Lines in a row that contributed nothing to an answer."""

EMPTY_AFTER_ALL = 10
"""Lines without content that are normal after the last words: a blank line, a comment."""

LONGEST_PIECE = 600_000
"""Bytes of one line; a call's arguments may arrive as one piece."""

MOST_BRACKETS = 600
"""Objects and lists in one line; each of them becomes several Python objects, all at once."""

LONGEST_ERROR = 8_000
"""Bytes that are read of an error response; its message is at the beginning."""

MOST_HOPS = 3
"""Redirects that are followed, within one origin."""

KEPT = 4_000
"""Bytes that are kept of a response's beginning, and of its end."""

COMPARED = 30
"""Letters that are compared to recognise words as the server's own."""

Reason = Literal[
    "bytes", "pieces", "empty", "long piece", "crowded piece", "packed", "redirect", "redirects"
]
Failed = Literal["silent", "unreachable", "hung up", "unreadable"]


class Stopped(Exception):
    """A response was stopped on the way; the line says why."""


@dataclass(slots=True)
class Line:
    """One request and its response, for as long as they last."""

    status: int | None = None
    """The HTTP status, once there is one."""

    kind: str = ""
    """The content type, as the server calls it."""

    stopped: Reason | None = None
    """Why no more of the response was read."""

    failed: Failed | None = None
    """Why there was no response."""

    towards: str = ""
    """The target address of a redirect that was not followed."""

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
        """The first bytes of the response."""
        return bytes(self._opening).lstrip()

    @property
    def length(self) -> int:
        """Bytes of the response so far."""
        return self._bytes

    @property
    def is_empty(self) -> bool:
        """Whether more than a few lines have arrived since something last joined the answer."""
        return self._empty > EMPTY_AFTER_ALL

    def begin(self, status: int, kind: str) -> None:
        """Start a response, and forget any redirect before it."""
        self.status, self.kind = status, kind.lower()
        self._opening, self._closing = bytearray(), b""
        self._bytes = self._pieces = self._piece = self._brackets = self._empty = 0

    def stop(self, why: Reason) -> Stopped:
        """The exception that ends the response; the first reason is kept."""
        self.stopped = self.stopped or why
        return Stopped(why)

    def count(self, segment: bytes) -> None:
        """Count a line, or a part of one; raises Stopped if there are too many."""
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

    def note_progress(self) -> None:
        """Note that the latest line became part of an answer."""
        self._empty = 0

    def has_sent(self, words: str) -> bool:
        """Whether the words are the server's own, judged by the start and end of what it sent."""
        wanted = _letters(words)[:COMPARED]
        heard = self._opening.decode("utf-8", "replace") + self._closing.decode("utf-8", "replace")
        return bool(wanted) and wanted in _letters(_UNICODE.sub(_character, heard))


LINE: ContextVar[Line | None] = ContextVar("line", default=None)
"""The line of the current request."""

_UNICODE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|[nrtbf])")


def _character(found: re.Match[str]) -> str:
    return chr(int(found[1], 16)) if found[1] else " "


def _letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()
