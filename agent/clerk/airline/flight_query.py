"""A flight query: one way of a trip as it is searched for, and how what is found is described."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from agent.clerk.airline.known_records import Journey, ways
from agent.clerk.airline.wording import cabin, city, cost_of, fare, offer, weekday
from agent.clerk.state.records import Json
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
        line = f"{day}{offer(found, self.cabin, self.seats)}"
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
