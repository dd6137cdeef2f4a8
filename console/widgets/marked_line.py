"""A line that begins with a mark: one widget where columns would need three.

A transcript mounts fifty such rows, and a long card about as many. The screen is laid out again for
every line that an answer grows by, and a card is restyled whenever the focus enters or leaves it.
"""

from __future__ import annotations

from rich.segment import Segment
from textual.content import Content
from textual.css.styles import RulesMap
from textual.selection import Selection
from textual.strip import Strip
from textual.style import Style
from textual.visual import RenderOptions, Visual

from console.widgets.plain import PlainText, shorten_and_clean

INDENT = 2
"""The columns of the mark and the space after it."""


class HangingLine(PlainText):
    """Shows a mark and a text that wraps beside it."""

    def __init__(self, mark: str, text: str | Content, classes: str = "", style: str = "") -> None:
        """`mark` is one character, shown in `style`; `classes` say which kind of line it is."""
        super().__init__(classes=classes)
        self._text = Content.assemble(shorten_and_clean(text))
        self._visual = _Hanging(mark, style, self._text)

    def render(self) -> Visual:
        """The text with its mark."""
        return self._visual

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The selected text, without the mark."""
        return selection.extract(self._text.plain), "\n"


class _Hanging(Visual):
    """A text that leaves room for a mark on its left."""

    def __init__(self, mark: str, style: str, text: Content) -> None:
        self._mark = mark
        self._style = style
        self._text = text

    def get_optimal_width(self, rules: RulesMap, container_width: int) -> int:
        return self._text.get_optimal_width(rules, container_width) + INDENT

    def get_minimal_width(self, rules: RulesMap) -> int:
        return self._text.get_minimal_width(rules) + INDENT

    def get_height(self, rules: RulesMap, width: int) -> int:
        return self._text.get_height(rules, max(1, width - INDENT))

    def render_strips(
        self, width: int, height: int | None, style: Style, options: RenderOptions
    ) -> list[Strip]:
        room = max(1, width - INDENT)
        mark = [
            Segment(self._mark.ljust(INDENT), (style + options.get_style(self._style)).rich_style)
        ]
        blank = [Segment(" " * INDENT, style.rich_style)]
        strips = self._text.render_strips(room, height, style, options)
        return [
            Strip.join([Strip(blank if number else mark, INDENT), strip])
            for number, strip in enumerate(strips)
        ]
