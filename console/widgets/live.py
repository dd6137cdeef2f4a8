"""The answer that is being written: the one Markdown widget of the transcript."""

from __future__ import annotations

from textual.widgets import Markdown
from textual.widgets.markdown import MarkdownStream

from console.widgets.plain import LONGEST
from sessions.cleaning import clean

EVERY = 0.08
"""Seconds between updates, whatever the pace of the pieces: typing must stay quick meanwhile."""


class LiveAnswer(Markdown):
    """Grows piece by piece; replaced by static text when the answer is whole."""

    def __init__(self) -> None:
        """Empty, and with links that show but do not open."""
        super().__init__(classes="row -agent -live", open_links=False)
        self._pending: list[str] = []
        self._length = 0
        self._stream: MarkdownStream | None = None

    def on_mount(self) -> None:
        """Show what came, a few times a second."""
        self.set_interval(EVERY, self._flush)

    def feed(self, text: str) -> None:
        """Take in a piece; beyond what can be laid out, the rest waits for the whole answer."""
        if self._length < LONGEST:
            self._pending.append(clean(text))
            self._length += len(text)

    async def _flush(self) -> None:
        if not self._pending:
            return
        piece = "".join(self._pending)
        self._pending.clear()
        if self._stream is None:  # a stream that is stopped before its first piece raises
            self._stream = self.get_stream(self)
        await self._stream.write(piece)

    async def on_unmount(self) -> None:
        """End the stream's task with the widget."""
        if self._stream is not None:
            await self._stream.stop()
