"""Answers to questions about a card for a change at the airline."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from agent.clerk.airline.vocabulary import phrase_table
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
from agent.clerk.card_questions import TOPICS, WaitingCard, sentence
from agent.clerk.state.records import Json
from agent.clerk.wording import join_parts
from domains.airline.fares import EXTRA_BAG, INSURANCE, free_bags


def _trip(card: WaitingCard) -> Json:
    """The reservation, if one is known, with the call's arguments applied."""
    known = card.records.reservations.get(str(card.arguments.get("reservation_id")), {})
    return {**known, **card.arguments}


def _rows(card: WaitingCard, name_: str, *keys: str) -> list[Json]:
    """The entries of a list in the reservation that have text under all these keys."""
    listed = _trip(card).get(name_)
    rows = listed if isinstance(listed, list) else []
    return [e for e in rows if isinstance(e, dict) and all(isinstance(e.get(k), str) for k in keys)]


def _payment(card: WaitingCard) -> str:
    """The payment methods that are charged or refunded."""
    rows = _rows(card, "payment_methods", "payment_id")
    rows = rows or _rows(card, "payment_history", "payment_id")
    single = card.arguments.get("payment_id")
    ids = [str(single)] if single else [each["payment_id"] for each in rows]
    named = [method(card.records.methods.get(each), each) for each in dict.fromkeys(ids)]
    return f"That is your {join_parts(named)}." if named and card.moves_money else ""


def _when(card: WaitingCard) -> str:
    if card.tool == "cancel_reservation":
        return f"You get the money back {REFUND_TIME}."
    return sentence(card.after(r"\b(?:days?|at once|immediately)\b"))


def _times(card: WaitingCard) -> str:
    """The departure and arrival times of the flights on the card."""
    times = card.records.times
    told = [
        f"{booked_flight(each)} leaves at {clock(times[key][0])} and arrives at "
        f"{clock(times[key][1])}"
        for each in _rows(card, "flights", "flight_number", "date")
        if (key := each["flight_number"]) in times
    ]
    return f"{join_parts(told)}." if told else ""


def _bags(card: WaitingCard) -> str:
    """The number of bags, and how many of them are free."""
    trip = _trip(card)
    total, paid = trip.get("total_baggages"), trip.get("nonfree_baggages")
    if not isinstance(total, int) or not isinstance(paid, int):
        return ""
    people = _rows(card, "passengers", "first_name")
    free = free_bags(card.records.membership, str(trip.get("cabin", "economy")), len(people))
    return (
        f"{count(total, 'checked bag').capitalize()} in all: {free} would be free, and {paid} "
        f"{'is' if paid == 1 else 'are'} paid for at {money(EXTRA_BAG)} each."
    )


def _insurance(card: WaitingCard) -> str:
    if _trip(card).get("insurance") == "yes":
        return f"Travel insurance is included, at {money(INSURANCE)} for each passenger."
    return f"No travel insurance is included; with a booking it is {money(INSURANCE)} a passenger."


def _passengers(card: WaitingCard) -> str:
    people = _rows(card, "passengers", "first_name", "last_name", "dob")
    named = [f"{name(each)}, born {each['dob']}" for each in people]
    return f"Passengers: {join_parts(named)}." if named else ""


CARD_TOPICS: Mapping[str, Callable[[WaitingCard], str]] = {
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
"""Phrases that mark a question about a card, by topic."""
