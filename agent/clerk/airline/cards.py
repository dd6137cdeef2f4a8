"""What can be told about a card that waits for a change at the airline."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from agent.clerk.airline.bags import EXTRA_BAG, INSURANCE, free_bags
from agent.clerk.airline.memory import Memory
from agent.clerk.airline.wording import (
    REFUND_TIME,
    booked_flight,
    cabin,
    clock,
    count,
    method,
    money,
    name,
)
from agent.clerk.airline.words import phrase_table
from agent.clerk.card_questions import TOPICS, Waiting, sentence
from agent.clerk.remembering import Json
from agent.clerk.wording import join_parts


def _paying(card: Waiting) -> list[str]:
    """The payment methods that money comes from or goes to."""
    parts = card.arguments.get("payment_methods")
    if isinstance(parts, list):
        return [str(each.get("payment_id")) for each in parts if isinstance(each, dict)]
    single = card.arguments.get("payment_id")
    if isinstance(single, str):
        return [single]
    record = _record(card)
    rows = record["payment_history"] if record else []
    return list(dict.fromkeys(each["payment_id"] for each in rows))


def _record(card: Waiting) -> Json | None:
    memory: Memory = card.memory
    return memory.reservations.get(str(card.arguments.get("reservation_id")))


def _payment(card: Waiting) -> str:
    if not card.moves_money:
        return ""
    known = card.memory.methods
    named = [method(known.get(each), each) for each in _paying(card)]
    return f"That is your {join_parts(named)}." if named else ""


def _when(card: Waiting) -> str:
    if card.tool == "cancel_reservation":
        return f"The money comes back {REFUND_TIME}."
    return sentence(card.after(r"\b(?:days?|at once|immediately)\b"))


def _flights(card: Waiting) -> list[Json]:
    listed = card.arguments.get("flights")
    record = _record(card)
    found = listed if isinstance(listed, list) else record["flights"] if record else []
    return [each for each in found if isinstance(each, dict) and _is_named(each)]


def _is_named(flight: Json) -> bool:
    return all(isinstance(flight.get(key), str) for key in ("flight_number", "date"))


def _times(card: Waiting) -> str:
    """When the flights on the card leave and arrive."""
    times = card.memory.times
    told = [
        f"{booked_flight(each)} leaves at {clock(times[key][0])} and arrives at "
        f"{clock(times[key][1])}"
        for each in _flights(card)
        if (key := each["flight_number"]) in times
    ]
    return f"{join_parts(told)}." if told else ""


def _bags(card: Waiting) -> str:
    """How many bags there are, and how many of them are free."""
    total, paid = (card.arguments.get(key) for key in ("total_baggages", "nonfree_baggages"))
    record = _record(card)
    if not isinstance(total, int) or not isinstance(paid, int):
        return f"It has {count(record['total_baggages'], 'checked bag')}." if record else ""
    people = card.arguments.get("passengers") or (record or {}).get("passengers") or []
    name_ = str(card.arguments.get("cabin") or (record or {}).get("cabin") or "economy")
    free = free_bags(card.memory.membership, name_, len(people))
    return (
        f"{count(total, 'checked bag').capitalize()} in all: {free} would be free, and {paid} "
        f"{'is' if paid == 1 else 'are'} paid for at {money(EXTRA_BAG)} each."
    )


def _insurance(card: Waiting) -> str:
    told = card.arguments.get("insurance")
    if told == "yes":
        return f"Travel insurance is included, at {money(INSURANCE)} for each passenger."
    if told == "no":
        return f"No travel insurance is included; it would be {money(INSURANCE)} a passenger."
    record = _record(card)
    insured = record is not None and record.get("insurance") == "yes"
    return "The reservation has travel insurance." if insured else "It has no travel insurance."


def _passengers(card: Waiting) -> str:
    record = _record(card)
    people = card.arguments.get("passengers") or (record or {}).get("passengers") or []
    named = [f"{name(each)}, born {each.get('dob')}" for each in people if isinstance(each, dict)]
    return f"Passengers: {join_parts(named)}." if named else ""


def _cabin(card: Waiting) -> str:
    record = _record(card)
    told = card.arguments.get("cabin") or (record or {}).get("cabin")
    return f"It is {cabin(str(told))}." if told else ""


CARD_TOPICS: Mapping[str, Callable[[Waiting], str]] = {
    **TOPICS,
    "payment": _payment,
    "when": _when,
    "times": _times,
    "bags": _bags,
    "insurance": _insurance,
    "passengers": _passengers,
    "cabin": _cabin,
}

ASKED = phrase_table("cards", "asked")
"""Words of a question about a card, by what it is about."""
