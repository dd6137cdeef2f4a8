"""The face of a card: a head that is always visible, and below it a body that scrolls."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.dom import DOMNode
from textual.widget import Widget

from console.widgets.card_head import CardHead
from console.widgets.card_rows import CardRows, divide_rows
from console.widgets.card_text import ROOMY, CardText
from sessions.events import Card

_SIDES = 4
"""The columns taken by the border and the padding inside it."""

LEAST_TRANSCRIPT = 1
"""The rows that the transcript above a card keeps at least."""


class CardFace(Vertical):
    """The words of one card, in as many rows as it is given."""

    DEFAULT_CSS = "CardFace { height: auto; }"

    def __init__(self, card: Card) -> None:
        """The card's words never change; how many of them are visible does."""
        super().__init__(id="card-face")
        self.card = card

    def compose(self) -> ComposeResult:
        """Lay out the head and, below it, the body."""
        yield CardHead(self.card)
        with VerticalScroll(id="card-body", can_focus=False):
            yield CardText(self.card, roomy=self.app.size.height >= ROOMY)

    def on_mount(self) -> None:
        """Fit the face before the first frame, so that it is complete from the start."""
        self.fit(*rows_in_talk(self))

    def fit(self, room: CardRows, width: int) -> None:
        """Take the rows of a room; `width` is in columns."""
        text = self.query_one_optional(CardText)
        if text is None:
            return
        head = self.query_one(CardHead).fit(width, room.head)
        text.make_room(head.moved_lines, head.cut_lines)
        self.query_one("#card-body").styles.max_height = room.middle(len(head.rows))

    @property
    def is_unfolded(self) -> bool:
        """Whether the exact call is unfolded; false for the bare call, which is never folded."""
        text = self.query_one_optional(CardText)
        return text is not None and text.opened

    def turn(self) -> None:
        """Show or hide the exact call and everything that was cut."""
        text = self.query_one(CardText)
        text.opened = not text.opened
        if text.opened:
            details = text.query_one(".card--details")
            self.call_after_refresh(details.scroll_visible, animate=False, top=True)

    def read(self, lines: int) -> None:
        """Scroll the body by lines."""
        self.query_one("#card-body").scroll_relative(y=lines, animate=False)


def can_scroll(place: Widget, lines: int) -> bool:
    """Whether the widget can scroll further in that direction."""
    at = place.scroll_offset.y
    return at > 0 if lines < 0 else at < place.max_scroll_y


def rows_of_talk(card: Widget) -> tuple[int, int]:
    """The rows and columns that the card can take from the conversation around it."""
    around: DOMNode | None = card
    while isinstance(around, Widget) and around.id != "talk":
        around = around.parent
    if not isinstance(around, Widget) or not around.content_size.height:
        width, height = card.app.size
        return height - 5, width - _SIDES
    working = around.query_one_optional("#working")
    line = int(working is not None and working.display)
    width, height = around.content_size
    return height - line - LEAST_TRANSCRIPT, width - _SIDES


def rows_in_talk(card: Widget, note: int = 0) -> tuple[CardRows, int]:
    """The room for a card with a note of `note` rows, and the columns inside the card."""
    rows, columns = rows_of_talk(card)
    return divide_rows(rows, note), columns
