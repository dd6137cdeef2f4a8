"""The body of a card, which scrolls: the questions, what will be different, the exact call."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.reactive import var
from textual.widget import Widget

from console.widgets.card_lines import (
    CardLine,
    after_lines,
    holding_lines,
    lines_of_all_learned,
    lines_of_learned,
    number_learned_folded,
    question_lines,
    stays_lines,
)
from console.widgets.exact_call import exact_call
from console.widgets.marked_line import HangingLine
from console.widgets.plain import MUTED, PlainText
from domains.text.one_line import line
from domains.text.quantity import quantity
from sessions.events import Card

ROOMY = 46
"""The rows of the terminal from which a card names every check that passes.

On a smaller terminal it counts them, so that the effects are visible without scrolling.
"""

_SIGNS = {"holds": "$text-success", "judge": "bold $text-accent"}
"""The styles of the signs, for some kinds of lines."""

MOST_QUESTIONS = 3
"""The most questions shown at once; the others unfold with the exact call."""


class CardText(Vertical):
    """The words of one card below its head; they never change."""

    DEFAULT_CSS = "CardText { height: auto; }"

    opened: var[bool] = var(False, toggle_class="-opened")
    """Whether the exact call, and everything that was cut or counted, is shown."""

    def __init__(self, card: Card, *, roomy: bool) -> None:
        """`roomy` says whether there are enough rows to name the checks that pass."""
        super().__init__(classes="-roomy" if roomy else None)
        self._card = card
        self._roomy = roomy
        self._left_out: list[CardLine] = []
        self._cut: list[CardLine] = []

    def compose(self) -> ComposeResult:
        """Lay out the questions, then the effects, then the details to unfold."""
        card = self._card
        yield Vertical(id="card-left-out")
        asked = question_lines(card)
        first, more = asked[:MOST_QUESTIONS], asked[MOST_QUESTIONS:]
        heading = _heading_of_questions(card, len(more))
        yield from _section(heading, [*lines_of_learned(card), *first], "judge")
        yield from _section("After", after_lines(card), "after")
        yield from _section("Stays as it is", stays_lines(card), "stays")
        yield from self._checks()
        yield FoldedCall(card)
        with Vertical(classes="card--details"):
            yield Vertical(id="card-cut")
            yield from _section("More questions", more, "judge")
            yield from _section("Learned", lines_of_all_learned(card), "full")
            yield PlainText(exact_call(card), classes="card--call")
            yield from _section("Checks that hold", holding_lines(card), "holds")

    def _checks(self) -> Iterator[Widget]:
        """Yield the checks that pass on a single line, as names or as a count."""
        holding = holding_lines(self._card)
        if not holding:
            return
        yield PlainText("Checked", classes="card--heading")
        if self._roomy:
            names = "  ✓ ".join(each.words.plain.split(" · ")[0] for each in holding)
            yield _marked("✓", names, "holds")
            return
        count = f"{quantity(len(holding), 'check')} hold{'s' if len(holding) == 1 else ''}"
        text = Content.assemble(count, (" · x lists them", MUTED))
        yield _marked("✓", text, "holds")

    def on_mount(self) -> None:
        """Add the lines that the head could not show."""
        self._fill()

    def make_room(self, left_out: list[CardLine], cut: list[CardLine]) -> None:
        """Take the lines that the head left out, and the ones it cut, to show them here."""
        if (left_out, cut) != (self._left_out, self._cut):
            self._left_out, self._cut = left_out, cut
            self._fill()

    def _fill(self) -> None:
        filling = (
            ("#card-left-out", [_widget(each, "left-out") for each in self._left_out]),
            ("#card-cut", list(_section("In full", self._cut, "full"))),
        )
        for where, widgets in filling:
            for place in self.query(where):
                place.remove_children()
                place.mount_all(widgets)

    def on_folded_call_pressed(self) -> None:
        """Show or hide the exact call."""
        self.opened = not self.opened

    def watch_opened(self, opened: bool) -> None:
        """Update the triangle to show whether the call is open."""
        self.query_one(FoldedCall).turn(opened)


class FoldedCall(PlainText):
    """The line that stands for the exact call and the details until they are opened."""

    def __init__(self, card: Card) -> None:
        """Show the name of the card's tool."""
        super().__init__(classes="card--fold")
        self._tool = line(card.tool, 60)
        self.turn(False)

    def turn(self, opened: bool) -> None:
        """Show whether the call below is open."""
        self.show(Content.assemble(f"{'▾' if opened else '▸'} exact call  ", self._tool))

    def on_click(self) -> None:
        """Show or hide the exact call."""
        parent = self.parent
        if isinstance(parent, CardText):
            parent.on_folded_call_pressed()


def _heading_of_questions(card: Card, more: int) -> str:
    """The heading with the number of lines that are folded, which saves a row for it."""
    learned = number_learned_folded(card)
    told = [
        *([f"and {learned:,} more learned"] if learned else []),
        *([f"+{quantity(more, 'more question')}"] if more else []),
    ]
    return " · ".join(("Only you can tell", *told, *(["x lists them"] if told else [])))


def _section(heading: str, lines: Iterable[CardLine], kind: str) -> Iterator[Widget]:
    found = [_widget(each, kind) for each in lines]
    if found:
        yield PlainText(heading, classes="card--heading")
        yield from found


def _widget(each: CardLine, kind: str) -> Widget:
    words = each.words.stylize(each.style) if kind in ("full", "left-out") else each.words
    if not each.sign:
        return PlainText(words, classes=f"card--{kind}")
    return _marked(each.sign, words, kind)


def _marked(sign: str, words: str | Content, kind: str) -> HangingLine:
    return HangingLine(sign, words, f"card--{kind}", _SIGNS.get(kind, ""))
