"""The comparison of two sessions side by side, opened at the first difference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import RichLog

from console.browser.side_by_side import Kind, Line, lines, summary
from console.widgets.key_line import KeyLine
from console.widgets.plain import PlainText
from sessions.views.comparing import Comparison

_STYLES: dict[Kind, str] = {
    "same": "dim", "first": "bold", "different": "", "remark": "dim italic", "heading": "bold",
}  # fmt: skip


class CompareScreen(Screen[None]):
    """Shows what was said and done in two sessions, aligned row by row."""

    CSS_PATH = "histories.tcss"
    HELP = """\
# Side by side

Two sessions turn by turn. **▶** marks the row in which they first differ, **≠** every other one;
what differs only by ids, times or remarks about the session counts as the same.

- **a** shows all, or only from shortly before the first difference on
- **up**, **down**, **page up** and **page down** scroll
- **esc** leaves
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "whole", "All / the difference"),
        Binding("escape,q", "dismiss(None)", "Leave"),
    ]

    def __init__(self, comparison: Comparison, titles: Sequence[str]) -> None:
        """`titles` are the names of the left and the right session."""
        super().__init__()
        self._comparison = comparison
        self._titles = titles
        self._whole = False
        self._width = 0

    def compose(self) -> ComposeResult:
        """Lay out a summary sentence, the column titles and the two columns."""
        yield PlainText(summary(self._comparison), id="compared")
        yield PlainText("", id="titles")
        yield RichLog(id="columns", wrap=False, markup=False, auto_scroll=False)
        yield KeyLine()

    def on_mount(self) -> None:
        """Focus the columns, so that the arrow keys scroll at once."""
        self.query_one("#columns").focus()

    def on_resize(self) -> None:
        """Lay the columns out for the new width."""
        self.call_after_refresh(self._lay_out)

    def action_whole(self) -> None:
        """Switch between all rows and those from shortly before the first difference."""
        self._whole = not self._whole
        self._width = 0
        self._lay_out()

    def _lay_out(self) -> None:
        columns = self.query_one("#columns", RichLog)
        width = columns.scrollable_content_region.width
        if width in (0, self._width):
            return
        self._width = width
        columns.clear()
        first: int | None = None
        for number, line in enumerate(lines(self._comparison, width, whole=self._whole)):
            first = number if line.kind == "first" and first is None else first
            columns.write(_style(line), scroll_end=False)
        self._name_columns(width)
        columns.scroll_to(y=max(0, (first or 0) - columns.size.height // 2), animate=False)

    def _name_columns(self, width: int) -> None:
        column = max(10, (width - 3) // 2)
        left, right = (title[: column - 1].ljust(column) for title in self._titles)
        self.query_one("#titles", PlainText).show(f"{left}   {right}")


def _style(line: Line) -> Text:
    if line.kind == "heading":
        return Text(line.text, style="bold cyan", no_wrap=True)
    style = _STYLES[line.kind]
    mark = "bold yellow" if line.kind in ("first", "different") else "dim"
    return Text.assemble((line.left, style), (line.mark, mark), (line.right, style), no_wrap=True)
