"""Flights to take: those that can be booked, those that fit what was wished, and which it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date as calendar
from itertools import product

from agent.clerk.airline import looking_up
from agent.clerk.airline.flight_wish import Leg
from agent.clerk.airline.memory import Journey, Memory
from agent.clerk.airline.wording import fare, shift_day

NEAR = 90
"""Minutes that a flight may leave from a time it was wished "around"."""


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

    earliest: str = ""
    """When the way before it ends, as ``begins`` has it; it cannot begin before that."""

    latest: str = ""
    """When the way after it begins; it cannot end after that."""


@dataclass(frozen=True, slots=True)
class Offers:
    """What a search came to."""

    fitting: tuple[Journey, ...] = ()
    """What fits every wish, the soonest to leave first."""

    near: tuple[Journey, ...] = ()
    """What can be booked in the cabin, but at other times or with other stops than wished."""

    full: tuple[Journey, ...] = ()
    """What has too few seats left in the cabin."""

    stops: int = 0
    """How many stops the fitting ones have."""


def offers(memory: Memory, way: Way, leg: Leg) -> Offers:
    """Look journeys up, direct ones before those with a stop; Settled with the next search."""
    near: list[Journey] = []
    full: list[Journey] = []
    for stops in leg.stops or _stops(leg):
        found = _find(memory, way, stops)
        open_ = [each for each in found if has_seats(each, way)]
        full += [each for each in found if not has_seats(each, way)]
        fitting = [each for each in open_ if fits(memory, each, leg, way)]
        if fitting:
            return Offers(tuple(fitting), tuple(open_), tuple(full), stops)
        near += open_
    return Offers((), tuple(near), tuple(full))


def _stops(leg: Leg) -> list[int]:
    """Direct if there is one; flights that were named are looked for everywhere."""
    return [1, 0] if len(leg.numbers) > 1 else [0, 1]


def _find(memory: Memory, way: Way, stops: int) -> list[Journey]:
    asked = product(way.origins, way.destinations, way.dates)
    found = [
        each
        for origin, destination, date in asked
        for each in looking_up.search(memory, stops, origin, destination, date)
    ]
    current = [(f["flight_number"], f["date"]) for f in way.instead_of]
    new = [
        each
        for each in found
        if [(f["flight_number"], f["date"]) for f in each] != current
        and (not way.earliest or begins(each) >= way.earliest)
        and (not way.latest or ends(each) <= way.latest)
    ]
    return sorted(new, key=lambda each: (each[0]["date"], departure(each)))


def has_seats(journey: Journey, way: Way) -> bool:
    """Whether every flight has a seat for each passenger in the cabin."""
    return all(flight["available_seats"][way.cabin] >= way.seats for flight in journey)


def minutes(time: str) -> int:
    """Minutes after midnight of ``19:15``, ``19:15:00`` or ``04:00:00+1``; 0 for nonsense."""
    try:
        hours, rest = int(time[:2]), int(time[3:5])
    except ValueError:
        return 0
    return hours * 60 + rest + (24 * 60 if "+" in time else 0)


def departure(journey: Journey) -> int:
    """Minutes after midnight at which a journey begins."""
    return minutes(journey[0]["scheduled_departure_time_est"])


def arrival(journey: Journey) -> int:
    """Minutes, from midnight of its first day, at which a journey ends."""
    return minutes(journey[-1]["scheduled_arrival_time_est"]) + 24 * 60 * _later(journey)


def begins(journey: Journey) -> str:
    """When a journey begins, as text that sorts."""
    return f"{journey[0]['date']} {departure(journey):04}"


def ends(journey: Journey) -> str:
    """When a journey ends, as text that sorts; past midnight is minutes of the day before."""
    last = minutes(journey[-1]["scheduled_arrival_time_est"])
    return f"{shift_day(journey[-1]['date'], last // (24 * 60))} {last % (24 * 60):04}"


def _later(journey: Journey) -> int:
    """Days by which the last flight leaves later than the first."""
    try:
        first, last = (calendar.fromisoformat(journey[n]["date"]) for n in (0, -1))
    except ValueError:
        return 0
    return (last - first).days


def fits(memory: Memory, journey: Journey, leg: Leg, way: Way) -> bool:
    """Whether a journey is as was wished, preferences left aside."""
    if leg.numbers:
        return {flight["flight_number"] for flight in journey} == set(leg.numbers)
    leaves, lands = departure(journey), arrival(journey)
    limits: list[tuple[str, Callable[[int], bool]]] = [
        (leg.after, lambda limit: leaves >= limit),
        (leg.before, lambda limit: leaves <= limit),
        (leg.arrive_after, lambda limit: lands >= limit),
        (leg.arrive_before, lambda limit: lands <= limit),
    ]
    if not all(holds(minutes(text)) for text, holds in limits if text):
        return False
    if leg.arrive_same_day and lands >= 24 * 60:
        return False
    now = _leaves_now(memory, way)
    if leg.relative and now is not None and journey[0]["date"] == way.instead_of[0]["date"]:
        return leaves > now if leg.relative == "later" else leaves < now
    return True


def _leaves_now(memory: Memory, way: Way) -> int | None:
    """When the flight leaves that is to be changed, where a search has told."""
    if not way.instead_of:
        return None
    times = memory.times.get(way.instead_of[0]["flight_number"])
    return minutes(times[0]) if times else None


def prefer(memory: Memory, found: Iterable[Journey], leg: Leg, way: Way) -> list[Journey]:
    """The journeys, narrowed to the one that was wished where words tell which."""
    pool = list(found)
    if leg.around and pool:
        wanted = _leaves_now(memory, way) if leg.around == "same" else minutes(leg.around)
        if wanted is not None:
            nearest = min(abs(departure(each) - wanted) for each in pool)
            return [each for each in pool if abs(departure(each) - wanted) == nearest]
    orders: dict[str, Callable[[Journey], float]] = {
        "cheapest": lambda each: fare(each, way.cabin),
        "dearest": lambda each: -fare(each, way.cabin),
        "fastest": lambda each: arrival(each) - departure(each),
        "earliest": lambda each: departure(each),
        "latest": lambda each: -departure(each),
        "any": lambda each: departure(each),
    }
    if leg.rank in orders and pool:
        ranked = sorted(pool, key=orders[leg.rank])
        return [ranked[min(max(leg.nth, 1), len(ranked)) - 1]]
    return pool
