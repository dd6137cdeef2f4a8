"""The field in which the customer writes; pasted text is cleaned and its length is limited."""

from __future__ import annotations

from dataclasses import dataclass

from textual import events
from textual.message import Message
from textual.reactive import var
from textual.widgets import TextArea

from sessions.cleaning import clean

MOST = 100_000
"""The most characters of one message."""


class Composer(TextArea):
    """Edits the customer's next message: Enter sends it, ctrl+j or shift+enter adds a new line."""

    HELP = """\
## Your message

You are the customer: write as one would. The agent sees only what you write here.

- **enter** send
- **ctrl+j** or **shift+enter** new line
- **up** / **down** on the first / last line: your earlier messages
- where the agent offers numbered choices, a number and **enter**, or a click on the line above
"""
    BINDING_GROUP_TITLE = "Message"

    busy: var[bool] = var(False)
    """Whether the agent is answering; Enter then sends nothing, and the text stays."""

    @dataclass
    class Sent(Message):
        """The customer sent a message."""

        text: str

    @dataclass
    class TooSoon(Message):
        """Enter was pressed while the agent was answering."""

    @dataclass
    class Refused(Message):
        """Typed or pasted text was rejected; the sentence says why."""

        sentence: str

    def __init__(self) -> None:
        """Start with an empty message."""
        super().__init__(
            id="composer",
            soft_wrap=True,
            compact=True,
            show_line_numbers=False,
            highlight_cursor_line=False,
            placeholder="Write as the customer would…",
        )
        self._earlier: list[str] = []
        self._recalled: int | None = None
        self._draft = ""

    def _send(self) -> None:
        """Send the text, if there is any, and start the next message.

        The field is cleared at once, so that a key pressed after Enter belongs to the next message.
        """
        words = self.text.strip()
        if self.busy:
            self.post_message(self.TooSoon())
        elif words:
            self._earlier.append(words)
            self._recalled = None
            self.clear()
            self.post_message(self.Sent(words))

    def action_cursor_up(self, select: bool = False) -> None:
        """Move up or, from the first line, recall the previous sent message."""
        if self.cursor_at_first_line and not select and self._earlier:
            self._recall(-1)
        else:
            super().action_cursor_up(select)

    def action_cursor_down(self, select: bool = False) -> None:
        """Move down or, from the last line, recall the next sent message and finally the draft."""
        if self.cursor_at_last_line and not select and self._recalled is not None:
            self._recall(+1)
        else:
            super().action_cursor_down(select)

    def _recall(self, step: int) -> None:
        here = len(self._earlier) if self._recalled is None else self._recalled
        there = max(0, here + step)
        if self._recalled is None:
            self._draft = self.text
        self._recalled = there if there < len(self._earlier) else None
        self.text = self._draft if self._recalled is None else self._earlier[there]
        self.move_cursor(self.document.end)

    async def _on_paste(self, event: events.Paste) -> None:
        event.prevent_default()
        event.stop()
        room = MOST - len(self.text)
        words = clean(event.text)
        if len(words) > room:
            self.post_message(
                self.Refused(
                    f"A message can have {MOST:,} characters; the pasted text has "
                    f"{len(words):,}, so it was left out."
                )
            )
        else:
            self.insert(words)

    async def _on_key(self, event: events.Key) -> None:
        full = event.is_printable and len(self.text) >= MOST
        if not full and event.key not in ("enter", "shift+enter", "ctrl+j"):
            return
        event.prevent_default()
        event.stop()
        if full:
            self.post_message(self.Refused(f"A message can have {MOST:,} characters."))
        elif event.key == "enter":
            self._send()
        else:
            self.insert("\n")
