"""A line to search by that writes out what is begun."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message
from textual.suggester import Suggester

from console.widgets.words import WordsInput


class SearchLine(WordsInput):
    """Words and filters; what follows what is begun stands behind it, and tab takes it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,down", "leave", "To the list"),
        Binding("tab", "complete", "Write out"),
        Binding("escape", "leave", "To the list", show=False),
    ]

    class Left(Message):
        """The person goes back to what was found."""

    def __init__(self, complete: Callable[[str], str | None]) -> None:
        """`complete` gives a line as it may go on."""
        super().__init__(id="line", placeholder="/ to search what was said, a to add a filter")
        self._complete = complete
        self.select_on_focus = False  # what is typed next goes on with the line
        self.suggester = _Begun(complete)

    def write(self, line: str) -> None:
        """Put another line in its place."""
        self.value = line
        self.cursor_position = len(line)

    def action_complete(self) -> None:
        """Write out what is begun; where nothing is, go to the list."""
        line = self._complete(self.value) if self.cursor_at_end else None
        if line is None:
            self.action_leave()
        else:
            self.write(line)

    def action_leave(self) -> None:
        """Go back to the list."""
        self.post_message(self.Left())


class _Begun(Suggester):
    def __init__(self, complete: Callable[[str], str | None]) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._complete = complete

    async def get_suggestion(self, value: str) -> str | None:
        return self._complete(value)
