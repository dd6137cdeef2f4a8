"""Compare two sessions side by side: what each said and did, and where they first differ."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Any

from sessions.events import Logged
from sessions.views.items import (
    AgentWords,
    AttentionCheck,
    CardAnswer,
    CardOutcome,
    CustomerWords,
    Ended,
    Fault,
    Interrupted,
    Item,
    LookUp,
    Note,
    Result,
)
from sessions.views.transcript import transcript

Turn = list[Item]
"""The customer's words and everything that followed from them."""


@dataclass(frozen=True, slots=True)
class Pair:
    """One row of the comparison; None on a side that has no counterpart."""

    left: Item | None
    right: Item | None
    same: bool
    """Whether the two items are equal; remarks about a session never count as a difference."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two sessions row by row."""

    pairs: tuple[Pair, ...]
    first: int | None
    """The row of the first difference; None if there is none."""

    @property
    def differences(self) -> int:
        """The number of rows in which the two sessions differ."""
        return sum(not pair.same for pair in self.pairs)

    @property
    def turn(self) -> int | None:
        """The turn of the first difference, 0 before the customer spoke; None if there is none."""
        if self.first is None:
            return None
        spoken = [_turn(each) for pair in self.pairs[: self.first + 1] for each in _both(pair)]
        return max((turn for turn in spoken if turn is not None), default=0)


def compare_logs(left: Sequence[Logged], right: Sequence[Logged]) -> Comparison:
    """Compare two logs turn by turn, so that one difference does not misalign all later rows."""
    turns = _turns_of_both(_turns(transcript(left)), _turns(transcript(right)))
    pairs = tuple(pair for one, other in turns for pair in _align(one, other))
    first = next((row for row, pair in enumerate(pairs) if not pair.same), None)
    return Comparison(pairs, first)


def signature(item: Item) -> str | None:
    """The parts of an item that matter in a comparison; None for remarks about a session.

    Ids, times, and positions in the log always differ between two sessions and are left out.
    """
    told = _essence(item)
    return None if told is None else json.dumps(told, sort_keys=True, default=str)


def _essence(item: Item) -> list[Any] | None:
    kind = type(item).__name__
    match item:
        case CustomerWords() | AgentWords() | CardAnswer():
            return [kind, item.text, item.about_card is not None]
        case LookUp():
            return [kind, item.name, item.arguments, item.result, item.error, item.ran]
        case CardOutcome(card=card, decision=made):
            decided = [made.decision, made.words, made.overrode, item.applied, item.error]
            return [kind, card.tool, card.arguments, card.sentence, card.after, *decided]
        case AttentionCheck():
            return None
        case Fault():
            return [kind, item.fault, item.partial]
        case Interrupted():
            return [kind, item.partial]
        case Ended():
            return [kind, item.reason]
        case Result():
            return [kind, item.scored.reward, item.scored.differences, item.scored.missing]
        case Note():
            return None


def _turns(items: Sequence[Item]) -> list[Turn]:
    """The items of each turn, preceded by those from before the customer first spoke."""
    turns: list[Turn] = [[]]
    for item in items:
        if _turn(item) is not None:
            turns.append([])
        turns[-1].append(item)
    return turns


def _turn(item: Item) -> int | None:
    """The number of the turn that an item begins; None if it begins none."""
    return item.turn if isinstance(item, CustomerWords) and item.about_card is None else None


def _turns_of_both(left: list[Turn], right: list[Turn]) -> Iterator[tuple[Turn, Turn]]:
    """Yield pairs of turns: those that begin with the same words, and the ones between in order."""
    matcher = SequenceMatcher(None, [*map(_words, left)], [*map(_words, right)], autojunk=False)
    for _, i, j, k, m in matcher.get_opcodes():
        yield from zip_longest(left[i:j], right[k:m], fillvalue=[])


def _words(turn: Turn) -> str:
    """The customer's words at the beginning of a turn; empty before the first turn."""
    return turn[0].text if turn and isinstance(turn[0], CustomerWords) else ""


def _align(left: Sequence[Item], right: Sequence[Item]) -> Iterator[Pair]:
    """Yield the rows for one turn of each side; remarks get rows of their own."""
    for one, other in zip_longest(_remarks(left), _remarks(right)):
        yield Pair(one, other, same=True)
    ours, theirs = _with_signatures(left), _with_signatures(right)
    matcher = SequenceMatcher(
        None, [text for _, text in ours], [text for _, text in theirs], autojunk=False
    )
    for change, i, j, k, m in matcher.get_opcodes():
        for own, others in zip_longest(ours[i:j], theirs[k:m], fillvalue=(None, "")):
            yield Pair(own[0], others[0], same=change == "equal")


def _remarks(items: Sequence[Item]) -> list[Item]:
    return [each for each in items if signature(each) is None]


def _with_signatures(items: Sequence[Item]) -> list[tuple[Item | None, str]]:
    return [(each, text) for each in items if (text := signature(each)) is not None]


def _both(pair: Pair) -> tuple[Item, ...]:
    return tuple(each for each in (pair.left, pair.right) if each is not None)
