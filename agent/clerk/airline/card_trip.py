"""The trip on a waiting card: its reservation, its flights and when they fly."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from itertools import pairwise

from agent.clerk.airline import wording
from agent.clerk.airline.flight_search import flight_keys, moment_of
from agent.clerk.airline.flight_slots import read_flight_slots
from agent.clerk.airline.parsed_sentence import parse_sentence
from agent.clerk.airline.wording import booked_flight, clock, day, money
from agent.clerk.card_questions import asked
from agent.clerk.card_questions import shared_answers as shared
from agent.clerk.card_questions.topics import tells
from agent.clerk.card_questions.waiting_card import WaitingCard, as_sentence
from agent.clerk.deciding.offers import MOST
from agent.clerk.state.records import Json
from agent.clerk.understanding.tokens import tokens
from agent.clerk.wording import join_parts

_LONGEST_STOP = timedelta(hours=24)
"""From here on, the next flight is that of another day, such as the way back."""

_ABOUT = timedelta(minutes=45)
"""How near to a time of day a flight must leave to be the one at that time."""


def known_reservation(card: WaitingCard) -> Json:
    """The reservation as it was read; empty if there is none."""
    found: Json = card.records.reservations.get(str(card.arguments.get("reservation_id")), {})
    return found


def trip_on(card: WaitingCard) -> Json:
    """The reservation, if one is known, with the call's arguments applied."""
    return {**known_reservation(card), **card.arguments}


def rows_of(record: Json, of: str, *keys: str) -> list[Json]:
    """The entries of a list in a record that have text under all these keys."""
    rows = record[of] if isinstance(record.get(of), list) else []
    return [e for e in rows if isinstance(e, dict) and all(isinstance(e.get(k), str) for k in keys)]


def flights_of(record: Json) -> list[Json]:
    """The flights in a record that have a number and a day."""
    return rows_of(record, "flights", "flight_number", "date")


def _moments(card: WaitingCard) -> list[tuple[Json, datetime, datetime]]:
    """The flights on the card of which the times are known, with departure and arrival."""
    known = ((e, card.records.times.get(e["flight_number"])) for e in flights_of(trip_on(card)))
    found = ((e, [moment_of(e["date"], at) for at in both]) for e, both in known if both)
    return [(flight, start, end) for flight, (start, end) in found]


def _way(flight: Json, start: datetime, end: datetime) -> str:
    lands = clock(f"{end:%H:%M}{'+1' * (end.date() > start.date())}")
    return f"{booked_flight(flight)} leaves at {start:%H:%M} and arrives at {lands}"


def flight_times(card: WaitingCard) -> str:
    """When the flights on the card leave and arrive, how long they take, and if nonstop."""
    words, known = tokens(card.question), _moments(card)
    if told := time_of_day(card) or (_stops(card) if tells(words, "layover") else ""):
        return told
    asks_length = tells(words, "how long")
    takes = [f", {str(end - start)[:-3]} hours" if asks_length else "" for _, start, end in known]
    ways = [f"{_way(*each)}{long}" for each, long in zip(known, takes, strict=True)]
    nonstop = len(known) == (2 if trip_on(card).get("flight_type") == "round_trip" else 1)
    asks = [kind for kind in ("nonstop", "layover") if tells(words, kind)]
    fact = f"{'nonstop: ' if nonstop else ''}{join_parts(ways)}"
    return asked.reply(card, fact, nonstop == ("nonstop" in asks) if asks else None) * bool(known)


def time_of_day(card: WaitingCard) -> str:
    """Whether the flights that are new on the card, or all, are at a time that is asked about."""
    leg, known = read_flight_slots(parse_sentence(card.question, date(2000, 1, 1))), _moments(card)
    booked = flight_keys(flights_of(known_reservation(card)))
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


def other_flights(card: WaitingCard) -> str:
    """The other flights that were found for the same way and days, with their prices."""
    flights, seat = flights_of(trip_on(card)), str(trip_on(card).get("cabin"))
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
