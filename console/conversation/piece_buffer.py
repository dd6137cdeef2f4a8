"""A buffer that sends pieces of an answer to the screen only a few times a second."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from agent.models.protocol import CallPiece, Piece, ReasoningPiece, TextPiece

EVERY = 0.12
"""Seconds for which words are gathered: quick to read along with, and cheap to lay out."""

PAUSE = 0.05
"""Seconds that a key press delays the layout of more words, so that its character shows first."""

LONGEST_WAIT = 0.4
"""Seconds after which words are shown, however fast the user types."""


class PieceBuffer:
    """Joins the words of an answer, and drops pieces that tell the person nothing new."""

    def __init__(self, show: Callable[[Piece | None], object]) -> None:
        """`show` is called with what is to be shown, in the order in which it came."""
        self._show = show
        self._words: list[str] = []
        self._timer: asyncio.TimerHandle | None = None
        self._latest = 0.0
        """When the waiting words must be shown at the latest, by the event loop's clock."""
        self._thinking = False

    def add(self, piece: Piece | None) -> None:
        """Take a piece, or None if the answer starts over; needs a running event loop."""
        match piece:
            case TextPiece(text):
                self._thinking = False
                self._words.append(text)
                if self._timer is None:
                    self._latest = asyncio.get_running_loop().time() + LONGEST_WAIT
                    self._flush_in(EVERY)
            case ReasoningPiece() if self._thinking:
                pass
            case CallPiece(name=None):
                pass
            case _:
                self.flush()
                self._thinking = isinstance(piece, ReasoningPiece)
                self._show(piece)

    def delay_for_key(self) -> None:
        """Let the effect of a key press show before the waiting words do."""
        if self._timer is not None:
            now = asyncio.get_running_loop().time()
            wait = min(max(self._timer.when(), now + PAUSE), self._latest) - now
            self._timer.cancel()
            self._flush_in(wait)

    def _flush_in(self, seconds: float) -> None:
        self._timer = asyncio.get_running_loop().call_later(seconds, self.flush)

    def flush(self) -> None:
        """Show the gathered words now; call this before showing anything that comes after them."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._words:
            words, self._words = "".join(self._words), []
            self._show(TextPiece(words))
