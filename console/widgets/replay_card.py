"""A card in a replay: as it was then, with its decision once made; it accepts no answer."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from agent.session.replay import ReplayedCard
from console.widgets.card import TITLE
from console.widgets.card_face import CardFace, rows_in_talk
from console.widgets.plain import MUTED, PlainText, shorten_and_clean
from domains.text.one_line import line
from sessions.views import CardOutcome


class ReplayCard(Vertical):
    """Shows the card that was before the customer at this moment, if any."""

    def __init__(self) -> None:
        """Start without a card."""
        super().__init__(id="card")
        self._shown: ReplayedCard | None = None

    def compose(self) -> ComposeResult:
        """Lay out the card and, below it, the decision."""
        yield Vertical(id="card-place")
        yield PlainText(id="card-word")

    def on_mount(self) -> None:
        """Hide the widget while there is no card."""
        self.display = False

    async def show(self, card: ReplayedCard | None) -> None:
        """Show a card, or none."""
        before, self._shown = self._shown, card
        self.display = card is not None
        if card is None:
            return
        if before is None or before.card.id != card.card.id:
            place = self.query_one("#card-place")
            await place.remove_children()
            await place.mount(CardFace(card.card))
        self.fit()
        self.border_title = TITLE if card.decision is None else "What was decided"
        self.border_subtitle = shorten_and_clean(Content(line(card.card.tool, 60)))
        self.query_one("#card-word", PlainText).show(word_on(card))

    def fit(self) -> None:
        """Fit the card to the rows that the screen has for it."""
        for face in self.query(CardFace):
            room, columns = rows_in_talk(self)
            self.styles.max_height = room.inside + 2
            face.fit(room, columns)

    def open(self) -> None:
        """Show or hide the exact call and the checks."""
        for face in self.query(CardFace):
            face.turn()

    def read(self, lines: int) -> None:
        """Scroll the body of the card by lines."""
        for face in self.query(CardFace):
            face.read(lines)


def word_on(card: ReplayedCard) -> Content:
    """The decision on a card, how long it took, and whether the change was carried out."""
    made = card.decision
    if made is None:
        return Content.assemble(("… waiting for the customer's decision", MUTED))
    after = f" · after {made.milliseconds / 1000:.1f} s" if made.milliseconds else ""
    if made.decision == "approve" and card.applied is None:
        return Content.assemble("approved", (f"{after} · not carried out yet", MUTED))
    done = card.applied is not None and not card.applied.error
    failure = card.applied.result if card.applied is not None and card.applied.error else None
    return Content.assemble(
        CardOutcome(0, "", card.card, made, done, failure).headline, (after, MUTED)
    )
