"""The top of a card, which never scrolls: what it does, and what speaks against it.

It is given so many rows and fills no more. What does not fit is counted in words and stands in
full below; nothing is left out unsaid.
"""

from __future__ import annotations

from textual.content import Content

from console.widgets.card_lines import (
    CardLine,
    against_lines,
    asked_lines,
    sentence_line,
    undone_lines,
)
from console.widgets.plain import MUTED, PlainText
from sessions.events import Card

LONGEST_SENTENCE = 5
LONGEST_AGAINST = 3
"""Rows of the sentence, and of each line against it, however large the screen is."""

SURE_OF_SENTENCE = 3
"""Rows that the sentence has before anything else, where that is no more than half of them."""


class Head:
    """The rows of a card's head in one width, and what they do not tell."""

    def __init__(self, card: Card, width: int, room: int) -> None:
        """`width` is in columns; `room` is how many rows there may be, at least three."""
        self._width = max(12, width)
        self._sentence = sentence_line(card)
        against, undone, asked = against_lines(card), undone_lines(card), asked_lines(card)
        room = max(3, room)
        needed = len(self._sentence.words.wrap(self._width))
        self._sure = min(needed, SURE_OF_SENTENCE, max(1, room // 2))
        self.shown_against = _fitting(len(against), room - self._sure)
        left = room - self._sure - min(len(against), self.shown_against + 1)
        self._undone, left = (undone, left - 1) if undone and left > 0 else ([], left)
        self._asked, left = (asked, left - 1) if asked and left > 0 else ([], left)
        self.left_out: list[CardLine] = [
            *(asked if not self._asked else ()),
            *(undone if not self._undone else ()),
        ]
        """Lines for which the middle of the card has to make room."""

        self._against = against
        self.cut: list[CardLine] = []
        """Lines that are not told in full here nor in the middle, in their order."""

        self.rows = self._filled(left)

    def _filled(self, left: int) -> list[Content]:
        """The rows, with those that are to spare given to what needs them, first things first."""
        rows, left = self._broken(self._sentence, LONGEST_SENTENCE, left + self._sure - 1)
        for each in self._asked:
            rows += self._broken(each, 1, 0)[0]
        for each in self._undone:
            more, left = self._broken(each, 2, left)
            rows += more
        for each in self._against[: self.shown_against]:
            more, left = self._broken(each, LONGEST_AGAINST, left)
            rows += more
        hidden = self._against[self.shown_against :]
        if hidden:
            self.cut += hidden
            rows.append(_more(hidden))
        return rows

    def _broken(self, each: CardLine, longest: int, left: int) -> tuple[list[Content], int]:
        """A line in one row and as many more as it may have, and how many are left after it."""
        indent = 2 if each.sign else 0
        rows = each.words.wrap(self._width - indent)
        may_have = 1 + min(longest - 1, max(0, left))
        if len(rows) > may_have:
            self.cut.append(each)
            rows = _cut(rows, may_have, self._width - indent)
        signed = [
            Content.assemble((f"{each.sign if number == 0 else ''}".ljust(indent), each.style),
                             row.stylize(each.style) if each.style else row)
            for number, row in enumerate(rows)
        ]  # fmt: skip
        return signed, left - (len(rows) - 1)


def _more(hidden: list[CardLine]) -> Content:
    what = "more against it" if any(each.is_against for each in hidden) else "more to look at"
    return Content.assemble((f"+{len(hidden)} {what} · x lists them", "$text-error bold"))


def _fitting(number: int, room: int) -> int:
    """How many of so many lines have a row each, where a row counts those that have none."""
    return number if number <= room else max(0, room - 1)


def _cut(rows: list[Content], may_have: int, width: int) -> list[Content]:
    """The first rows, the last of them ending in how much more there is."""
    rest = sum(len(row.plain) for row in rows[may_have - 1 :])
    *whole, last = rows[:may_have]
    told = f"… x: {rest:,} more"
    room = max(1, width - len(told))
    kept = last.truncate(room) if last.cell_length > room else last
    told = f"… x: {rest - len(kept.plain):,} more"
    return [*whole, Content.assemble(kept, (told, MUTED))]


class CardHead(PlainText):
    """The head of one card."""

    def __init__(self, card: Card) -> None:
        """Empty until it is told how much room there is."""
        super().__init__(id="card-head")
        self._card = card

    def fit(self, width: int, room: int) -> Head:
        """Fill so many rows at most."""
        head = Head(self._card, width, room)
        self.styles.height = len(head.rows)
        self.show(Content("\n").join(head.rows))
        return head
