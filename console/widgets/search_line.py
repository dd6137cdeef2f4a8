"""The search line, which completes the word or filter being typed."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message
from textual.suggester import Suggester

from console.widgets.words import WordsInput


class SearchLine(WordsInput):
    """Edits words and filters; a completion is shown after the cursor, and Tab accepts it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,down", "leave", "To the list"),
        Binding("tab", "complete", "Write out"),
        Binding("escape", "leave", "To the list", show=False),
    ]

    class Left(Message):
        """The user returns to the list of results."""

    def __init__(self, complete: Callable[[str], str | None]) -> None:
        """`complete` returns a line with its completion, or None."""
        super().__init__(id="line", placeholder="/ to search what was said, a to add a filter")
        self._complete = complete
        self.select_on_focus = False  # typing continues the line
        self.suggester = _Begun(complete)

    def write(self, line: str) -> None:
        """Replace the line."""
        self.value = line
        self.cursor_position = len(line)

    def action_complete(self) -> None:
        """Accept the completion or, if there is none, go to the list."""
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
