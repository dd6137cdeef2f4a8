"""A bar with a sentence and the next steps, after a fault, an undecided card or the session's end.

Its buttons have no letter keys, so nothing typed into the composer can press one. The keys named on
them are bindings of the screen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Button

from console.widgets.plain import MUTED, PlainText
from sessions.views.transcript import ENDINGS


@dataclass(frozen=True, slots=True)
class NextStep:
    """One possible next step: its id, the key that does the same, and its label."""

    id: str
    key: str
    label: str


class ChoicesBar(Vertical):
    """Offers the next steps after a fault, an undecided card or the end of a session."""

    @dataclass
    class Chosen(Message):
        """The user chose a next step."""

        way: str

    def __init__(self, title: str, sentence: str, ways: Sequence[NextStep], *, kind: str) -> None:
        """`kind` is ``fault``, ``left`` or ``over``; the first of `ways` gets the focus first."""
        super().__init__(classes=f"-{kind}")
        self.border_title = title
        self._sentence = sentence
        self._ways = ways

    def compose(self) -> ComposeResult:
        """Lay out the sentence and a button for each next step."""
        yield PlainText(self._sentence, id="bar-sentence")
        with Horizontal(id="bar-buttons"):
            for way in self._ways:
                label = Content.assemble(way.label, (f" {way.key}", MUTED))
                yield Button(label, id=f"way-{way.id}", compact=True)

    def take_focus(self) -> None:
        """Focus the first button, so that Enter presses it."""
        self.query(Button).first().focus()

    @on(Button.Pressed)
    def _choose(self, event: Button.Pressed) -> None:
        event.stop()
        self.post_message(self.Chosen(str(event.button.id).removeprefix("way-")))


TAKE_UP = NextStep("retry", "^r", "Back to the card")
RETRY = NextStep("retry", "^r", "Retry")
MODEL = NextStep("model", "^l", "Change model")
END = NextStep("end", "^e", "End")
NEW = NextStep("new", "^n", "New session")
OUTCOME = NextStep("outcome", "^e", "See the outcome")

_OVER = {
    **ENDINGS,
    "customer": "You ended the conversation. Everything is recorded.",
    "transfer": "The agent handed you over to a human, so this conversation ends here.",
}


def fault_bar(sentence: str) -> ChoicesBar:
    """The bar to show when the agent could not continue."""
    return ChoicesBar("The agent could not continue", sentence, [RETRY, MODEL, END], kind="fault")


def bar_for_left_card() -> ChoicesBar:
    """The bar to show when a card was left undecided."""
    sentence = "Nothing was changed. Go back to the card, or say something else."
    return ChoicesBar("You left the card", sentence, [TAKE_UP, END], kind="left")


def over_bar(reason: str) -> ChoicesBar:
    """The bar to show when the session is over."""
    return ChoicesBar("The session is over", _OVER[reason], [OUTCOME, NEW], kind="over")
