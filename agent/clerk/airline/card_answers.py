"""Answers to questions about a card for a change at the airline."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date, datetime, timedelta
from itertools import pairwise

from agent.clerk.airline import wording
from agent.clerk.airline.flight_search import flight_keys, moment_of
from agent.clerk.airline.flight_slots import read_flight_slots
from agent.clerk.airline.known_records import CABINS, amount_paid
from agent.clerk.airline.parsed_sentence import parse_sentence
from agent.clerk.airline.replies import sums
from agent.clerk.airline.wording import booked_flight, cabin, clock, count, day, money, name, trip
from agent.clerk.card_questions import asked
from agent.clerk.card_questions import money_answers as paying
from agent.clerk.card_questions import shared_answers as shared
from agent.clerk.card_questions.topics import tells
from agent.clerk.card_questions.waiting_card import WaitingCard, as_sentence
from agent.clerk.deciding.offers import MOST
from agent.clerk.state.records import Json
from agent.clerk.understanding.tokens import has, tokens
from agent.clerk.wording import join_parts
from domains.airline.fares import EXTRA_BAG, INSURANCE, free_bags

_PARTS = ("flights", "cabin", "bags", "insurance", "passengers")
CANCEL, _BAGS = "cancel_reservation", "update_reservation_baggages"
_LONGEST_STOP = timedelta(hours=24)
"""From here on, the next flight is that of another day, such as the way back."""

_ABOUT = timedelta(minutes=45)
"""How near to a time of day a flight must leave to be the one at that time."""


def _known(card: WaitingCard) -> Json:
    """The reservation as it was read; empty if there is none."""
    found: Json = card.records.reservations.get(str(card.arguments.get("reservation_id")), {})
    return found


def _trip(card: WaitingCard) -> Json:
    """The reservation, if one is known, with the call's arguments applied."""
    return {**_known(card), **card.arguments}


def _rows(record: Json, of: str, *keys: str) -> list[Json]:
    """The entries of a list in a record that have text under all these keys."""
    rows = record[of] if isinstance(record.get(of), list) else []
    return [e for e in rows if isinstance(e, dict) and all(isinstance(e.get(k), str) for k in keys)]


def _flights(record: Json) -> list[Json]:
    return _rows(record, "flights", "flight_number", "date")


def _when(card: WaitingCard) -> str:
    return _times(card) if tells(tokens(card.question), "flying") else paying.when(card)


def _moments(card: WaitingCard) -> list[tuple[Json, datetime, datetime]]:
    """The flights on the card of which the times are known, with departure and arrival."""
    known = ((e, card.records.times.get(e["flight_number"])) for e in _flights(_trip(card)))
    found = ((e, [moment_of(e["date"], at) for at in times]) for e, times in known if times)
    return [(flight, start, end) for flight, (start, end) in found]


def _way(flight: Json, start: datetime, end: datetime) -> str:
    lands = clock(f"{end:%H:%M}{'+1' * (end.date() > start.date())}")
    return f"{booked_flight(flight)} leaves at {start:%H:%M} and arrives at {lands}"


def _times(card: WaitingCard) -> str:
    """When the flights on the card leave and arrive, how long they take, and if nonstop."""
    words, known = tokens(card.question), _moments(card)
    if told := _time_of_day(card) or (_stops(card) if tells(words, "layover") else ""):
        return told
    asks_length = tells(words, "how long")
    takes = [f", {str(end - start)[:-3]} hours" if asks_length else "" for _, start, end in known]
    ways = [f"{_way(*each)}{long}" for each, long in zip(known, takes, strict=True)]
    nonstop = len(known) == (2 if _trip(card).get("flight_type") == "round_trip" else 1)
    asks = [kind for kind in ("nonstop", "layover") if tells(words, kind)]
    fact = f"{'nonstop: ' if nonstop else ''}{join_parts(ways)}"
    return asked.reply(card, fact, nonstop == ("nonstop" in asks) if asks else None) * bool(known)


def _time_of_day(card: WaitingCard) -> str:
    """Whether the flights that are new on the card, or all, are at a time that is asked about."""
    leg, known = read_flight_slots(parse_sentence(card.question, date(2000, 1, 1))), _moments(card)
    booked = flight_keys(_flights(_known(card)))
    new = [each for each in known if flight_keys(each[:1])[0] not in booked]
    told, holds = new or known, True
    for flight, start, end in told:
        for limit, at in leg.limits:
            moment, edge = end if "arrive" in limit else start, moment_of(flight["date"], at)
            holds &= moment >= edge if limit.endswith("after") else moment <= edge
        if leg.around[:1].isdigit():
            holds &= abs(start - moment_of(flight["date"], leg.around)) <= _ABOUT
    asks = bool(told) and (leg.limits or leg.around[:1].isdigit())
    return asked.reply(card, join_parts(_way(*each) for each in told), holds) if asks else ""


def _stops(card: WaitingCard) -> str:
    """How long the stops between the flights on the card are; empty without any."""
    told = [
        f"the stop is {str(leaves - lands)[:-3]} hours between {pair}"
        for (one, _, lands), (other, leaves, _) in pairwise(_moments(card))
        for pair in [f"{one['flight_number']} and {other['flight_number']}"]
        if leaves - lands < _LONGEST_STOP
    ]
    return as_sentence(told)


def _options(card: WaitingCard) -> str:
    """The other flights that were found for the same way and days, with their prices."""
    flights, seat = _flights(_trip(card)), str(_trip(card).get("cabin"))
    mine, days = ({each[key] for each in flights} for key in ("flight_number", "date"))
    searches = card.records.searches.items()
    found = [each for (*_, date), journeys in searches if date in days for each in journeys]
    free = [
        f"{wording.journey(e)} on {day(e[0]['date'])}: {money(wording.fare(e, seat))} a seat"
        for e in found
        if mine.isdisjoint(flight["flight_number"] for flight in e)
        and all(flight["available_seats"].get(seat) for flight in e)
    ]
    none = "I found no other flight for that day." if found else ""
    return f"There is also {'; '.join(free[:MOST])}. {shared.SAY}" if free else none


