"""Pieces of an answer on their way to the screen: a few times a second, however many come."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from agent.chat import CallPiece, Piece, ReasoningPiece, TextPiece

EVERY = 0.12
"""Seconds for which words are gathered: quick to read along with, and few enough to lay out."""


class PieceBuffer:
    """Joins the words of an answer; what means nothing new to the person goes no further."""

    def __init__(self, show: Callable[[Piece | None], object]) -> None:
        """`show` hears what is to be shown, in the order in which it came."""
        self._show = show
        self._words: list[str] = []
        self._timer: asyncio.TimerHandle | None = None
        self._thinking = False

    def add(self, piece: Piece | None) -> None:
        """A piece came, or None: the answer starts over. Needs a running event loop."""
        match piece:
            case TextPiece(text):
                self._thinking = False
                self._words.append(text)
                if self._timer is None:
                    self._timer = asyncio.get_running_loop().call_later(EVERY, self.flush)
            case ReasoningPiece() if self._thinking:
                pass
            case CallPiece(name=None):
                pass
            case _:
                self.flush()
                self._thinking = isinstance(piece, ReasoningPiece)
                self._show(piece)

    def flush(self) -> None:
        """Hand on what was gathered, now; for before anything that comes after it."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._words:
            words, self._words = "".join(self._words), []
            self._show(TextPiece(words))
