"""Text that others wrote, shown as text (law 6).

Textual reads a string given to its widgets as markup unless told otherwise. Everything in this
program that shows words it did not write itself goes through here; a test holds the rest of
``console/`` to that.
"""

from __future__ import annotations

from textwrap import wrap

from textual.content import Content
from textual.widgets import Static

from sessions.cleaning import clean

MUTED = "$foreground-muted"
"""The style of words that matter less; `$text-muted` is only for style sheets."""

LONGEST = 20_000
"""Characters of one text that a widget shows; wrapping a megabyte would freeze the screen."""


def shorten(text: str, limit: int = LONGEST) -> str:
    """The text, or its beginning and a count of what is left out."""
    if len(text) <= limit:
        return text
    return f"{text[:limit]}… ({len(text) - limit:,} more characters; the log has them all)"


def hanging(text: str, room: int, *, indent: int, first: int | None = None) -> str:
    """Text broken to `room` columns, later lines indented; `first` columns are taken already."""
    taken = " " * (indent if first is None else first)
    lines = []
    for number, line in enumerate(text.splitlines()):
        start = taken if number == 0 else " " * indent
        lines += wrap(
            shorten(line, 4_000), room, initial_indent=start, subsequent_indent=" " * indent
        ) or [start]
    return "\n".join(lines)[len(taken) :]


class PlainText(Static):
    """A Static whose text is never markup."""

    def __init__(
        self, text: str | Content = "", *, id: str | None = None, classes: str | None = None
    ) -> None:
        """Show a text as it is, or a Content that was assembled from parts."""
        super().__init__(fitting(text), markup=False, id=id, classes=classes)

    def rows_in(self, width: int) -> int:
        """How many rows the text takes in so many columns."""
        return len(Content(str(self.content)).wrap(max(1, width)))

    def show(self, text: str | Content, *, layout: bool = True) -> None:
        """Replace the text; without `layout` its size must stay the same."""
        self.update(fitting(text), layout=layout)


def fitting(text: str | Content) -> str | Content:
    """Short enough to lay out, and clean: JSON read again can bring back what was cleaned."""
    if isinstance(text, str):
        return clean(shorten(text))
    cleaned = clean(text.plain)
    return text if cleaned == text.plain else Content(cleaned)