def _bags(card: WaitingCard) -> str:
    """The number of bags, and how many of them are free."""
    of = _trip(card)
    total, paid = of.get("total_baggages"), of.get("nonfree_baggages")
    if not isinstance(total, int) or not isinstance(paid, int):
        return ""
    people = len(_rows(of, "passengers", "first_name"))
    free = free_bags(card.records.membership, str(of.get("cabin", "economy")), people)
    more = f", and {paid} {'is' if paid == 1 else 'are'} paid for at {money(EXTRA_BAG)} each"
    fact = f"{count(total, 'checked bag')} in all: {free} would be free{more if paid else ''}"
    known, words = _known(card), tokens(card.question)
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
    paid = amount_paid(_known(card)) if _known(card) else 0.0
    return _insurance(card) if tells(words, "insurance") else paying.amount(card, paid)


def _insurance(card: WaitingCard) -> str:
    if _trip(card).get("insurance") == "yes":
        return f"Travel insurance is included, at {money(INSURANCE)} for each passenger."
    if card.tool == "book_reservation":
        return f"No travel insurance is included; it would be {money(INSURANCE)} a passenger."
    return "No, travel insurance is not included, and it can only be added when booking."


def _people(card: WaitingCard) -> str:
    """Who is on it; a yes or a no if the question names somebody or asks for several."""
    people = _rows(_trip(card), "passengers", "first_name", "last_name", "dob")
    words = tokens(card.question)
    named = has(words, *(each["first_name"].lower() for each in people)) or None
    holds = len(people) > 1 if tells(words, "several") else named
    told = join_parts(f"{name(each)}, born {each['dob']}" for each in people)
    fact = f"{'only ' if holds is False else ''}{count(len(people), 'passenger')}: {told}"
    return asked.reply(card, fact, holds) if people else ""


def _cabin(card: WaitingCard) -> str:
    """The cabin and its flights; whether it is the one that the question names, if it does."""
    if "cabin" not in _trip(card):
        return ""
    parts, words = _parts(_trip(card)), tokens(card.question)
    named = [cabin(each) for each in CABINS if has(words, cabin(each))][:1]
    on = f" on {parts['flights']}" if parts["flights"] else ""
    holds = (named == [parts["cabin"]]) != asked.denies(words) if named else None
    return asked.reply(card, f"{parts['cabin']}{on}", holds)


def _parts(record: Json) -> dict[str, str]:
    """What a reservation consists of."""
    bags = record.get("total_baggages")
    return {
        "flights": join_parts(map(booked_flight, _flights(record))),
        "cabin": cabin(str(record.get("cabin"))),
        "bags": count(bags, "checked bag") if isinstance(bags, int) else "",
        "insurance": "travel insurance"
        if record.get("insurance") == "yes"
        else "no travel insurance",
        "passengers": join_parts(map(name, _rows(record, "passengers", "first_name"))),
    }


def _contents(card: WaitingCard) -> str:
    """Which reservation it is, as it is now."""
    known = _known(card)
    if not known:
        return card.sentence if _flights(card.arguments) else ""
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
    days = {str(int(each["date"][-2:])) for each in _flights(_known(card))}
    if not days.isdisjoint(re.findall(r"\d+", card.question)):
        return ["flights"]
    return [e for e in _PARTS if tells(tokens(card.question), e)]


def _keep(card: WaitingCard) -> str:
    """What stays of the reservation itself: whether what the question is about does, or all."""
    if card.tool == CANCEL:
        return "The whole reservation would be cancelled, with all flights and extras."
    if not _known(card):
        return ""
    parts_asked, after = _asked(card), {*_parts(_trip(card)).items()}
    parts = {part: text for part, text in _parts(_known(card)).items() if (part, text) in after}
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
        kept = _known(card) and has(tokens(card.question), *words) and _asked(card)
        return _time_of_day(card) or (_keep(card) if kept else answer(card))

    return keep_or_answer


def _why(card: WaitingCard) -> str:
    if card.tool == _BAGS:
        return _bags(card)
    rows = _known(card).get("payment_history", [])
    return shared.why(card, sums(card.records, rows, "with"))


def _balance(card: WaitingCard) -> str:
    """What is on gift cards and certificates now, and how the change affects it."""
    methods = (e for e in card.records.methods.values() if e.get("source") != "credit_card")
    return paying.balance(card, "gift card or travel certificate", [*map(wording.method, methods)])


def _later(card: WaitingCard) -> str:
    """What is still possible later; of a reservation also for what it already includes."""
    if tells(tokens(card.question), "insurance") and card.tool != "book_reservation":
        return _insurance(card)
    return shared.later(card if card.tool == CANCEL else replace(card, arguments=_trip(card)))


CARD_TOPICS: Mapping[str, Callable[[WaitingCard], str]] = {
    **shared.SHARED_TOPICS,
    "options": _options,
    "when": _when,
    "later": _later,
    "why": _why,
    "times": _or_keep(_times, "same"),
    "amount": _amount,
    "bags": _bags,
    "insurance": _insurance,
    "people": _people,
    "cabin": _cabin,
    "contents": _or_keep(_contents),
    "others": _or_keep(_others, "same", "the"),
    "keep": _keep,
    "before": _or_keep(_contents, "same"),
    "new_one": _or_keep(lambda card: " ".join(filter(None, [_times(card), _cabin(card)]))),
    "balance": _balance,
}
