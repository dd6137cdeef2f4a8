"""A one-line input for the user's own words; pasted text is cleaned before it is shown."""

from __future__ import annotations

from textual import events
from textual.widgets import Input

from sessions.cleaning import clean


class WordsInput(Input):
    """Edits one line of the user's own words."""

    def __init__(self, *, id: str | None = None, placeholder: str = "") -> None:
        """Create a borderless line; a text longer than a few sentences belongs in the composer."""
        super().__init__(id=id, placeholder=placeholder, compact=True, max_length=2_000)

    def _on_paste(self, event: events.Paste) -> None:
        event.prevent_default()
        event.stop()
        self.insert_text_at_cursor(" ".join(clean(event.text).split()))
