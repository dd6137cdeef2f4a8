"""Answers to questions about a card for a change at the airline."""

from __future__ import annotations

import re
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
    trip,
)
from agent.clerk.card_questions.shared_answers import (
    SHARED_TOPICS,
    amount,
    is_yes_or_no,
    later,
    not_used,
)
from agent.clerk.card_questions.waiting_card import WaitingCard, as_sentence
from agent.clerk.state.records import Json
from agent.clerk.understanding.tokens import has, tokens
from agent.clerk.wording import join_parts
from domains.airline.fares import EXTRA_BAG, INSURANCE, free_bags

CANCEL, BOOK = "cancel_reservation", "book_reservation"
_STILL = {
    BOOK: (
        "It can be cancelled for a full refund within 24 hours of booking; outside basic economy "
        "its flights can be changed."
    ),
    "update_reservation_flights": "What is not in basic economy can be changed again.",
    "update_reservation_passengers": "Names can be corrected again.",
    "update_reservation_baggages": "Bags can still be added.",
}
"""What will still be possible, by the tool."""

_BUSINESS = " In business it can be cancelled for any reason before the first flight, for a refund."
_FLYING = ("fly", "flight", "flights", "leave", "land", "depart", "arrive", "airport", "boarding")
_BALANCES = ("certificate", "certificates", "gift", "other")
_SEVERAL = ("both", "all", "each", "everyone", "everybody", "us", "two", "whole")


def _known(card: WaitingCard) -> Json:
    """The reservation as it was read; empty if there is none."""
    found: Json = card.records.reservations.get(str(card.arguments.get("reservation_id")), {})
    return found


def _trip(card: WaitingCard) -> Json:
    """The reservation, if one is known, with the call's arguments applied."""
    return {**_known(card), **card.arguments}


def _rows(record: Json, name_: str, *keys: str) -> list[Json]:
    """The entries of a list in a record that have text under all these keys."""
    listed = record.get(name_)
    rows = listed if isinstance(listed, list) else []
    return [e for e in rows if isinstance(e, dict) and all(isinstance(e.get(k), str) for k in keys)]


def _later(card: WaitingCard) -> str:
    """What will still be possible; in business that includes cancelling for any reason."""
    business = card.arguments.get("cabin") == "business"
    return f"{later(card, _STILL)}{_BUSINESS if business else ''}"


def _payment(card: WaitingCard) -> str:
    """The payment methods that are charged or refunded."""
    rows = _rows(_trip(card), "payment_methods", "payment_id")
    rows = rows or _rows(_trip(card), "payment_history", "payment_id")
    single = card.arguments.get("payment_id")
    ids = [str(single)] if single else [each["payment_id"] for each in rows]
    named = [method(card.records.methods.get(each), each) for each in dict.fromkeys(ids)]
    paid = f"That is your {join_parts(named)}." if named and card.moves_money else ""
    return f"{paid} {not_used(card, _BALANCES)}".strip()


def _when(card: WaitingCard) -> str:
    if has(tokens(card.question), *_FLYING):
        return _times(card)
    lines = as_sentence(card.after(r"\b(?:days?|at once|immediately)\b"))
    refunds = "back" in tokens(card.money)
    return lines or (f"You get the money back {REFUND_TIME}." if refunds else "")


def _flights(record: Json) -> list[Json]:
    return _rows(record, "flights", "flight_number", "date")


def _times(card: WaitingCard) -> str:
    """When the flights on the card leave and arrive, and whether they are nonstop."""
    times = card.records.times
    flights = [each for each in _flights(_trip(card)) if each["flight_number"] in times]
    told = []
    for each in flights:
        leaves, arrives = map(clock, times[each["flight_number"]])
        told.append(f"{booked_flight(each)} leaves at {leaves} and arrives at {arrives}")
    if not told:
        return ""
    ways = 2 if _trip(card).get("flight_type") == "round_trip" else 1
    stops = "Nonstop: " if len(flights) == ways else ""
    return f"{stops}{join_parts(told)}."


def _bags(card: WaitingCard) -> str:
    """The number of bags, and how many of them are free."""
    of = _trip(card)
    total, paid = of.get("total_baggages"), of.get("nonfree_baggages")
    if not isinstance(total, int) or not isinstance(paid, int):
        return ""
    people = _rows(of, "passengers", "first_name")
    free = free_bags(card.records.membership, str(of.get("cabin", "economy")), len(people))
    return (
        f"{count(total, 'checked bag').capitalize()} in all: {free} would be free, and {paid} "
        f"{'is' if paid == 1 else 'are'} paid for at {money(EXTRA_BAG)} each."
    )


