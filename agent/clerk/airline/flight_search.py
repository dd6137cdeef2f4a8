"""Flight search: journeys that can be booked, those that fit, and the one that is chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import product
from typing import NoReturn

from agent.clerk.airline.dialogue_state import AirlineState
from agent.clerk.airline.flight_slots import Leg
from agent.clerk.airline.known_records import AirlineRecords, Journey, ways
from agent.clerk.airline.replies import ask, refuse
from agent.clerk.airline.wording import (
    cabin,
    city,
    cost_of,
    fare,
    journey,
    money,
    shift_day,
    weekday,
)
from agent.clerk.deciding.offers import MOST
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Choice
from agent.clerk.state.task import Task
from agent.clerk.wording import join_parts

_FEW = 3
"""How many days are named one by one."""

_NEW_YORK = frozenset({"JFK", "LGA", "EWR"})


@dataclass(frozen=True, slots=True)
class FlightQuery:
    """One way of a trip as it is searched for: airports, days, cabin and number of seats."""

    origins: tuple[str, ...]
    destinations: tuple[str, ...]
    dates: tuple[str, ...]
    cabin: str
    seats: int
    instead_of: Journey = ()
    """The flights that it replaces, if it is a change."""

    record: Json | None = None
    """The reservation that is changed, if it is a change."""

    may_stay: bool = False
    """Whether the same flights are acceptable, in another cabin."""

    earliest: datetime = datetime.min
    """The end of the way before it; it cannot begin earlier."""

    def __str__(self) -> str:
        days = f"on {join_parts(map(weekday, self.dates), 'or')}"
        if len(self.dates) > _FEW:
            days = f"between {weekday(self.dates[0])} and {weekday(self.dates[-1])}"
        return f"from {cities_of(self.origins)} to {cities_of(self.destinations)} {days}"

    @property
    def booked(self) -> Journey:
        """The booked flights of this way, if it is a change."""
        both = ways(self.record) if self.record else ()
        return next((e for e in both if e and e[0]["origin"] in self.origins), ())

    def describe(self, found: Journey) -> str:
        """A journey with its price, and its day or the cost of a change if they are not clear."""
        day = "" if (found[0]["date"],) == self.dates else f"{weekday(found[0]['date'])}: "
        each = " each" if self.seats > 1 else ""
        line = f"{day}{journey(found)}: {money(fare(found, self.cabin))}{each}"
        if self.record is None or self.cabin != self.record["cabin"]:
            return line
        if flight_keys(found) == flight_keys(self.booked):
            return f"{line} (your booked flight)"
        more = fare(found, self.cabin) - sum(int(each["price"]) for each in self.booked)
        in_all = " in all" if self.seats > 1 else ""
        return f"{line}; changing to it would {cost_of(more * self.seats)}{in_all}"

    @property
    def room(self) -> str:
        """The required seats: ``2 seats in economy``."""
        seats = "a seat" if self.seats == 1 else f"{self.seats} seats"
        return f"{seats} in {cabin(self.cabin)}"


def cities_of(codes: Iterable[str]) -> str:
    """The cities of airports, each once; the airports of New York give only the city."""
    names = ("New York" if each in _NEW_YORK else city(each) for each in codes)
    return join_parts(dict.fromkeys(names), "or")


def flight_keys(flights: Sequence[Json]) -> list[tuple[str, str]]:
    """The numbers and dates of flights, in order."""
    return [(each["flight_number"], each["date"]) for each in flights]


def as_argument(flights: Sequence[Json]) -> list[Json]:
    """Flights in the form of a call's argument."""
    return [{"flight_number": number, "date": date} for number, date in flight_keys(flights)]


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The result of a flight search."""

    fitting: tuple[Journey, ...] = ()
    """Journeys that meet every constraint, narrowed by a preference; else earliest first."""

    near: tuple[Journey, ...] = ()
    """Journeys with enough seats in the cabin that miss another constraint."""

    full: bool = False
    """Whether any journey has too few seats left in the cabin."""

    stops: int = 0
    """The number of stops of the fitting journeys."""


def choose_journey(
    task: Task, dialogue: AirlineState, way: FlightQuery, leg: Leg, slot: str
) -> Journey:
    """The flights of one way; raises Settled with an offer if several fit or none does."""
    found = find_offers(dialogue.records, way, leg)
    if len(found.fitting) == 1:
        return found.fitting[0]
    if found.fitting:
        what = "flights with one stop" if found.stops else "direct flights"
        none = "There is no direct flight that fits. " if found.stops and not leg.stops else ""
        lead = f"{none}There are {len(found.fitting)} {what} {way} with {way.room}:"
        _ask_flight(task, way, found.fitting, slot, lead)
    text = f"There is no {flight_sought(way, leg)} {way} that can be booked."
    if found.near:
        text = f"There is no flight {way} that matches your request."
    elif found.full:
        text = f"No flight {way} has {way.room} any more."
    if task.fallback_tasks or task.give_up:
        refuse(text, way.record)
    if found.near:
        _ask_flight(task, way, found.near, slot, f"{text} With {way.room}, there is:")
    days = () if found.full else find_near_days(dialogue, way, leg)
    if days:
        _ask_flight(task, way, days, slot, f"{text} The nearest days with one are:")
    other = "another cabin or another day" if found.full else "another day"
    ask(task, f"{slot}_date", f"{text} Would {other} work?", way.record)


def flight_sought(way: FlightQuery, leg: Leg) -> str:
    """What kind of flight is looked for: "other direct flight" on the day of a booked one."""
    booked = {each["date"] for each in way.instead_of}
    other = "other " * bool(booked & {*way.dates})
    return f"{other}{'direct ' * (leg.stops == (0,))}flight{' with a stop' * (leg.stops == (1,))}"


def _ask_flight(
    task: Task, way: FlightQuery, pool: Sequence[Journey], slot: str, lead: str
) -> NoReturn:
    """Raise Settled with an offer of flights, with times and prices."""
    choices = [
        Choice(
            " ".join(flight["flight_number"] for flight in each),
            way.describe(each),
            {"date": each[0]["date"]},
            fare(each, way.cabin),
        )
        for each in pool
    ]
    end = "\n\nWhich one would you like?"
    ask(task, f"{slot}_flight", lead, way.record, choices=choices, shown=MOST, end=end)


def find_offers(records: AirlineRecords, way: FlightQuery, leg: Leg) -> SearchResult:
    """The result of a search, by default with direct journeys first.

    Raises Settled with the next look-up.
    """
    near: list[Journey] = []
    full = False
    connecting = len(leg.numbers) > 1
    for stops in (int(connecting),) if leg.numbers else leg.stops or (0, 1):
        found = _find(records, way, stops)
        open_ = [e for e in found if min(f["available_seats"][way.cabin] for f in e) >= way.seats]
        full |= len(open_) < len(found)
        fitting = [each for each in open_ if _fits(records, each, leg, way)]
        if fitting:
            best = _prefer(records, fitting, leg, way)
            return SearchResult(tuple(best), tuple(open_), full, stops)
        near += open_
    return SearchResult((), tuple(near), full)


def _find(records: AirlineRecords, way: FlightQuery, stops: int) -> list[Journey]:
    """The journeys of a way, earliest first, without the one that is to be replaced."""
    ends = product(way.origins, way.destinations, way.dates)
    found = [journey for each in ends for journey in records.search(stops, *each)]
    booked = [] if way.may_stay else flight_keys(way.instead_of)
    new = [e for e in found if flight_keys(e) != booked and departure_of(e) >= way.earliest]
    return sorted(new, key=departure_of)


def find_near_days(dialogue: AirlineState, way: FlightQuery, leg: Leg) -> tuple[Journey, ...]:
    """The direct flights on the two nearest days with one, with seats; none beyond three days.

    A flight that is to move is offered only on the side of the booked day to which it moves.
    """
    found: list[Journey] = []
    first = max(dialogue.today, way.earliest.date().isoformat())
    booked = way.booked[0]["date"] if way.booked else ""
    for apart in (1, -1, 2, -2, 3, -3):
        day = shift_day(way.dates[-1 if apart > 0 else 0], apart)
        moves = booked not in {"", way.dates[0]}
        aside = moves and (day == booked or (day > booked) != (way.dates[0] > booked))
        if day >= first and day not in way.dates and not aside:
            near = replace(way, dates=(day,))
            found += find_offers(dialogue.records, near, Leg(stops=leg.stops or (0,))).fitting
        if len({each[0]["date"] for each in found}) > 1:
            break
    return tuple(sorted(found, key=departure_of))


def moment_of(day: str, clock: str) -> datetime:
    """The moment of a time on a day: ``19:15``, ``19:15:00``, or ``04:00:00+1`` on the next day."""
    spent = timedelta(days="+" in clock, hours=int(clock[:2]), minutes=int(clock[3:5]))
    return datetime.fromisoformat(day) + spent


def departure_of(journey: Journey) -> datetime:
    """The moment a journey departs."""
    return moment_of(journey[0]["date"], journey[0]["scheduled_departure_time_est"])


def arrival_of(journey: Journey) -> datetime:
    """The moment a journey arrives."""
    return moment_of(journey[-1]["date"], journey[-1]["scheduled_arrival_time_est"])


def _fits(records: AirlineRecords, journey: Journey, leg: Leg, way: FlightQuery) -> bool:
    """Whether a journey meets the constraints of a leg; preferences do not matter."""
    if leg.numbers:
        return {flight["flight_number"] for flight in journey} == {*leg.numbers}
    day, start, end = journey[0]["date"], departure_of(journey), arrival_of(journey)
    for name, at in leg.limits:
        moment, edge = end if name.startswith("arrive") else start, moment_of(day, at)
        if moment < edge if name.endswith("after") else moment > edge:
            return False
    now = _leaves_now(records, way, day)
    if not leg.relative or now is None or day != way.instead_of[0]["date"]:
        return True
    return start > now if leg.relative == "later" else start < now


def _leaves_now(records: AirlineRecords, way: FlightQuery, day: str) -> datetime | None:
    """The departure on a day of the flight to be changed, or None until a search has given it."""
    number = way.instead_of[0]["flight_number"] if way.instead_of else ""
    return moment_of(day, records.times[number][0]) if number in records.times else None


def _prefer(
    records: AirlineRecords, pool: list[Journey], leg: Leg, way: FlightQuery
) -> list[Journey]:
    """The journeys, narrowed by the leg's preference, if it has one."""

    def apart(journey: Journey) -> float:
        """The minutes between the preferred time of departure and that of a journey."""
        day, same = journey[0]["date"], leg.around == "same"
        best = _leaves_now(records, way, day) if same else moment_of(day, leg.around)
        return abs((departure_of(journey) - best).total_seconds()) if best else 0

    def minute_of_day(journey: Journey) -> float:
        return departure_of(journey).hour * 60 + departure_of(journey).minute

    if leg.around:
        least = min(map(apart, pool))
        return [each for each in pool if apart(each) == least]
    orders: dict[str, Callable[[Journey], float]] = {
        "cheapest": lambda each: fare(each, way.cabin),
        "dearest": lambda each: -fare(each, way.cabin),
        "fastest": lambda each: (arrival_of(each) - departure_of(each)).total_seconds(),
        "earliest": minute_of_day,
        "latest": lambda each: -minute_of_day(each),
        "any": minute_of_day,
    }
    if leg.rank not in orders:
        return pool
    ranked = sorted(pool, key=orders[leg.rank])
    return [ranked[min(max(leg.nth, 1), len(ranked)) - 1]]
