"""Recorded sessions that fit a search; only the lines in view are ever drawn."""

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

from console.widgets.plain import fitting, hanging
from console.widgets.session_row import excerpt_line, row_line

if TYPE_CHECKING:
    from sessions.store.finding import Found
    from sessions.store.listing import SessionRow

AHEAD = 1
"""Heights of the list that are still below when more is asked for."""


class SessionList(ScrollView, can_focus=True):
    """A virtual list that asks for more before its reader comes to the end."""

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
        """Another session is highlighted, or none because there is none."""

        row: SessionRow | None

    class Chosen(Message):
        """The highlighted session was clicked twice."""

    class NearEnd(Message):
        """What follows is wanted, where anything does."""

    def __init__(self) -> None:
        """Nothing yet."""
        super().__init__(id="found")
        self._found: list[Found] = []
        self._lines_each = 1
        self._marked: str | None = None
        self._empty = ""

    @property
    def row(self) -> SessionRow | None:
        """The session that is highlighted."""
        return None if self.highlighted is None else self._found[self.highlighted].row

    @property
    def rows(self) -> Sequence[SessionRow]:
        """All that is listed."""
        return [each.row for each in self._found]

    def show(self, found: Sequence[Found], empty: str, *, excerpts: bool, keep: str = "") -> None:
        """List these, or say that there are none in the sentence `empty`.

        With `excerpts` each has a line of what was found in it. The first is highlighted, or the
        session `keep` where it is among them.
        """
        self._found = list(found)
        self._empty = empty
        self._lines_each = 2 if excerpts else 1
        self._resize()
        ids = [each.row.id for each in found]
        self._highlight(ids.index(keep) if keep in ids else 0)

    def extend(self, found: Sequence[Found]) -> None:
        """List these as well, after the others."""
        self._found += found
        self._resize()
        self.look_ahead()

    def forget(self, session: str) -> None:
        """List a session no longer; what follows it is highlighted."""
        place = self.highlighted or 0
        self._found = [each for each in self._found if each.row.id != session]
        self._resize()
        self._highlight(place)

    def mark(self, session: str | None) -> None:
        """Mark a session, or none."""
        self._marked = session
        self.refresh()

    def action_move(self, rows: int) -> None:
        """Highlight a session further up or down."""
        if self.highlighted is not None:
            self.highlighted = min(max(self.highlighted + rows, 0), len(self._found) - 1)

    def action_page(self, pages: int) -> None:
        """As many sessions as are in view."""
        self.action_move(pages * max(1, self._height // self._lines_each - 1))

    def action_edge(self, last: int) -> None:
        """The first session, or the last that is listed so far."""
        self.action_move(len(self._found) * (1 if last else -1))

    def watch_highlighted(self) -> None:
        """Bring the session into view, and tell."""
        if self.highlighted is None:
            return
        each = self._lines_each
        region = Region(0, self.highlighted * each, 1, each)
        self.scroll_to_region(region, animate=False, force=True)
        self.refresh()
        self.post_message(self.Highlighted(self.row))
        self.look_ahead()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """The wheel comes to the end as well."""
        super().watch_scroll_y(old_value, new_value)
        self.look_ahead()

    def on_resize(self) -> None:
        """A higher list has room for more."""
        self.look_ahead()

    def on_click(self, event: events.Click) -> None:
        """Once highlights, twice chooses."""
        offset = event.get_content_offset(self)
        line = -1 if offset is None else offset.y + self.scroll_offset.y
        number = line // self._lines_each
        if 0 <= number < len(self._found):
            self.highlighted = number
            if event.chain == 2:
                self.post_message(self.Chosen())

    def render_line(self, y: int) -> Strip:
        """One line of a session, or a blank one below the last."""
        width = self.scrollable_content_region.width
        if not self._found:
            return self._sentence_line(y, width)
        number, part = divmod(y + self.scroll_offset.y, self._lines_each)
        chosen = number == self.highlighted
        style = self.get_visual_style(*(("session-list--highlighted",) if chosen else ()))
        strip = Visual.to_strips(self, self._line(number, part, width), width, 1, style)[0]
        return strip.extend_cell_length(width, style.rich_style)

    def _sentence_line(self, y: int, width: int) -> Strip:
        """A line of the sentence that there is instead of a list, after a blank one."""
        style = self.get_visual_style()
        lines = ["", *hanging(str(fitting(self._empty)), max(20, width - 2), indent=0).splitlines()]
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
        """Highlight a place whose session may be another one than before."""
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
        """Ask for more while there is little below what is shown and highlighted."""
        if not self._height or not self._found:
            return
        here = (self.highlighted or 0) * self._lines_each
        bottom = max(here, self.scroll_offset.y) + (1 + AHEAD) * self._height
        if bottom > len(self._found) * self._lines_each:
            self.post_message(self.NearEnd())
