"""A transcript that can also drop its last items, for when a replay goes back."""

from __future__ import annotations

from collections.abc import Sequence

from console.widgets.rows import row_for
from console.widgets.transcript import WINDOW, TranscriptView
from sessions.views import Item

ONE_BY_ONE = 12
"""The most items to add one by one; for more, the window is filled again."""

FEWEST = 15
"""The number of items that stay mounted when going back, to keep the screen filled.

If fewer would be left, the window is filled again.
"""


class ReplayTranscript(TranscriptView):
    """Shows what was said and done up to some moment of a session."""

    async def show(self, items: Sequence[Item]) -> None:
        """Go to another moment; the shorter list of items must be the beginning of the longer."""
        more = len(items) - len(self._items)
        if more == 0:
            return
        with self.app.batch_update():
            if 0 < more <= ONE_BY_ONE and self._last == len(self._items):
                for item in items[-more:]:
                    await self.add(item)
            elif more < 0 and len(items) - self._first >= FEWEST:
                await self._take_away(items)
            else:
                await self._refill(items)
        self.anchor()

    async def _take_away(self, items: Sequence[Item]) -> None:
        self._items = list(items)
        await self.remove_children(self.rows[len(items) - self._first :])
        self._last = min(self._last, len(items))
        self._show_newer_count()

    async def _refill(self, items: Sequence[Item]) -> None:
        self._items = list(items)
        await self.remove_children(self.rows)
        self._last = len(items)
        self._first = max(0, self._last - WINDOW)
        await self.mount_all([row_for(item) for item in self._items[self._first :]])
        self._show_newer_count()
