"""Answers to questions about a card for a change at the airline."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from agent.clerk.airline import wording
from agent.clerk.airline.card_trip import (
    flight_times,
    flights_of,
    known_reservation,
    other_flights,
    rows_of,
    time_of_day,
    trip_on,
)
from agent.clerk.airline.compensation import CERTIFICATE
from agent.clerk.airline.known_records import CABINS, amount_paid
from agent.clerk.airline.replies import sums
from agent.clerk.airline.wording import booked_flight, cabin, count, money, name, trip
from agent.clerk.card_questions import asked
from agent.clerk.card_questions import money_answers as paying
from agent.clerk.card_questions import shared_answers as shared
from agent.clerk.card_questions.topics import tells
from agent.clerk.card_questions.waiting_card import WaitingCard, as_sentence
from agent.clerk.state.records import Json
from agent.clerk.understanding.tokens import has, tokens
from agent.clerk.wording import join_parts
from domains.airline.fares import EXTRA_BAG, INSURANCE, free_bags

_PARTS = ("flights", "cabin", "bags", "insurance", "passengers")
CANCEL, _BAGS = "cancel_reservation", "update_reservation_baggages"
_WORTH = re.compile(r"(\d+) × (\$[\d.,]+) = (\$[\d.,]*\d)")
"""How the worth of a certificate is told on its card: passengers, dollars for each, and in all."""


def _when(card: WaitingCard) -> str:
    flies = tells(tokens(card.question), "flying") and not asked.asks_of_money(card)
    return flight_times(card) if flies else paying.when(card)


def _bags(card: WaitingCard) -> str:
    """The number of bags, and how many of them are free."""
    of = trip_on(card)
    total, paid = of.get("total_baggages"), of.get("nonfree_baggages")
    if not isinstance(total, int) or not isinstance(paid, int):
        return ""
    people = len(rows_of(of, "passengers", "first_name"))
    free = free_bags(card.records.membership, str(of.get("cabin", "economy")), people)
    are = "is" if paid == 1 else "are"
    more = f", and {paid} {are} paid for at {money(EXTRA_BAG)} each, once for the whole trip"
    fact = f"{count(total, 'checked bag')} in all: {free} would be free{more if paid else ''}"
    known, words = known_reservation(card), tokens(card.question)
    added, charged = total - known.get("total_baggages", 0), paid - known.get("nonfree_baggages", 0)
    if not tells(words, "free"):
        return as_sentence([fact])
    some = charged < added if added else not paid
    used_up = "" if some or not added else "the free ones are used up; "
    return asked.reply(card, f"{used_up}{fact}", some != has(words, "none", "neither"))


def _amount(card: WaitingCard) -> str:
    """What it costs or brings back; of bags and insurance, if the question is about those."""
    words = tokens(card.question)
    free = tells(words, "free") and card.tool == _BAGS
    if (free or tells(words, "bags")) and _bags(card):
        return _bags(card)
    if tells(words, "insurance"):
        return _insurance(card)
    known = known_reservation(card)
    return paying.amount(card, amount_paid(known) if known else 0.0)


def _certificate(card: WaitingCard) -> str:
    """What a certificate is worth for each passenger, and where it goes; empty on other cards."""
    found = _WORTH.search(card.sentence) if card.tool == CERTIFICATE else None
    if found is None:
        return ""
    people, each, whole = found.groups()
    share = f", {each} for each of the {people} passengers" if people != "1" else ""
    return f"It is one certificate worth {whole}{share}, and it goes to your profile."


def _or_certificate(answer: Callable[[WaitingCard], str]) -> Callable[[WaitingCard], str]:
    """An answer, or what is known of the certificate on a card for one."""
    return lambda card: _certificate(card) or answer(card)


def _insurance(card: WaitingCard) -> str:
    if trip_on(card).get("insurance") == "yes":
        return f"Travel insurance is included, at {money(INSURANCE)} for each passenger."
    if card.tool == "book_reservation":
        price = f"it would be {money(INSURANCE)} a passenger"
        return f"No travel insurance is included; {price}, and it can't be added later."
    return "No, travel insurance is not included, and it can only be added when booking."


def _people(card: WaitingCard) -> str:
    """Who is on it; a yes or a no if the question names somebody or asks for several."""
    people = rows_of(trip_on(card), "passengers", "first_name", "last_name", "dob")
    words = tokens(card.question)
    named = has(words, *(each["first_name"].lower() for each in people)) or None
    holds = len(people) > 1 if tells(words, "several") else named
    told = join_parts(f"{name(each)}, born {each['dob']}" for each in people)
    fact = f"{'only ' if holds is False else ''}{count(len(people), 'passenger')}: {told}"
    return asked.reply(card, fact, holds) if people else ""


def _cabin(card: WaitingCard) -> str:
    """The cabin and its flights; whether it is the one that the question names, if it does."""
    if "cabin" not in trip_on(card):
        return ""
    parts, words = _parts(trip_on(card)), tokens(card.question)
    named = [cabin(each) for each in CABINS if has(words, cabin(each))][:1]
    on = f" on {parts['flights']}" if parts["flights"] else ""
    holds = (named == [parts["cabin"]]) != asked.denies(words) if named else None
    return asked.reply(card, f"{parts['cabin']}{on}", holds)


def _parts(record: Json) -> dict[str, str]:
    """What a reservation consists of."""
    bags = record.get("total_baggages")
    return {
        "flights": join_parts(map(booked_flight, flights_of(record))),
        "cabin": cabin(str(record.get("cabin"))),
        "bags": count(bags, "checked bag") if isinstance(bags, int) else "",
        "insurance": f"{'' if record.get('insurance') == 'yes' else 'no '}travel insurance",
        "passengers": join_parts(map(name, rows_of(record, "passengers", "first_name"))),
    }


def _contents(card: WaitingCard) -> str:
    """Which reservation it is, as it is now."""
    known = known_reservation(card)
    if not known:
        return card.sentence if flights_of(card.arguments) else ""
    now = "now {flights} in {cabin}, with {bags}, for {passengers}".format(**_parts(known))
    return f"It is reservation {trip(known)}: {now}."


def _others(card: WaitingCard) -> str:
    """What other reservations stay as they are."""
    own, known = card.arguments.get("reservation_id"), card.records.reservations
    others = [each for each in card.records.reservation_ids if each != own]
    named = join_parts(trip(known[each]) if each in known else each for each in others)
    kept = f" Your other reservations stay as they are: {named}." if named else ""
    return f"It changes nothing but {f'reservation {own}' if own else 'what it says'}.{kept}"


def _asked(card: WaitingCard) -> list[str]:
    """The parts of the reservation that a question names; its flights by their days, too."""
    days = {str(int(each["date"][-2:])) for each in flights_of(known_reservation(card))}
    if not days.isdisjoint(re.findall(r"\d+", card.question)):
        return ["flights"]
    return [e for e in _PARTS if tells(tokens(card.question), e)]


def _keep(card: WaitingCard) -> str:
    """What stays of the reservation itself: whether what the question is about does, or all."""
    if card.tool == CANCEL:
        return "The whole reservation would be cancelled, with all flights and extras."
    known = known_reservation(card)
    if not known:
        return ""
    parts_asked, after = _asked(card), {*_parts(trip_on(card)).items()}
    parts = {part: text for part, text in _parts(known).items() if (part, text) in after}
    legs = [line.removeprefix("as before: ") for line in card.after("^as before: ") if "→" in line]
    parts = {"flights": join_parts(legs), **parts}
    kept = [parts[part] for part in parts_asked or parts if parts.get(part)]
    same = asked.is_kept(card) if parts_asked else None
    lead = "that" if parts_asked else "Only what the card says changes. This"
    fact = f"{lead} stays as booked: {join_parts(kept)}"
    return asked.reply(card, fact, same) if kept else card.sentence


def _or_keep(answer: Callable[[WaitingCard], str], *words: str) -> Callable[[WaitingCard], str]:
    """An answer; if a time of day is named, whether it is that; with one of the words and a part of
    the reservation named, whether that stays.
    """

    def keep_or_answer(card: WaitingCard) -> str:
        kept = known_reservation(card) and has(tokens(card.question), *words) and _asked(card)
        return time_of_day(card) or (_keep(card) if kept else answer(card))

    return keep_or_answer


def _why(card: WaitingCard) -> str:
    if card.tool == _BAGS:
        return _bags(card)
    rows = known_reservation(card).get("payment_history", [])
    return shared.why(card, sums(card.records, rows, "with"))


def _balance(card: WaitingCard) -> str:
    """What is on gift cards and certificates now, and how the change affects it."""
    methods = (e for e in card.records.methods.values() if e.get("source") != "credit_card")
    return paying.balance(card, "gift card or travel certificate", [*map(wording.method, methods)])


def _later(card: WaitingCard) -> str:
    """What is still possible later; of a reservation also for what it already includes."""
    return shared.later(card if card.tool == CANCEL else replace(card, arguments=trip_on(card)))


def _or_insurance(answer: Callable[[WaitingCard], str]) -> Callable[[WaitingCard], str]:
    """An answer; to what is said of insurance at a change, that it only comes with a booking."""

    def insurance_or_answer(card: WaitingCard) -> str:
        insures = tells(tokens(card.question), "insurance") and card.tool != "book_reservation"
        return _insurance(card) if insures else answer(card)

    return insurance_or_answer


CARD_TOPICS: Mapping[str, Callable[[WaitingCard], str]] = {
    **shared.SHARED_TOPICS,
    "options": other_flights,
    "when": _when,
    "later": _or_insurance(_later),
    "wish": _or_insurance(lambda _: shared.DECIDE),
    "why": _why,
    "times": _or_keep(flight_times, "same"),
    "amount": _or_certificate(_amount),
    "sum": _or_certificate(shared.SHARED_TOPICS["sum"]),
    "payment": _or_certificate(shared.SHARED_TOPICS["payment"]),
    "bags": _bags,
    "insurance": _insurance,
    "people": _or_certificate(_people),
    "cabin": _cabin,
    "contents": _or_keep(_contents),
    "others": _or_keep(_others, "same", "the"),
    "keep": _keep,
    "before": _or_keep(_contents, "same"),
    "new_one": _or_keep(lambda card: " ".join(filter(None, [flight_times(card), _cabin(card)]))),
    "balance": _balance,
}
