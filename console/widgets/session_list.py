"""The recorded sessions that match a search; only visible lines are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.visual import Visual

from console.widgets.plain import hanging, shorten_and_clean
from console.widgets.session_row import excerpt_line, row_line

if TYPE_CHECKING:
    from sessions.store.finding import SearchResult
    from sessions.store.listing import SessionRow

AHEAD = 1
"""How many heights of the list must remain below the visible part before more is requested."""


class SessionList(ScrollView, can_focus=True):
    """A virtual list that requests more sessions before the user reaches its end."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"session-list--highlighted"}
    ALLOW_SELECT: ClassVar[bool] = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", "Up", show=False),
        Binding("down,j", "move(1)", "Down", show=False),
        Binding("pageup", "page(-1)", "Page up", show=False),
        Binding("pagedown", "page(1)", "Page down", show=False),
        Binding("home", "edge(0)", "First", show=False),
        Binding("end", "edge(1)", "Last", show=False),
    ]

    highlighted: reactive[int | None] = reactive(None)

    @dataclass
    class Highlighted(Message):
        """Another session is highlighted, or none because the list is empty."""

        row: SessionRow | None

    class Chosen(Message):
        """The highlighted session was double-clicked."""

    class NearEnd(Message):
        """The list needs the next page, if there is one."""

    def __init__(self) -> None:
        """Start with an empty list."""
        super().__init__(id="found")
        self._found: list[SearchResult] = []
        self._lines_each = 1
        self._marked: str | None = None
        self._empty = ""

    @property
    def row(self) -> SessionRow | None:
        """The highlighted session."""
        return None if self.highlighted is None else self._found[self.highlighted].row

    @property
    def rows(self) -> Sequence[SessionRow]:
        """All listed sessions."""
        return [each.row for each in self._found]

    def show(
        self, found: Sequence[SearchResult], empty: str, *, excerpts: bool, keep: str = ""
    ) -> None:
        """List the sessions or, if there are none, show the sentence `empty`.

        With `excerpts`, each session has a second line with the text that matched. The session
        `keep` is highlighted if it is listed, or else the first one.
        """
        self._found = list(found)
        self._empty = empty
        self._lines_each = 2 if excerpts else 1
        self._resize()
        ids = [each.row.id for each in found]
        self._highlight(ids.index(keep) if keep in ids else 0)

    def extend(self, found: Sequence[SearchResult]) -> None:
        """Append more sessions to the list."""
        self._found += found
        self._resize()
        self.look_ahead()

    def forget(self, session: str) -> None:
        """Remove a session from the list, and highlight the one that follows it."""
        place = self.highlighted or 0
        self._found = [each for each in self._found if each.row.id != session]
        self._resize()
        self._highlight(place)

    def mark(self, session: str | None) -> None:
        """Mark a session, or remove the mark."""
        self._marked = session
        self.refresh()

    def action_move(self, rows: int) -> None:
        """Move the highlight up or down."""
        if self.highlighted is not None:
            self.highlighted = min(max(self.highlighted + rows, 0), len(self._found) - 1)

    def action_page(self, pages: int) -> None:
        """Move the highlight by as many sessions as are visible."""
        self.action_move(pages * max(1, self._height // self._lines_each - 1))

    def action_edge(self, last: int) -> None:
        """Highlight the first session, or the last one listed so far."""
        self.action_move(len(self._found) * (1 if last else -1))

    def watch_highlighted(self) -> None:
        """Scroll to the highlighted session, and post the change."""
        if self.highlighted is None:
            return
        each = self._lines_each
        region = Region(0, self.highlighted * each, 1, each)
        self.scroll_to_region(region, animate=False, force=True)
        self.refresh()
        self.post_message(self.Highlighted(self.row))
        self.look_ahead()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Request more sessions if the wheel has scrolled close to the end."""
        super().watch_scroll_y(old_value, new_value)
        self.look_ahead()

    def on_resize(self) -> None:
        """Request more sessions if a taller list has room for them."""
        self.look_ahead()

    def on_click(self, event: events.Click) -> None:
        """Highlight the clicked session; choose it on a double click."""
        offset = event.get_content_offset(self)
        line = -1 if offset is None else offset.y + self.scroll_offset.y
        number = line // self._lines_each
        if 0 <= number < len(self._found):
            self.highlighted = number
            if event.chain == 2:
                self.post_message(self.Chosen())

    def render_line(self, y: int) -> Strip:
        """One line of a session, or a blank line below the last."""
        width = self.scrollable_content_region.width
        if not self._found:
            return self._sentence_line(y, width)
        number, part = divmod(y + self.scroll_offset.y, self._lines_each)
        chosen = number == self.highlighted
        style = self.get_visual_style(*(("session-list--highlighted",) if chosen else ()))
        strip = Visual.to_strips(self, self._line(number, part, width), width, 1, style)[0]
        return strip.extend_cell_length(width, style.rich_style)

    def _sentence_line(self, y: int, width: int) -> Strip:
        """One line of the sentence that replaces an empty list; the first line is blank."""
        style = self.get_visual_style()
        lines = [
            "",
            *hanging(
                str(shorten_and_clean(self._empty)), max(20, width - 2), indent=0
            ).splitlines(),
        ]
        text = Content(lines[y] if y < len(lines) else "")
        strip = Visual.to_strips(self, text, width, 1, style)[0]
        return strip.extend_cell_length(width, style.rich_style)

    def _line(self, number: int, part: int, width: int) -> Content:
        if number >= len(self._found):
            return Content("")
        found = self._found[number]
        if part:
            return excerpt_line(found.excerpt, width)
        return row_line(found.row, width, marked=found.row.id == self._marked)

    def _highlight(self, place: int) -> None:
        """Highlight a position, and post the change even if the position was highlighted before."""
        self.set_reactive(SessionList.highlighted, None)
        self.highlighted = min(place, len(self._found) - 1) if self._found else None
        if not self._found:
            self.post_message(self.Highlighted(None))

    @property
    def _height(self) -> int:
        return self.scrollable_content_region.height

    def _resize(self) -> None:
        self.virtual_size = Size(0, len(self._found) * self._lines_each)
        self.refresh()

    def look_ahead(self) -> None:
        """Request more sessions if too few are left below the visible and highlighted ones."""
        if not self._height or not self._found:
            return
        here = (self.highlighted or 0) * self._lines_each
        bottom = max(here, self.scroll_offset.y) + (1 + AHEAD) * self._height
        if bottom > len(self._found) * self._lines_each:
            self.post_message(self.NearEnd())
