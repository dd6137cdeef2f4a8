"""One line of the person's own words: what is pasted is cleaned before it is shown."""

from __future__ import annotations

from textual import events
from textual.widgets import Input

from sessions.cleaning import clean


class WordsInput(Input):
    """One line of the person's own words."""

    def __init__(self, *, id: str | None = None, placeholder: str = "") -> None:
        """A borderless line; longer input than a sentence or two belongs to the composer."""
        super().__init__(id=id, placeholder=placeholder, compact=True, max_length=2_000)

    def _on_paste(self, event: events.Paste) -> None:
        event.prevent_default()
        event.stop()
        self.insert_text_at_cursor(" ".join(clean(event.text).split()))
