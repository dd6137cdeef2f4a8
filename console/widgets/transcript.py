"""The transcript: a bounded window over the items of the session, however long it is.

About fifty items are mounted. Scrolling to the top loads older ones and unmounts the newest;
scrolling back down does the reverse.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from textual.containers import VerticalScroll
from textual.geometry import Offset, Size
from textual.reactive import Reactive
from textual.widget import Widget

from console.widgets.live import LiveAnswer
from console.widgets.rows import FoldedRow, row_for
from sessions.views import AgentWords, CustomerWords, Item

WINDOW = 40
"""The number of items mounted while the end is visible."""

STEP = 25
"""The number of items loaded at once when scrolling; up to WINDOW + STEP are then mounted."""


class TranscriptView(VerticalScroll):
    """Shows what was said and done, oldest first, and stays at the end."""

    HELP = """\
## Conversation

What you and the agent said, one quiet line for each look-up, one row for each decided card.
**Enter** or a click opens a line. **Page up** and **page down** scroll.
"""
    BINDING_GROUP_TITLE = "Conversation"

    virtual_size: Reactive[Size] = Reactive(Size(0, 0), layout=False)
    """Textual lays the screen out again when this changes; here only a resize requires that."""

    def __init__(self) -> None:
        """Start empty."""
        super().__init__(id="transcript", can_focus=False)
        self._items: list[Item] = []
        self._first = 0
        self._last = 0
        """The mounted items are ``_items[_first:_last]``."""
        self._live: LiveAnswer | None = None
        self._loading = False

    def on_mount(self) -> None:
        """Stay at the end while items are added, unless the user scrolls up."""
        self.anchor()

    def on_resize(self) -> None:
        """Lay out again, since Textual positions the end by the height before the resize."""
        self.refresh(layout=True)
        self.call_after_refresh(self.vertical_scrollbar.refresh)

    @property
    def scroll_offset(self) -> Offset:
        """The scroll offset, but never negative.

        Textual keeps the content of an anchored container at its bottom; a transcript that does not
        fill its space starts at the top instead.
        """
        return Offset(int(self.scroll_x), max(0, int(self.scroll_y)))

    @property
    def rows(self) -> list[Widget]:
        """The mounted rows in order, without the running answer."""
        return [child for child in self.children if child is not self._live]

    async def fill(self, items: Sequence[Item]) -> None:
        """Show the end of a session that is being resumed."""
        self._items = list(items)
        await self.go_to_end()

    async def go_to_end(self) -> None:
        """Show the latest items, and stay at the end."""
        if self._last < len(self._items):
            await self.remove_children(self.rows)
            self._last = len(self._items)
            self._first = max(0, self._last - WINDOW)
            rows = [row_for(item) for item in self._items[self._first :]]
            await self.mount_all(rows, before=self._live)
            self._show_newer_count()
        await self._trim_head()
        self.anchor()

    async def add(self, item: Item) -> None:
        """Append an item and mount it, unless a user further up already has a full window.

        That user sees a count of newer items instead. The customer's own message always goes to the
        end.
        """
        at_end = self._last == len(self._items)
        room = self.is_vertical_scroll_end or self._last - self._first < WINDOW + STEP
        self._items.append(item)
        with self.app.batch_update():
            if isinstance(item, (AgentWords, CustomerWords)):
                await self.drop_live()
            if at_end and room and self.is_attached:  # the app may have closed meanwhile
                await self.mount(row_for(item), before=self._live)
                self._last = len(self._items)
                if self.is_vertical_scroll_end:
                    await self._trim_head()
        if isinstance(item, CustomerWords):
            await self.go_to_end()
        self._show_newer_count()

    async def stream(self, text: str) -> None:
        """Append words to the running answer."""
        if self._live is None:
            self._live = LiveAnswer()
            await self.mount(self._live)
        await self._live.feed(text)

    async def drop_live(self) -> None:
        """Remove the running answer, which is complete, abandoned or starting over."""
        live, self._live = self._live, None
        if live is not None:
            await live.remove()

    def open_latest(self) -> None:
        """Open or close the last row that can be opened."""
        folded = [row for row in self.rows if isinstance(row, FoldedRow)]
        if folded:
            folded[-1].action_turn()

    def watch_scroll_y(self, old: float, new: float) -> None:
        """Load more items at either edge."""
        super().watch_scroll_y(old, new)
        if self._loading or old == new:
            return
        if new <= 0 and self._first > 0:
            self._load(self._load_older)
        elif new >= self.max_scroll_y and self._last < len(self._items):
            self._load(self._load_newer)

    def _load(self, load: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self._loading = True
        self.run_worker(load(), group="window", exclusive=True)

    async def _load_older(self) -> None:
        """Prepend a step, unmount the newest rows, and keep the visible rows in place."""
        self.release_anchor()
        kept, first = self.rows[0], max(0, self._first - STEP)
        await self.mount_all([row_for(item) for item in self._items[first : self._first]], before=0)
        self._first = first
        surplus = (self._last - self._first) - (WINDOW + STEP)
        if surplus > 0:
            await self.remove_children(self.rows[-surplus:])
            self._last -= surplus
        self._show_newer_count()
        self.call_after_refresh(self._hold, kept, 0)

    async def _load_newer(self) -> None:
        """Append a step, unmount the oldest rows, and keep the visible rows in place."""
        self.release_anchor()
        kept, last = self.rows[-1], min(len(self._items), self._last + STEP)
        above = kept.virtual_region.y - self.scroll_y
        newer = [row_for(item) for item in self._items[self._last : last]]
        await self.mount_all(newer, before=self._live)
        self._last = last
        surplus = (self._last - self._first) - (WINDOW + STEP)
        if surplus > 0:
            await self.remove_children(self.rows[:surplus])
            self._first += surplus
        self._show_newer_count()
        self.call_after_refresh(self._hold, kept, above)

    def _hold(self, row: Widget, above: float) -> None:
        """Scroll so that a row is as far below the top as it was before."""
        self.scroll_to(y=row.virtual_region.y - above, animate=False, force=True, immediate=True)
        self._loading = False

    async def _trim_head(self) -> None:
        """Unmount the oldest rows down to WINDOW; only called while the user is at the end."""
        surplus = (self._last - self._first) - WINDOW
        if surplus > 0:
            await self.remove_children(self.rows[:surplus])
            self._first += surplus

    def _show_newer_count(self) -> None:
        newer = len(self._items) - self._last
        self.border_subtitle = f"{newer} newer ↓" if newer else ""
