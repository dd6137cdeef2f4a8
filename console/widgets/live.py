"""The answer being written, as static texts: the finished part, and the part that still grows.

Only the paragraph or list item that is still growing is laid out again with every few words. The
finished text above it already looks as it will in the complete answer. There is no Markdown widget:
it mounts a widget for each block, which costs more than the rest of streaming an answer.
"""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.geometry import Size
from textual.reactive import Reactive

from console.widgets.plain import LONGEST
from console.widgets.prose import Prose, last_part
from sessions.cleaning import clean

PAGE = 1_200
"""The characters of finished text per widget, so that new text does not rewrap all of it."""


class LiveAnswer(Vertical):
    """Grows by a few words at a time; replaced by one static text when the answer is complete."""

    DEFAULT_CSS = """
    LiveAnswer {
        height: auto;
        .-apart { margin-top: 1; }
    }
    """

    virtual_size: Reactive[Size] = Reactive(Size(0, 0), layout=False)
    """Textual lays the screen out again when this changes; nothing here scrolls, so it need not."""

    def __init__(self) -> None:
        """Start with an empty answer."""
        super().__init__(classes="row -agent -live")
        self._tail = Prose("")
        self._growing = ""
        """The source text that the tail shows."""
        self._length = 0
        self._page: Prose | None = None
        self._written = ""
        """The source text that the page shows."""

    def compose(self) -> ComposeResult:
        """Lay out the growing part; finished parts are mounted above it."""
        yield self._tail

    async def feed(self, text: str) -> None:
        """Append words; text beyond the limit is not shown until the answer is complete."""
        if self._length >= LONGEST:
            return
        words = clean(text)
        self._length += len(words)
        self._growing += words
        start, apart = last_part(self._growing)
        if start == 0:
            self._tail.write(self._growing)
            return
        with self.app.batch_update():
            finished, self._growing = self._growing[:start], self._growing[start:]
            await self._settle(finished)
            self._tail.set_class(apart, "-apart")
            self._tail.write(self._growing)

    async def _settle(self, finished: str) -> None:
        """Move finished text to the page, or to a new page if it is full."""
        if self._page is not None and len(self._written) + len(finished) <= PAGE:
            self._written += finished
            self._page.write(self._written)
            return
        self._written = finished
        self._page = Prose(finished)
        self._page.set_class(self._tail.has_class("-apart"), "-apart")
        await self.mount(self._page, before=self._tail)
