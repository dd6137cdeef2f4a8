"""Offering flights for a booking: the choice among them, or what there is instead."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from agent.clerk.airline import journeys, passengers
from agent.clerk.airline.journeys import Offers, Way
from agent.clerk.airline.memory import Journey
from agent.clerk.airline.places import city
from agent.clerk.airline.requests import Leg, Request
from agent.clerk.airline.talk import Talk
from agent.clerk.airline.wording import (
    cabin,
    choices,
    count,
    fare,
    journey,
    money,
    offer,
    weekday,
)
from agent.clerk.steps import Ask, Call, Choice, Settled, Tell
from agent.clerk.wording import joined

_NEW_YORK = frozenset({"JFK", "LGA", "EWR"})


def with_news(
    step: Call | Ask | Tell, request: Request, talk: Talk, chosen: list[Journey], cabin_: str
) -> Call | Ask | Tell:
    """A question with the flights that were found before it, where nobody has told of them."""
    if not isinstance(step, Ask):
        return step
    step = replace(step, request=request)
    new = [each for each in chosen if not all(talk.has_told(f["flight_number"]) for f in each)]
    if not new:
        return step
    seats = passengers.how_many(request) or 1
    lines = [
        f"{weekday(each[0]['date'])} there is {journey(each)}, "
        f"for {money(fare(each, cabin_))}{' each' if seats > 1 else ''}"
        for each in new
    ]
    direct = all(len(each) == 1 for each in new)
    none = "" if direct else "I find no direct flight that would fit. "
    lead = f"{none}On {'; back on '.join(lines)}."
    return replace(step, lead=f"{step.lead} {lead}".strip())


def cities_of(codes: Iterable[str]) -> str:
    """The cities of airports; of a city with several airports, the city alone."""
    names = ("New York" if each in _NEW_YORK else city(each) for each in codes)
    return joined(dict.fromkeys(names), "or")


def way_of(wanted: Request, leg: Leg, back: bool) -> Way:
    """Where a way of the trip leads, and when."""
    ends = (tuple(wanted.origin), tuple(wanted.destination))
    origins, destinations = ends[::-1] if back else ends
    dates = tuple(dict.fromkeys(each for each in (leg.date, *leg.dates) if each))
    seats = passengers.how_many(wanted) or 1
    return Way(origins, destinations, dates, wanted.cabin, min(seats, passengers.MOST))


def choose_flights(
    wanted: Request, request: Request, talk: Talk, leg: Leg, number: int, before: list[Journey]
) -> Journey:
    """The flights of one way; Settled with the choice where several would do."""
    way = way_of(wanted, leg, back=number == 1)
    if before:
        there, here = before[-1][-1]["destination"], before[0][0]["origin"]
        end = journeys.ends(before[-1])
        way = replace(way, origins=(there,), destinations=(here,), earliest=end)
    slot = "back" if number == 1 else "out"
    found = journeys.offers(talk.memory, way, leg)
    pool = journeys.preferred(talk.memory, found.fitting, leg, way)
    if len(pool) == 1:
        return pool[0]
    if not pool:
        raise Settled(_none(request, way, leg, found, slot))
    raise Settled(ask_flight(request, way, pool, slot, _lead(way, leg, found, len(pool))))


def _lead(way: Way, leg: Leg, found: Offers, number: int) -> str:
    """What a list of flights begins with."""
    what = "direct flights" if found.stops == 0 else "ways to fly with one stop"
    none = "There is no direct flight that fits. " if found.stops and leg.stops[:1] != [1] else ""
    return (
        f"{none}On {_days(way)} there are {number} {what} {_between(way)} with "
        f"{_seats(way)} in {cabin(way.cabin)}:"
    )


def _days(way: Way) -> str:
    return joined((weekday(each) for each in way.dates), "or")


def _between(way: Way) -> str:
    return f"from {cities_of(way.origins)} to {cities_of(way.destinations)}"


def _seats(way: Way) -> str:
    return "a seat" if way.seats == 1 else f"{way.seats} seats"


def ask_flight(
    request: Request, way: Way, pool: list[Journey] | tuple[Journey, ...], slot: str, lead: str
) -> Ask:
    """Which of several flights it should be, with times and prices."""
    several = len({each[0]["date"] for each in pool}) > 1
    options = tuple(
        Choice(
            " ".join(f["flight_number"] for f in each),
            (f"{weekday(each[0]['date'])}: " if several else "")
            + offer(each, way.cabin, way.seats),
            {"date": each[0]["date"], "leaves": _leaves(each)},
            fare(each, way.cabin),
        )
        for each in pool
    )
    shown = choices(each.words for each in options)
    text = f"{lead}\n\n{shown}\n\nWhich one would you like?"
    return Ask(text, f"{slot}_flight", request, None, options)


def _leaves(journey_: Journey) -> str:
    return f"{journey_[0]['date']} {journey_[0]['scheduled_departure_time_est']}"


def _dated(journey_: Journey, several: bool) -> str:
    """The day of a journey, where more than one is on offer."""
    return f"{weekday(journey_[0]['date'])}: " if several else ""


def _none(request: Request, way: Way, leg: Leg, found: Offers, slot: str) -> Ask | Tell:
    """Nothing fits: what there is instead, or the question for another day."""
    where = f"{_between(way)} on {_days(way)}"
    if found.near:
        text = f"There is no flight {where} as you wish it."
        if request.otherwise or request.give_up:
            return Tell(text, "refused")
        lead = f"{text} With {_seats(way)} in {cabin(way.cabin)} there is:"
        return ask_flight(request, way, found.near, slot, lead)
    if found.full:
        text = f"No flight {where} has {_seats(way)} left in {cabin(way.cabin)}."
        question = "Would another cabin or another day do?"
    else:
        ways_ = "direct" if leg.stops == [0] else "either direct or with one stop"
        text = f"I find no flight {where} that can be booked, {ways_}."
        question = "Would another day do?"
    if request.otherwise or request.give_up:
        return Tell(text, "refused")
    return Ask(f"{text} {question}", f"{slot}_date", request)


def enough_seats(request: Request, chosen: list[Journey], name: str, people: int) -> None:
    """Settled with a question where a flight has too few seats for everybody."""
    short = [
        flight for each in chosen for flight in each if flight["available_seats"][name] < people
    ]
    if short:
        left = int(short[0]["available_seats"][name])
        text = (
            f"{short[0]['flight_number']} has {count(left, 'seat')} left in {cabin(name)}, "
            f"not {people}. Would another cabin or another day do?"
        )
        raise Settled(Ask(text, "out_date", request))
