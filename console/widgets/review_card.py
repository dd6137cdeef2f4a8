"""A recorded card for a reviewer: the live card, without a question to the agent.

Like the live card, it accepts only keys that stand alone (law 8), and the focus starts on *reject*.
"""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widgets import Button

from agent.gate.operator import Decision
from console.widgets.card import TITLE, CardView
from sessions.events import Card

_READY = ("x exact call", "←→ choose", "enter press", "s skip", "esc quit")
_WORDS = "enter decides · esc back to the card"
_NOT_HERE = ("ask",)


class ReviewCard(CardView):
    """Shows one recorded card from its first appearance until it is decided or skipped."""

    HELP = """\
## The card

Somebody was shown this card, in these words, and decided on it. Decide as if you were them: you
are not told what they did. Nothing is carried out. Where a card was *made afterwards*, nobody was
asked then: it is the card that they would have been shown.

- **a** approve
- **r** reject, with a reason if you like (where the card starts)
- **c** say what should be different
- **s** skip: it stays undecided and is shown to you again another time, and with it the rest of
  its conversation, which would show what became of it
- **x** show the exact call, what every check read, and all that was cut or counted
- **page up / down** scroll the conversation
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "pass_over", "Skip", show=False, id="card.skip"),
    ]

    def __init__(self, card: Card, *, made_afterwards: bool = False) -> None:
        """Show the card as it was, without saying whether it replaced a stale card.

        A card made afterwards, for a change that no one was asked about, is marked as such.
        """
        super().__init__(card)
        if made_afterwards:
            self.border_title = f"{TITLE} · card made afterwards"

    def _last_button(self) -> Button:
        return Button("[u]s[/u] Skip", id="skip", compact=True)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable the keys that do not apply now, and asking, since there is no agent to ask."""
        if action == "pass_over":
            return self.stage == "ready"
        if action == "choose" and parameters[:1] == _NOT_HERE:
            return False
        return super().check_action(action, parameters)

    def _open(self, what: str, at: float) -> None:
        if what in ("skip", "pass_over"):
            self.action_pass_over()
        else:
            super()._open(what, at)

    def action_pass_over(self) -> None:
        """Skip the card and leave it undecided."""
        self._decide(Decision("withdrawn"))

    def _hint(self) -> str:
        match self.stage:
            case "ready":
                return self._as_fits(_READY)
            case "words":
                return _WORDS
            case _:
                return super()._hint()
