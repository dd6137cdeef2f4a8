"""A card in a replay: as it stood, with the decision once there is one; it takes no answer."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from agent.session.replay import ReplayedCard
from console.widgets.card import TITLE
from console.widgets.card_face import CardFace, room_in_talk
from console.widgets.plain import MUTED, PlainText, fitting
from domains.text.one_line import line
from sessions.views import CardOutcome


class ReplayCard(Vertical):
    """The card that was before the customer at this moment, if any."""

    def __init__(self) -> None:
        """None yet."""
        super().__init__(id="card")
        self._shown: ReplayedCard | None = None

    def compose(self) -> ComposeResult:
        """The words, then what was decided."""
        yield Vertical(id="card-place")
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
        if before is None or before.card.id != card.card.id:
            place = self.query_one("#card-place")
            await place.remove_children()
            await place.mount(CardFace(card.card))
        self.fit()
        self.border_title = TITLE if card.decision is None else "What was decided"
        self.border_subtitle = fitting(Content(line(card.card.tool, 60)))
        self.query_one("#card-word", PlainText).show(word_on(card))

    def fit(self) -> None:
        """Share out the rows that the screen has for it."""
        for face in self.query(CardFace):
            room, columns = room_in_talk(self)
            self.styles.max_height = room.inside + 2
            face.fit(room, columns)

    def open(self) -> None:
        """Open or close the exact call and the checks."""
        for face in self.query(CardFace):
            face.turn()

    def read(self, lines: int) -> None:
        """Scroll the words of a card that is longer than its place."""
        for face in self.query(CardFace):
            face.read(lines)


def word_on(card: ReplayedCard) -> Content:
    """What had been decided on a card, after how long, and whether it was carried out."""
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
