"""The answer that is being written: two pieces of static text, what is finished and what grows.

Only the paragraph or list item that still grows is laid out anew with each few words. What is
finished stands above it as it will stand when the answer is whole. No Markdown widget takes part:
it mounts a widget for each block, which costs more than all the rest of a streamed answer.
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
"""Characters of finished words in one widget: what is added must not wrap all the rest anew."""


class LiveAnswer(Vertical):
    """Grows by a few words at a time; replaced by one static text when the answer is whole."""

    DEFAULT_CSS = """
    LiveAnswer {
        height: auto;
        .-apart { margin-top: 1; }
    }
    """

    virtual_size: Reactive[Size] = Reactive(Size(0, 0), layout=False)
    """Textual lays the screen out again when this changes; nothing here scrolls."""

    def __init__(self) -> None:
        """Empty."""
        super().__init__(classes="row -agent -live")
        self._tail = Prose("")
        self._growing = ""
        """What the tail shows, as it was written."""
        self._length = 0
        self._page: Prose | None = None
        self._written = ""
        """What the page shows, as it was written."""

    def compose(self) -> ComposeResult:
        """What grows; what is finished is put above it."""
        yield self._tail

    async def feed(self, text: str) -> None:
        """Take in words; beyond what can be laid out, the rest waits for the whole answer."""
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
        """Put finished words on the page, or on a new one where it is full."""
        if self._page is not None and len(self._written) + len(finished) <= PAGE:
            self._written += finished
            self._page.write(self._written)
            return
        self._written = finished
        self._page = Prose(finished)
        self._page.set_class(self._tail.has_class("-apart"), "-apart")
        await self.mount(self._page, before=self._tail)
