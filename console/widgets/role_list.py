"""The matching roles, one line each; only visible lines are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.content import Content
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.visual import Visual

from console.catalogue import ScenarioLine
from console.widgets.plain import shorten_and_clean

_NUMBER = 4
"""The longest ids, in characters, to show before the titles; longer ones follow the titles."""

_SOFT = "dim"
"""A style that stays readable on the highlight, unlike a colour of its own."""


class RoleList(ScrollView, can_focus=False):
    """A virtual list, in which the cost of a key press does not grow with the number of roles.

    It never has the focus; the widget that has it moves the highlight.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {"role-list--highlighted"}
    ALLOW_SELECT: ClassVar[bool] = False

    highlighted: reactive[int | None] = reactive(None)

    @dataclass
    class Highlighted(Message):
        """Another line is highlighted, or none because the list is empty."""

        line: ScenarioLine | None

    class Doubled(Message):
        """The highlighted line was double-clicked."""

    def __init__(self) -> None:
        """Start with an empty list."""
        super().__init__(id="scenarios")
        self._lines: Sequence[ScenarioLine] = ()
        self._id_width = 0
        self._empty = ""

    @property
    def lines(self) -> Sequence[ScenarioLine]:
        """The roles that are listed."""
        return self._lines

    @property
    def line(self) -> ScenarioLine | None:
        """The highlighted role."""
        return None if self.highlighted is None else self._lines[self.highlighted]

    def show(
        self, lines: Sequence[ScenarioLine], highlight: int, id_width: int, *, empty: str
    ) -> None:
        """List the roles; `id_width` is the length of the domain's longest id, listed or not.

        `empty` is the text to show if there are no roles.
        """
        self._lines = lines
        self._empty = empty
        self._id_width = id_width if id_width <= _NUMBER else 0
        self.virtual_size = Size(0, len(lines))
        self.set_reactive(RoleList.highlighted, None)
        self.highlighted = highlight if lines else None
        if not lines:
            self.call_next(self._tell)
        self.refresh()

    def _tell(self) -> None:
        """Post the highlighted role.

        This must run in the widget's own message loop: Textual does not pass a message on to the
        parent that counts as its sender.
        """
        self.post_message(self.Highlighted(self.line))

    def move(self, lines: int) -> None:
        """Move the highlight; a single step past one end wraps around to the other."""
        if self.highlighted is None:
            return
        last, there = len(self._lines) - 1, self.highlighted + lines
        if abs(lines) == 1:
            self.highlighted = there % (last + 1)
        else:
            self.highlighted = min(max(there, 0), last)

    def move_page(self, pages: int) -> None:
        """Move the highlight by as many lines as are visible."""
        self.move(pages * max(2, self.scrollable_content_region.height - 1))

    def watch_highlighted(self) -> None:
        """Scroll to the highlighted line, and post the change."""
        if self.highlighted is None:
            return
        self.scroll_to_region(Region(0, self.highlighted, 1, 1), animate=False, force=True)
        self.refresh()
        self._tell()

    def on_click(self, event: events.Click) -> None:
        """Highlight the clicked line; choose it on a double click."""
        offset = event.get_content_offset(self)
        number = -1 if offset is None else offset.y + self.scroll_offset.y
        if 0 <= number < len(self._lines):
            self.highlighted = number
            if event.chain == 2:
                self.post_message(self.Doubled())

    def render_line(self, y: int) -> Strip:
        """The line of one role, or a blank line below the last."""
        width = self.scrollable_content_region.width
        number = y + self.scroll_offset.y
        chosen = number == self.highlighted
        style = self.get_visual_style(*(("role-list--highlighted",) if chosen else ()))
        if number < len(self._lines):
            text = self._row(self._lines[number])
        else:
            text = Content.styled("" if self._lines or y else self._empty, _SOFT)
        strip = Visual.to_strips(self, text, width, 1, style)[0]
        return strip.extend_cell_length(width, style.rich_style)

    def _row(self, line: ScenarioLine) -> Content:
        number = f"{line.id:>{self._id_width}}  " if self._id_width else ""
        named = self._id_width or line.plays  # a customer's name says more than their id
        tail = line.note if named else " · ".join(filter(None, (line.id, line.note)))
        title = " ".join(line.title.split())
        return Content.assemble(
            shorten_and_clean(Content.assemble((number, _SOFT), title, (f"  {tail}", _SOFT)))
        )
