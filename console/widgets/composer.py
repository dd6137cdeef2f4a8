"""Where the customer writes: what is pasted is cleaned before it is shown, and has a limit."""

from __future__ import annotations

from dataclasses import dataclass

from textual import events
from textual.message import Message
from textual.reactive import var
from textual.widgets import TextArea

from sessions.cleaning import clean

MOST = 100_000
"""Characters that one message may have."""


class Composer(TextArea):
    """The customer's next message: Enter sends it, ctrl+j or shift+enter begins a new line."""

    HELP = """\
## Your message

You are the customer: write as one would. The agent sees only what you write here.

- **enter** send
- **ctrl+j** or **shift+enter** new line
- **up** / **down** on the first / last line: your earlier messages
"""
    BINDING_GROUP_TITLE = "Message"

    busy: var[bool] = var(False)
    """While the agent answers, Enter sends nothing and the text stays."""

    @dataclass
    class Sent(Message):
        """The customer sends a message."""

        text: str

    @dataclass
    class TooSoon(Message):
        """Enter was pressed while the agent answers."""

    @dataclass
    class Refused(Message):
        """Something could not be taken in; the sentence says why."""

        sentence: str

    def __init__(self) -> None:
        """An empty message."""
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
        """Send what is written, if anything is, and start the next message.

        Done here and at once: a key that follows Enter belongs to the next message.
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
        """Up; from the first line, to the message sent before."""
        if self.cursor_at_first_line and not select and self._earlier:
            self._recall(-1)
        else:
            super().action_cursor_up(select)

    def action_cursor_down(self, select: bool = False) -> None:
        """Down; from the last line, to the message sent after, and at last to the draft."""
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
