"""Two sessions in two columns of a terminal, with the first difference marked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from textwrap import wrap
from typing import Literal

from rich.cells import chop_cells, set_cell_size

from domains.text.quantity import quantity
from sessions.cleaning import clean
from sessions.views import CardOutcome, Interrupted, Item, LookUp, Note
from sessions.views.comparing import Comparison, Pair
from sessions.views.describing import describe

Kind = Literal["same", "first", "different", "remark", "heading"]

BEFORE = 3
"""Rows that are shown before the first difference; the earlier ones are only counted."""

_MARKS: dict[Kind, str] = {
    "same": " │ ", "first": " ▶ ", "different": " ≠ ", "remark": " · ", "heading": "",
}  # fmt: skip
_LONGEST = 600
"""Characters shown of one item."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of both columns, each padded to its width."""

    left: str
    right: str
    kind: Kind

    @property
    def mark(self) -> str:
        """The mark between the columns; empty for a heading, which spans both."""
        return _MARKS[self.kind]

    @property
    def text(self) -> str:
        """The whole line."""
        return f"{self.left}{self.mark}{self.right}".rstrip()


def lines(comparison: Comparison, width: int, *, whole: bool = False) -> Iterator[Line]:
    """Yield a comparison laid out in `width` columns.

    Without ``whole``, most of the equal rows at the start are only counted.
    """
    column = max(10, (width - 3) // 2)
    start = 0 if whole else _start(comparison)
    if start:
        yield from _heading(f"{quantity(start, 'row')} the same in both", column)
    for number, pair in enumerate(comparison.pairs[start:], start):
        if number == comparison.first:
            yield from _heading(f"first difference · {_turn(comparison)}", column)
        yield from _lay_out(pair, column, first=number == comparison.first)


def summary(comparison: Comparison) -> str:
    """How two sessions compare, in a sentence."""
    if comparison.first is None:
        return "The two sessions do not differ."
    same, differ = quantity(comparison.first, "equal row"), quantity(comparison.differences, "row")
    return (
        f"They diverge in {_turn(comparison)}, after {same}; {differ} "
        f"differ{'s' if comparison.differences == 1 else ''}."
    )


def item_text(item: Item, *, results: bool = True) -> str:
    """An item in words; with ``results``, also what a look-up returned."""
    described = describe(item).line
    match item:
        case LookUp() if results:
            return f"{described} → {item.result}"
        case CardOutcome(card=card):
            after = "".join(f"\n  → {each}" for each in card.after)
            return f"▣ {card.sentence}{after}\n  {item.headline}"
        case Interrupted():
            return f"{described} {item.partial}".strip()
        case _:
            return described


def _start(comparison: Comparison) -> int:
    """The index of the first row to show."""
    last = len(comparison.pairs) if comparison.first is None else comparison.first
    return max(0, last - BEFORE)


def _lay_out(pair: Pair, column: int, *, first: bool) -> Iterator[Line]:
    kind: Kind = "first" if first else "same" if pair.same else "different"
    if isinstance(pair.left or pair.right, Note):
        kind = "remark"
    results = _only_results_differ(pair)
    sides = [_break_lines(each, column, results=results) for each in (pair.left, pair.right)]
    for left, right in zip_longest(*sides, fillvalue=""):
        yield Line(set_cell_size(left, column), set_cell_size(right, column), kind)


def _only_results_differ(pair: Pair) -> bool:
    """Whether the same look-up returned different results; only then are results shown."""
    match pair.left, pair.right:
        case LookUp() as left, LookUp() as right if not pair.same:
            return (left.name, left.arguments) == (right.name, right.arguments)
        case _:
            return False


def _break_lines(item: Item | None, column: int, *, results: bool) -> Sequence[str]:
    """An item's words broken into lines that fit; wide characters count as two columns."""
    if item is None:
        return ()
    text = clean(item_text(item, results=results))
    text = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
    broken = (piece for line in text.splitlines() for piece in wrap(line, column) or [""])
    return [part for piece in broken for part in chop_cells(piece, column) or [""]]


def _heading(text: str, column: int) -> Iterator[Line]:
    yield Line(f"── {text} ".ljust(2 * column + 3, "─"), "", "heading")


def _turn(comparison: Comparison) -> str:
    return f"turn {comparison.turn}" if comparison.turn else "what was before the first turn"


def as_object(comparison: Comparison) -> dict[str, object]:
    """A comparison as one JSON object."""
    return {
        "same": comparison.first is None,
        "turn": comparison.turn,
        "first": comparison.first,
        "differences": comparison.differences,
        "rows": [
            {"left": _side(pair.left), "right": _side(pair.right), "same": pair.same}
            for pair in comparison.pairs
        ],
    }


def _side(item: Item | None) -> dict[str, object] | None:
    return None if item is None else {"seq": item.seq, "text": clean(item_text(item))}
