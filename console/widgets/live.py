"""The answer that is being written: the one Markdown widget of the transcript, kept small.

A Markdown widget is laid out whole whenever something is added. So only the paragraph or list item
that still grows is in it; what is finished stands above it as it will stand when the answer is
whole.

The screen is laid out only where a line more is needed, and once: Textual lays it out again after
each widget whose virtual size changed, which nothing here has a use for.
"""

from __future__ import annotations

import re

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Size
from textual.reactive import Reactive
from textual.visual import VisualType
from textual.widgets import Markdown
from textual.widgets._markdown import MarkdownParagraph  # the public module leaves it out
from textual.widgets.markdown import MarkdownBlock

from console.widgets.plain import LONGEST
from console.widgets.prose import Prose, last_part
from sessions.cleaning import clean

PAGE = 1_200
"""Characters of finished words in one widget: what is added must not wrap all the rest anew."""

_BULLET = re.compile(r"\A[-*+] (?=\S)")
"""What a list item of one line begins with."""


class GrowingParagraph(MarkdownParagraph):
    """A paragraph that is laid out anew only when it gets another line."""

    virtual_size: Reactive[Size] = Reactive(Size(0, 0), layout=False)

    def update(self, content: VisualType = "", *, layout: bool = True) -> None:
        """Show other words."""
        if isinstance(content, Content) and (width := self.content_size.width):
            layout &= content.get_height({}, width) != self.content_size.height
        super().update(content, layout=layout)


class GrowingPart(Markdown):
    """The paragraph, item or other block that is being written."""

    virtual_size: Reactive[Size] = Reactive(Size(0, 0), layout=False)

    def get_block_class(self, block_name: str) -> type[MarkdownBlock]:
        """Paragraphs are our own."""
        if block_name == "paragraph_open":
            return GrowingParagraph
        return super().get_block_class(block_name)


class LiveAnswer(Vertical):
    """Grows by a few words at a time; replaced by one static text when the answer is whole."""

    DEFAULT_CSS = """
    LiveAnswer {
        height: auto;
        .-apart { margin-top: 1; }
        Markdown { padding: 0; background: transparent; }
        Markdown > MarkdownBlock { margin: 0; }
        Markdown MarkdownBullet { color: $primary; text-style: none; }
        MarkdownBlock > .code_inline { color: $text-accent; background: transparent; }
    }
    """

    virtual_size: Reactive[Size] = Reactive(Size(0, 0), layout=False)

    def __init__(self) -> None:
        """Empty, and with links that show but do not open."""
        super().__init__(classes="row -agent -live")
        self._tail = GrowingPart(open_links=False)
        self._growing = ""
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
            await self._show_growing()
            return
        with self.app.batch_update():
            finished, self._growing = self._growing[:start], self._growing[start:]
            await self._settle(finished)
            self._tail.set_class(apart, "-apart")
            await self._show_growing()

    async def _show_growing(self) -> None:
        """Add to what the growing part shows, or show another part in it.

        An item is shown as a paragraph with its mark: a list would be mounted anew each time.
        """
        now, before = _BULLET.sub("• ", self._growing, count=1), self._tail.source
        if before and now.startswith(before):
            await self._tail.append(now.removeprefix(before))
        else:
            await self._tail.update(now)

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
