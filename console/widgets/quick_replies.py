"""Quick replies: the numbered choices of the agent's last message, on one line above the composer.

A click sends a choice's number. A number typed into the empty composer marks its choice, and Enter
sends it like any message: a key that sent by itself would cut off "2 and 3" or "10, please".
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from console.widgets import key_guard
from console.widgets.plain import LONGEST, MUTED, PlainText
from console.widgets.prose import numbered_items

MOST = 9
"""So many choices at most, one digit each; a longer list is to be read, not picked from."""


_NEAR = 160
"""So many characters before a list and after it are looked through for a question."""

_BESIDE = len("1 ") + len("  ")
"""The columns that a choice takes besides its words."""


class QuickReply(PlainText):
    """One choice, which a click picks."""

    DEFAULT_CSS = """
    QuickReply {
        width: auto; height: 1; padding-right: 2; text-wrap: nowrap; text-overflow: ellipsis;
        &:hover { background: $primary 20%; }
        &.-marked { background: $primary 30%; text-style: bold; }
    }
    """

    @dataclass
    class Picked(Message):
        """The customer picked the choice with this number."""

        number: str

    def __init__(self, number: str, words: str, *, share: int) -> None:
        """`share` is how many percent of the line the choice may take."""
        super().__init__(Content.assemble((f"{number} ", MUTED), " ".join(words.split())))
        self.number = number
        self.styles.max_width = f"{share}%"
        self._since = time.monotonic()

    def on_click(self) -> None:
        """Pick the choice, unless it has only just come under the pointer.

        A double click, or one that a busy program hears late, was meant for what stood here before.
        """
        if time.monotonic() - self._since >= key_guard.GRACE:
            self.post_message(self.Picked(self.number))


class QuickReplies(Horizontal):
    """The choices that the agent offers; without any, it takes no row."""

    DEFAULT_CSS = """
    QuickReplies { height: 1; padding: 0 1; display: none; &.-offered { display: block; } }
    """

    async def offer(self, message: str) -> None:
        """Show the choices of the agent's message, if it ends a turn with any."""
        choices = choices_in(message)
        await self.remove_children()
        self.set_class(bool(choices), "-offered")
        room = self.parent.size.width if isinstance(self.parent, Widget) else 0
        fit = sum(len(words) + _BESIDE for words in choices) < room
        share = 100 if fit else 100 // max(1, len(choices))
        await self.mount_all(
            QuickReply(str(number), words, share=share) for number, words in enumerate(choices, 1)
        )

    def mark(self, typed: str) -> None:
        """Mark the choice whose number is all that was typed."""
        for reply in self.query(QuickReply):
            reply.set_class(typed.strip() == reply.number, "-marked")


def choices_in(message: str) -> list[str]:
    """The numbered choices in a message, from 1 on; none if one only, too many, or a huge text.

    Of several lists the last that begins with 1 counts, with those that go on counting from it. A
    list that no question stands before or right after is no offer.
    """
    if len(message) > LONGEST:  # nor is it laid out
        return []
    found: list[str] = []
    first = last = 0
    for number, words, line in numbered_items(message):
        first, last = (line, line) if number == 1 else (first, line)
        found = [words] if number == 1 else [*found, words] if number == len(found) + 1 else []
    lines = message.splitlines()
    asks = _asks(" ".join(lines[:first])[-_NEAR:]) or _asks(" ".join(lines[last + 1 :])[:_NEAR])
    return found if asks and 1 < len(found) <= MOST else []


def _asks(text: str) -> bool:
    words = text.lower().replace("anything else", "")
    return "would you like" in words or ("?" in words and "is there" not in words)
