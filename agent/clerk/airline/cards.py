"""What can be told about a card that waits for a change at the airline."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from agent.clerk.airline.wording import (
    REFUND_TIME,
    booked_flight,
    cabin,
    clock,
    count,
    method,
    money,
    name,
)  # fmt: skip
from agent.clerk.airline.words import phrase_table
from agent.clerk.card_questions import TOPICS, Waiting, sentence
from agent.clerk.state.records import Json
from agent.clerk.wording import join_parts
from domains.airline.fares import EXTRA_BAG, INSURANCE, free_bags


def _trip(card: Waiting) -> Json:
    """The reservation as the call would have it."""
    known = card.memory.reservations.get(str(card.arguments.get("reservation_id")), {})
    return {**known, **card.arguments}


def _rows(card: Waiting, name_: str, *keys: str) -> list[Json]:
    """The entries of one of its lists, such as have these parts."""
    listed = _trip(card).get(name_)
    rows = listed if isinstance(listed, list) else []
    return [e for e in rows if isinstance(e, dict) and all(isinstance(e.get(k), str) for k in keys)]


def _payment(card: Waiting) -> str:
    """The payment methods that money comes from or goes to."""
    rows = _rows(card, "payment_methods", "payment_id")
    rows = rows or _rows(card, "payment_history", "payment_id")
    single = card.arguments.get("payment_id")
    ids = [str(single)] if single else [each["payment_id"] for each in rows]
    named = [method(card.memory.methods.get(each), each) for each in dict.fromkeys(ids)]
    return f"That is your {join_parts(named)}." if named and card.moves_money else ""


def _when(card: Waiting) -> str:
    if card.tool == "cancel_reservation":
        return f"The money comes back {REFUND_TIME}."
    return sentence(card.after(r"\b(?:days?|at once|immediately)\b"))


def _times(card: Waiting) -> str:
    """When the flights on the card leave and arrive."""
    times = card.memory.times
    told = [
        f"{booked_flight(each)} leaves at {clock(times[key][0])} and arrives at "
        f"{clock(times[key][1])}"
        for each in _rows(card, "flights", "flight_number", "date")
        if (key := each["flight_number"]) in times
    ]
    return f"{join_parts(told)}." if told else ""


def _bags(card: Waiting) -> str:
    """How many bags there are, and how many of them are free."""
    trip = _trip(card)
    total, paid = trip.get("total_baggages"), trip.get("nonfree_baggages")
    if not isinstance(total, int) or not isinstance(paid, int):
        return ""
    people = _rows(card, "passengers", "first_name")
    free = free_bags(card.memory.membership, str(trip.get("cabin", "economy")), len(people))
    return (
        f"{count(total, 'checked bag').capitalize()} in all: {free} would be free, and {paid} "
        f"{'is' if paid == 1 else 'are'} paid for at {money(EXTRA_BAG)} each."
    )


def _insurance(card: Waiting) -> str:
    if _trip(card).get("insurance") == "yes":
        return f"Travel insurance is included, at {money(INSURANCE)} for each passenger."
    return f"No travel insurance is included; with a booking it is {money(INSURANCE)} a passenger."


def _passengers(card: Waiting) -> str:
    people = _rows(card, "passengers", "first_name", "last_name", "dob")
    named = [f"{name(each)}, born {each['dob']}" for each in people]
    return f"Passengers: {join_parts(named)}." if named else ""


CARD_TOPICS: Mapping[str, Callable[[Waiting], str]] = {
    **TOPICS,
    "payment": _payment,
    "when": _when,
    "times": _times,
    "bags": _bags,
    "insurance": _insurance,
    "passengers": _passengers,
    "cabin": lambda card: (
        f"It is {cabin(str(told))}." if (told := _trip(card).get("cabin")) else ""
    ),
}

ASKED = phrase_table("asked_of_cards")
"""Words of a question about a card, by what it is about."""
