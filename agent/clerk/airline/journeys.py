"""Flights to take: those that can be booked, those that fit what was wished, and which it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import product
from typing import NoReturn

from agent.clerk.airline.asking import ask, ask_which, refuse
from agent.clerk.airline.flight_wish import Leg
from agent.clerk.airline.memory import Journey, Memory
from agent.clerk.airline.talk import Talk
from agent.clerk.airline.wording import cabin, city, fare, offer, weekday
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Choice
from agent.clerk.state.task import Task
from agent.clerk.wording import join_parts

_NEW_YORK = frozenset({"JFK", "LGA", "EWR"})


@dataclass(frozen=True, slots=True)
class Way:
    """One way of a trip: from where to where, on which days, in which cabin, for how many."""

    origins: tuple[str, ...]
    destinations: tuple[str, ...]
    dates: tuple[str, ...]
    cabin: str
    seats: int
    instead_of: Journey = ()
    """The flights that it takes the place of, where it is a change."""

    may_stay: bool = False
    """Whether these flights would do as well, in another cabin."""

    earliest: datetime = datetime.min
    """When the way before it ends; it cannot begin before that."""

    def __str__(self) -> str:
        ends = f"from {cities_of(self.origins)} to {cities_of(self.destinations)}"
        return f"{ends} on {join_parts(map(weekday, self.dates), 'or')}"

    @property
    def room(self) -> str:
        """The seats that are needed: ``2 seats in economy``."""
        seats = "a seat" if self.seats == 1 else f"{self.seats} seats"
        return f"{seats} in {cabin(self.cabin)}"


@dataclass(frozen=True, slots=True)
class Offers:
    """What a search came to."""

    fitting: tuple[Journey, ...] = ()
    """What fits every wish, narrowed to one where words tell which; the soonest to leave first."""

    near: tuple[Journey, ...] = ()
    """What can be booked in the cabin, but at other times or with other stops than wished."""

    full: bool = False
    """Whether anything has too few seats left in the cabin."""

    stops: int = 0
    """How many stops the fitting ones have."""


def cities_of(codes: Iterable[str]) -> str:
    """The cities of airports; of a city with several airports, the city alone."""
    names = ("New York" if each in _NEW_YORK else city(each) for each in codes)
    return join_parts(dict.fromkeys(names), "or")


def choose(task: Task, talk: Talk, way: Way, leg: Leg, slot: str) -> Journey:
    """The flights of one way; Settled with the choice where several would do, or none."""
    found = find_offers(talk.memory, way, leg)
    if len(found.fitting) == 1:
        return found.fitting[0]
    if not found.fitting:
        _ask_otherwise(task, way, leg, found, slot)
    what = "direct flights" if found.stops == 0 else "ways to fly with one stop"
    none = "There is no direct flight that fits. " if found.stops and leg.stops[:1] != (1,) else ""
    lead = f"{none}There are {len(found.fitting)} {what} {way} with {way.room}:"
    _ask_flight(task, way, found.fitting, slot, lead)


def _ask_otherwise(task: Task, way: Way, leg: Leg, found: Offers, slot: str) -> NoReturn:
    """Nothing fits: what there is instead, or the question for another day."""
    question = "Would another day do?"
    if found.near:
        text, question = f"There is no flight {way} as you wish it.", ""
    elif found.full:
        text = f"No flight {way} has {way.room} any more."
        question = "Would another cabin or another day do?"
    else:
        text = f"I find no {'direct ' * (leg.stops == (0,))}flight {way} that can be booked."
    if task.otherwise or task.give_up:
        refuse(text)
    if question:
        ask(task, f"{slot}_date", f"{text} {question}")
    _ask_flight(task, way, found.near, slot, f"{text} With {way.room} there is:")


def _ask_flight(task: Task, way: Way, pool: Sequence[Journey], slot: str, lead: str) -> NoReturn:
    """Which of several flights it should be, with times and prices."""
    several = len({each[0]["date"] for each in pool}) > 1
    choices = [
        Choice(
            " ".join(flight["flight_number"] for flight in each),
            f"{weekday(each[0]['date'])}: " * several + offer(each, way.cabin, way.seats),
            {"date": each[0]["date"]},
            fare(each, way.cabin),
        )
        for each in pool
    ]
    ask_which(task, f"{slot}_flight", lead, choices, end="\n\nWhich one would you like?")


def find_offers(memory: Memory, way: Way, leg: Leg) -> Offers:
    """Look journeys up, direct ones before those with a stop; Settled with the next search."""
    near: list[Journey] = []
    full = False
    anywhere = (1, 0) if len(leg.numbers) > 1 else (0, 1)
    for stops in leg.stops or anywhere:
        found = _find(memory, way, stops)
        open_ = [
            each
            for each in found
            if all(flight["available_seats"][way.cabin] >= way.seats for flight in each)
        ]
        full |= len(open_) < len(found)
        fitting = [each for each in open_ if _fits(memory, each, leg, way)]
        if fitting:
            return Offers(tuple(_prefer(memory, fitting, leg, way)), tuple(open_), full, stops)
        near += open_
    return Offers((), tuple(near), full)


def _find(memory: Memory, way: Way, stops: int) -> list[Journey]:
    found = [
        each
        for ends in product(way.origins, way.destinations, way.dates)
        for each in memory.search(stops, *ends)
    ]
    booked = [] if way.may_stay else flight_keys(way.instead_of)
    new = [e for e in found if flight_keys(e) != booked and leaves(e) >= way.earliest]
    return sorted(new, key=leaves)


def flight_keys(flights: Sequence[Json]) -> list[tuple[str, str]]:
    """Numbers and dates of flights, in order."""
    return [(each["flight_number"], each["date"]) for each in flights]


def as_argument(flights: Sequence[Json]) -> list[Json]:
    """Flights as a call names them."""
    return [{"flight_number": number, "date": date} for number, date in flight_keys(flights)]


def at(day: str, clock: str) -> datetime:
    """A time of a day: ``19:15``, ``19:15:00``, or ``04:00:00+1`` on the next one."""
    spent = timedelta(days="+" in clock, hours=int(clock[:2]), minutes=int(clock[3:5]))
    return datetime.fromisoformat(day) + spent


def leaves(journey: Journey) -> datetime:
    """When a journey begins."""
    return at(journey[0]["date"], journey[0]["scheduled_departure_time_est"])


def _minutes(journey: Journey) -> int:
    return leaves(journey).hour * 60 + leaves(journey).minute


def lands(journey: Journey) -> datetime:
    """When a journey ends."""
    return at(journey[-1]["date"], journey[-1]["scheduled_arrival_time_est"])


def duration(span: timedelta) -> str:
    """``2 h 05 min``."""
    return f"{span.seconds // 3600 + 24 * span.days} h {span.seconds // 60 % 60:02} min"


def _fits(memory: Memory, journey: Journey, leg: Leg, way: Way) -> bool:
    """Whether a journey is as was wished, preferences left aside."""
    if leg.numbers:
        return {flight["flight_number"] for flight in journey} == set(leg.numbers)
    day, start, end = journey[0]["date"], leaves(journey), lands(journey)
    within = (
        (not leg.after or start >= at(day, leg.after))
        and (not leg.before or start <= at(day, leg.before))
        and (not leg.arrive_after or end >= at(day, leg.arrive_after))
        and (not leg.arrive_before or end <= at(day, leg.arrive_before))
        and (not leg.arrive_same_day or end < at(day, "24:00"))
    )
    now = _leaves_now(memory, way, day)
    if not leg.relative or now is None or day != way.instead_of[0]["date"]:
        return within
    return within and (start > now if leg.relative == "later" else start < now)


def _leaves_now(memory: Memory, way: Way, day: str) -> datetime | None:
    """When on a day the flight leaves that is to be changed, where a search has told."""
    number = way.instead_of[0]["flight_number"] if way.instead_of else ""
    return at(day, memory.times[number][0]) if number in memory.times else None


def _prefer(memory: Memory, pool: list[Journey], leg: Leg, way: Way) -> list[Journey]:
    """The journeys, narrowed to the one that was wished where words tell which."""
    if leg.around:
        same = leg.around == "same"
        days = [each[0]["date"] for each in pool]
        at_best = [_leaves_now(memory, way, e) if same else at(e, leg.around) for e in days]
        off = [abs(leaves(e) - best) for e, best in zip(pool, at_best, strict=True) if best]
        return [e for e, each in zip(pool, off, strict=True) if each == min(off)] if off else pool
    orders: dict[str, Callable[[Journey], float]] = {
        "cheapest": lambda each: fare(each, way.cabin),
        "dearest": lambda each: -fare(each, way.cabin),
        "fastest": lambda each: (lands(each) - leaves(each)).total_seconds(),
        "earliest": _minutes,
        "latest": lambda each: -_minutes(each),
        "any": _minutes,
    }
    if leg.rank not in orders:
        return pool
    ranked = sorted(pool, key=orders[leg.rank])
    return [ranked[min(max(leg.nth, 1), len(ranked)) - 1]]
