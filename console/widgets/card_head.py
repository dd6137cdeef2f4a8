"""The head of a card, which never scrolls: what the change does, and the objections to it.

It fills at most the rows it is given. Lines that do not fit are counted in the head and shown in
full further down, so that nothing is left out silently.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from textual.content import Content

from console.widgets.card_lines import (
    CardLine,
    against_lines,
    lines_of_request,
    sentence_line,
    undone_lines,
)
from console.widgets.plain import MUTED, PlainText
from sessions.events import Card

LONGEST_SENTENCE = 5
"""The most rows for the sentence, however large the screen is."""

LONGEST_UNDONE = 2
"""The most rows for the reason why the change cannot be undone."""

RESERVED_SENTENCE_ROWS = 3
"""The rows reserved for the sentence first, as long as they are at most half of all rows."""


LEAST_OF_SENTENCE = 2
"""The rows kept for the sentence if objections would otherwise have no row."""

ROOM_FOR_UNDONE = 3
"""With more rows than this besides the sentence's, one is kept for "Can't be undone"."""


@dataclass(slots=True)
class _Place:
    """A line of the head, the number of rows it has, and the most it may have."""

    line: CardLine
    rows: int
    longest: int


class Head:
    """The rows of a card's head at one width, and the lines that are missing from them."""

    def __init__(self, card: Card, width: int, room: int) -> None:
        """`width` is in columns; `room` is the number of rows available, at least three."""
        self._width, room = max(12, width), max(3, room)
        sentence, against = sentence_line(card), against_lines(card)
        sure = min(len(self._wrap(sentence)), RESERVED_SENTENCE_ROWS, max(1, room // 2))
        if len(against) > room - sure:
            sure = min(sure, LEAST_OF_SENTENCE)
        kept_free = bool(undone_lines(card)) and room - sure > ROOM_FOR_UNDONE
        shown = _most_decisive(against, _fitting(len(against), room - sure - kept_free))
        hidden = [each for each in against if each not in shown]
        left = room - sure - len(shown) - bool(hidden)
        undone = undone_lines(card)[: max(0, left)]
        due = sum(self._longest(each) - 1 for each in shown)
        asked = lines_of_request(card)[: max(0, left - len(undone) - due)]
        self.moved_lines = [
            *(each for each in lines_of_request(card) if not asked),
            *(each for each in undone_lines(card) if not undone),
        ]
        """Lines that the body of the card has to show instead."""

        self.cut_lines: list[CardLine] = []
        """Lines that neither the head nor the body shows in full, in order."""

        first = _Place(sentence, sure, LONGEST_SENTENCE)
        speaking = [_Place(each, 1, each.rows) for each in shown]
        why = [_Place(each, 1, LONGEST_UNDONE) for each in undone]
        self._share((*speaking, first, *why), left - len(undone) - len(asked))
        said = [_Place(each, 1, 1) for each in asked]
        self.rows = [row for each in (first, *said, *why, *speaking) for row in self._rows_of(each)]
        if hidden:
            self.cut_lines += hidden
            self.rows.append(_more(hidden))

    def _longest(self, each: CardLine) -> int:
        """The number of rows that a line of the objections takes if there is enough room."""
        return min(len(self._wrap(each)), each.rows)

    def _share(self, places: Iterable[_Place], left: int) -> None:
        """Give the remaining rows to the lines that need more, in order of importance."""
        for each in places:
            needed = min(len(self._wrap(each.line)), each.longest) - each.rows
            more = max(0, min(needed, left))
            each.rows += more
            left -= more

    def _wrap(self, each: CardLine) -> list[Content]:
        return each.words.wrap(self._width - each.indent)

    def _rows_of(self, place: _Place) -> Iterator[Content]:
        """Yield the rows of a line, the first one with its sign."""
        each, rows = place.line, self._wrap(place.line)
        if len(rows) > place.rows:
            self.cut_lines.append(each)
            rows = _cut(rows, place.rows, self._width - each.indent)
        for number, row in enumerate(rows):
            sign = (each.sign if number == 0 else "").ljust(each.indent)
            yield Content.assemble((sign, each.style), row.stylize(each.style))


def _more(hidden: list[CardLine]) -> Content:
    what = "more against it" if any(each.is_against for each in hidden) else "more to look at"
    return Content.assemble((f"+{len(hidden)} {what} · x lists them", "$text-error bold"))


def _most_decisive(against: list[CardLine], number: int) -> list[CardLine]:
    """Return `number` of the lines in their order: one of each kind before a second of any."""
    signs = [each.sign for each in against]
    by_kind = sorted(range(len(against)), key=lambda place: signs[:place].count(signs[place]))
    return [against[place] for place in sorted(by_kind[:number])]


def _fitting(number: int, room: int) -> int:
    """How many of `number` lines get a row, if one row is needed to count the rest."""
    return number if number <= room else max(0, room - 1)


def _cut(rows: list[Content], may_have: int, width: int) -> list[Content]:
    """Return the first `may_have` rows; the last one ends in the number of characters left out."""
    rest = sum(len(row.plain) for row in rows[may_have - 1 :])
    *whole, last = rows[:may_have]
    told = f"… x: {rest:,} more"
    room = max(1, width - len(told))
    kept = last.truncate(room) if last.cell_length > room else last
    told = f"… x: {rest - len(kept.plain):,} more"
    return [*whole, Content.assemble(kept, (told, MUTED))]


class CardHead(PlainText):
    """Shows the head of one card."""

    def __init__(self, card: Card) -> None:
        """Empty until :meth:`fit` is called."""
        super().__init__(id="card-head")
        self._card = card

    def fit(self, width: int, room: int) -> Head:
        """Fill at most `room` rows."""
        head = Head(self._card, width, room)
        self.styles.height = len(head.rows)
        self.show(Content("\n").join(head.rows))
        return head
