"""A card in a replay: as it stood, with the word on it once there is one; it takes no answer."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content

from agent.replay import ReplayedCard
from console.widgets.card_text import ROOMY, CardText
from console.widgets.plain import MUTED, PlainText, fitting
from sessions.views import CardOutcome

SHARE = 0.46
"""How much of the screen's height the words of a card may take."""


class ReplayCard(Vertical):
    """The card that was before the customer at this moment, if any."""

    def __init__(self) -> None:
        """None yet."""
        super().__init__(id="card")
        self._shown: ReplayedCard | None = None

    def compose(self) -> ComposeResult:
        """The words, then what was decided."""
        yield VerticalScroll(id="card-body", can_focus=False)
        yield PlainText(id="card-word")

    def on_mount(self) -> None:
        """There is no card to begin with."""
        self.display = False

    async def show(self, card: ReplayedCard | None) -> None:
        """Show a card, or none."""
        before, self._shown = self._shown, card
        self.display = card is not None
        if card is None:
            return
        body = self.query_one("#card-body", VerticalScroll)
        body.styles.max_height = max(4, int(self.app.size.height * SHARE))
        if before is None or before.card.id != card.card.id:
            await body.remove_children()
            await body.mount(CardText(card.card, roomy=self.app.size.height >= ROOMY))
            body.scroll_home(animate=False)
        self.border_title = "Your word" if card.decision is None else "What was decided"
        self.border_subtitle = fitting(Content(card.card.tool))
        self.query_one("#card-word", PlainText).show(word_on(card))

    def open(self) -> None:
        """Open or close the exact call and the checks."""
        for text in self.query(CardText):
            text.opened = not text.opened

    def read(self, lines: int) -> None:
        """Scroll the words of a card that is longer than its place."""
        self.query_one("#card-body").scroll_relative(y=lines, animate=False)


def word_on(card: ReplayedCard) -> Content:
    """What had been decided on a card, after how long, and whether it was carried out."""
    made = card.decision
    if made is None:
        return Content.assemble(("… waits for the customer's word", MUTED))
    after = f" · after {made.milliseconds / 1000:.1f} s" if made.milliseconds else ""
    if made.decision == "approve" and card.applied is None:
        return Content.assemble("approved", (f"{after} · not carried out yet", MUTED))
    done = card.applied is not None and not card.applied.error
    failure = card.applied.result if card.applied is not None and card.applied.error else None
    return Content.assemble(
        CardOutcome(0, "", card.card, made, done, failure).headline, (after, MUTED)
    )
