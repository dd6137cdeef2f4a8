"""The changes that a customer still wants: the acceptable ends minus the approved changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agent.simulated.customer import CardPut, Heard
from domains.core.canonical import canonical
from domains.core.tool import ToolCall
from sessions.events import Card

End = tuple[ToolCall, ...]

_WHOSE = ("user_id", "payment_id", "payment_method_id")
"""Ids of the payer and the payment; changes that share no other id concern different records."""

_IN_ORDER = frozenset({"payment_methods", "flights"})
"""Lists whose order matters."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The changes still open in each end that can still be reached."""

    ends: tuple[End, ...]

    @property
    def next(self) -> ToolCall | None:
        """The change to ask for next, taken from the first end that can still be reached.

        Only that end counts, so a customer who could also leave things as they are still asks for
        what they came for.
        """
        return next((call for end in self.ends[:1] for call in end), None)

    def holds(self, card: Card) -> bool:
        """Whether the card's change is still open in some end."""
        return any(_place(end, card) is not None for end in self.ends)

    def of_tool(self, tool: str) -> bool:
        """Whether a change of that kind is still open."""
        return any(call.name == tool for end in self.ends for call in end)

    def call_closed_by(self, card: Card) -> ToolCall | None:
        """An open change that must come before the card's, and that the card would make impossible.

        Such a card says that something is no longer possible, and is about the same record.
        """
        if not card.closes:
            return None
        befores = [
            _before(end[:place], card)
            for end in self.ends
            if (place := _place(end, card)) is not None
        ]
        return befores[0] if befores and all(befores) else None


def remaining_calls(ends: Sequence[Sequence[ToolCall]], heard: Sequence[Heard]) -> Wanted:
    """What is still wanted after the cards that the customer approved."""
    approved = [
        each.card for each in heard if isinstance(each, CardPut) and each.choice == "approve"
    ]
    left = (_without(tuple(end), approved) for end in ends)
    return Wanted(tuple(end for end in left if end is not None))


def same_change(tool: str, arguments: Mapping[str, Any], call: ToolCall) -> bool:
    """Whether a card's change is the same as the call's.

    The order of listed items or people does not matter, but that of payments and flights does.
    """
    return tool == call.name and _without_order(arguments) == _without_order(call.arguments)


def _without(end: End, cards: Sequence[Card]) -> End | None:
    """An end without the changes on these cards; None if one of them is not part of it."""
    for card in cards:
        place = _place(end, card)
        if place is None:
            return None
        end = (*end[:place], *end[place + 1 :])
    return end


def _place(end: Sequence[ToolCall], card: Card) -> int | None:
    places = (n for n, call in enumerate(end) if same_change(card.tool, card.arguments, call))
    return next(places, None)


def _before(calls: Sequence[ToolCall], card: Card) -> ToolCall | None:
    """The first of these changes that is about the same record as the card."""
    about = _ids(card.arguments)
    return next((call for call in calls if about & _ids(call.arguments)), None)


def _ids(arguments: Mapping[str, Any]) -> set[str]:
    return {
        str(value) for key, value in arguments.items() if key.endswith("_id") and key not in _WHOSE
    }


def _without_order(arguments: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Plain values, and the lists combined row by row and sorted, so that order does not count."""
    lists = {
        key: value
        for key, value in sorted(arguments.items())
        if isinstance(value, list) and key not in _IN_ORDER
    }
    plain = {key: value for key, value in arguments.items() if key not in lists}
    if len({len(value) for value in lists.values()}) > 1:
        return plain, [canonical([key, sorted(map(canonical, lists[key]))]) for key in lists]
    lines = zip(*lists.values(), strict=True)
    return plain, [canonical(list(lists)), *sorted(canonical(list(line)) for line in lines)]