def _amount(card: WaitingCard) -> str:
    """What it costs or brings back; of bags and insurance, if the question is about those."""
    words = tokens(card.question)
    if has(words, "bag", "bags", "luggage", "suitcase", "suitcases") and _bags(card):
        return _bags(card)
    return _insurance(card) if has(words, "insurance", "insured") else amount(card)


def _insurance(card: WaitingCard) -> str:
    if _trip(card).get("insurance") == "yes":
        return f"Travel insurance is included, at {money(INSURANCE)} for each passenger."
    return f"No travel insurance is included; with a booking it is {money(INSURANCE)} a passenger."


def _people(card: WaitingCard) -> str:
    """Who is on it; a yes or a no if the question names somebody or asks for several."""
    people = _rows(_trip(card), "passengers", "first_name", "last_name", "dob")
    if not people:
        return ""
    words, lead = tokens(card.question), ""
    if is_yes_or_no(card.question) and has(words, *_SEVERAL):
        lead = "Yes: " if len(people) > 1 else "No: only "
    elif is_yes_or_no(card.question) and has(words, *(e["first_name"].lower() for e in people)):
        lead = "Yes: "
    told = [f"{name(each)}, born {each['dob']}" for each in people]
    return f"{lead}{count(len(people), 'passenger')}: {join_parts(told)}."


def _cabin(card: WaitingCard) -> str:
    told = _trip(card).get("cabin")
    return f"It is {cabin(str(told))}." if told else ""


def _contents(card: WaitingCard) -> str:
    """Which reservation it is, with its flights as they are now."""
    known = _known(card)
    if not known:
        return card.sentence
    flights = join_parts(booked_flight(each) for each in known["flights"])
    people = join_parts(name(each) for each in known["passengers"])
    seats = f"now in {cabin(known['cabin'])} on {flights}, for {people}"
    return f"It is reservation {trip(known)}, {seats}."


def _others(card: WaitingCard) -> str:
    """What other reservations stay as they are."""
    if _names_day_of(card, _known(card)):
        return _keep(card)
    own = card.arguments.get("reservation_id")
    others = [each for each in card.records.reservation_ids if each != own]
    known = card.records.reservations
    named = [trip(known[each]) if each in known else each for each in others]
    stay = f"{join_parts(named)} {'stays as it is' if len(named) == 1 else 'stay as they are'}."
    kept = f" Of your other reservations, {stay}" if named else ""
    return f"It changes nothing but {f'reservation {own}' if own else 'what it says'}.{kept}"


def _names_day_of(card: WaitingCard, record: Json) -> bool:
    """Whether a question names a day on which a reservation flies."""
    days = {str(int(each["date"][-2:])) for each in _flights(record)}
    return not days.isdisjoint(re.findall(r"\d+", card.question))


def _keep(card: WaitingCard) -> str:
    """What stays of the reservation itself."""
    known = _known(card)
    if card.tool == CANCEL:
        return "The whole reservation would be cancelled, with all flights and extras."
    if not known:
        return ""
    bags = count(int(known["total_baggages"]), "checked bag")
    insured = "insured" if known["insurance"] == "yes" else "not insured"
    lines = [line.removeprefix("as before: ") for line in card.after("^as before: ")]
    flights = [line for line in lines if "→" in line]
    then = join_parts([*flights, bags, insured, count(len(known["passengers"]), "passenger")])
    return f"Only what the card says changes. This stays as booked: {then}."


def _before(card: WaitingCard) -> str:
    """The reservation as it is now."""
    known = _known(card)
    if not known:
        return ""
    flights = join_parts(booked_flight(each) for each in known["flights"])
    bags = count(int(known["total_baggages"]), "checked bag")
    people = join_parts(name(each) for each in known["passengers"])
    return f"At the moment it is {flights}, in {cabin(known['cabin'])}, with {bags}, for {people}."


def _balance(card: WaitingCard) -> str:
    """What is on gift cards and certificates now, and how the change affects it."""
    kept = [
        method(each)
        for each in card.records.methods.values()
        if each.get("source") != "credit_card"
    ]
    if not kept:
        return "There is no gift card or travel certificate on your profile."
    then = as_sentence(card.after("gift card|certificate")) or "This changes nothing about it."
    return f"You have {join_parts(kept)} now. {then}"


CARD_TOPICS: Mapping[str, Callable[[WaitingCard], str]] = {
    **SHARED_TOPICS,
    "later": _later,
    "payment": _payment,
    "when": _when,
    "times": _times,
    "amount": _amount,
    "bags": _bags,
    "insurance": _insurance,
    "people": _people,
    "cabin": _cabin,
    "contents": _contents,
    "others": _others,
    "keep": _keep,
    "before": _before,
    "new_one": lambda card: " ".join(filter(None, [_times(card), _cabin(card)])),
    "balance": _balance,
}
