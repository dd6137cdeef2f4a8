"""Widgets and helpers that show foreign text literally (law 6).

Textual interprets a string given to its widgets as markup unless told otherwise. Everything in this
program that shows text it did not write itself goes through this module; a test checks that the
rest of ``console/`` does so.
"""

from __future__ import annotations

from textwrap import wrap

from textual.content import Content
from textual.widgets import Static

from sessions.cleaning import clean

MUTED = "$foreground-muted"
"""The style of less important words; `$text-muted` only works in style sheets."""

LONGEST = 20_000
"""The most characters of a text that a widget shows; wrapping a megabyte would block the screen."""


def shorten(text: str, limit: int = LONGEST) -> str:
    """The text, or its first `limit` characters and the number of characters left out."""
    if len(text) <= limit:
        return text
    return f"{text[:limit]}… ({len(text) - limit:,} more characters; the log has them all)"


def hanging(text: str, room: int, *, indent: int, first: int | None = None) -> str:
    """The text wrapped to `room` columns, with later lines indented by `indent`.

    The first line starts after `first` columns that are already taken; by default, `indent`.
    """
    taken = " " * (indent if first is None else first)
    lines = []
    for number, line in enumerate(text.splitlines()):
        start = taken if number == 0 else " " * indent
        lines += wrap(
            shorten(line, 4_000), room, initial_indent=start, subsequent_indent=" " * indent
        ) or [start]
    return "\n".join(lines)[len(taken) :]


class PlainText(Static):
    """A Static whose text is never interpreted as markup."""

    def __init__(
        self, text: str | Content = "", *, id: str | None = None, classes: str | None = None
    ) -> None:
        """Show a string literally, or a Content assembled from styled parts."""
        super().__init__(shorten_and_clean(text), markup=False, id=id, classes=classes)

    def rows_in(self, width: int) -> int:
        """The number of rows that the text takes at a width of `width` columns."""
        return len(Content(str(self.content)).wrap(max(1, width)))

    def show(self, text: str | Content, *, layout: bool = True) -> None:
        """Replace the text; with `layout=False` its size must stay the same."""
        self.update(shorten_and_clean(text), layout=layout)


def shorten_and_clean(text: str | Content) -> str | Content:
    """The text shortened and cleaned; JSON decoding can restore characters cleaned earlier."""
    if isinstance(text, str):
        return clean(shorten(text))
    cleaned = clean(text.plain)
    return text if cleaned == text.plain else Content(cleaned)
