"""The demo airline's flights: which fly between which cities, and how each of their days went.

Routes are written by hand in ``data/routes.json``, and so is what scenarios need of particular
days; all else about a day is drawn from a digest of the flight and the date.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

from domains.airline import schema
from domains.core.changes import Record
from tests.generators.drawing import Dice

ROUTES = Path(__file__).parent / "data" / "routes.json"

NOW = datetime.fromisoformat(schema.NOW)
"""The time it is for whoever asks, EST."""

DAYS = tuple(date(2024, 5, 5) + timedelta(days=day) for day in range(22))
"""The dates on which every flight is scheduled."""

CABINS = ("basic_economy", "economy", "business")

LATE = 30
"""Minutes from which a flight that has not left yet is called delayed."""


@dataclass(frozen=True, slots=True)
class Flight:
    """A flight number: where it flies, when, and for about how much."""

    number: str
    origin: str
    destination: str
    departs: time
    minutes: int
    fare: int
    """Dollars in economy on an ordinary day."""

    def departure(self, day: date) -> datetime:
        """When it is scheduled to leave on a day, EST."""
        return datetime.combine(day, self.departs)

    def arrival(self, day: date) -> datetime:
        """When it is scheduled to arrive, having left on a day, EST."""
        return self.departure(day) + timedelta(minutes=self.minutes)

    def prices(self, dice: Dice) -> dict[str, int]:
        """Dollars in each cabin on some day."""
        economy = self.fare * dice.between(82, 138) // 100
        basic = economy * dice.between(52, 76) // 100
        business = economy * dice.between(270, 430) // 100
        return dict(zip(CABINS, (basic, economy, business), strict=True))


class Timetable:
    """Every flight by number, and what is written by hand about particular days."""

    def __init__(self) -> None:
        content = json.loads(ROUTES.read_text(encoding="utf-8"))
        self.flights = {
            flight.number: flight for route in content["routes"] for flight in _flights(route)
        }
        self._known: dict[str, Mapping[str, Any]] = content["days"]

    def records(self) -> dict[str, Record]:
        """The flights in τ²-bench's record shape, by number."""
        return {number: self._record(flight) for number, flight in self.flights.items()}

    def _record(self, flight: Flight) -> Record:
        arrives = flight.arrival(DAYS[0])
        overnight = "+1" if arrives.date() > DAYS[0] else ""
        return {
            "flight_number": flight.number,
            "origin": flight.origin,
            "destination": flight.destination,
            "scheduled_departure_time_est": flight.departs.isoformat(),
            "scheduled_arrival_time_est": arrives.time().isoformat() + overnight,
            "dates": {day.isoformat(): self._day(flight, day) for day in DAYS},
        }

    def _day(self, flight: Flight, day: date) -> Record:
        known = self._known.get(f"{flight.number} {day}", {})
        dice = Dice("day", flight.number, day.isoformat())
        past = day <= NOW.date()
        if known.get("cancelled", past and "delay" not in known and dice.between(1, 100) <= 4):
            return {"status": "cancelled"}
        if not past:
            return _bookable(flight, dice, known)
        delay: int = known.get("delay", _delay(dice))
        held_up = timedelta(minutes=delay)
        return _flown(
            flight.departure(day) + held_up, flight.arrival(day) + held_up, late=delay >= LATE
        )


def _flights(route: Mapping[str, Any]) -> Iterator[Flight]:
    for number, words in route["flights"].items():
        direction, departs = words.split(" ")
        origin, destination = route[direction].split("-")
        yield Flight(
            number,
            origin,
            destination,
            time.fromisoformat(departs),
            route["minutes"],
            route["fare"],
        )


def _delay(dice: Dice) -> int:
    """Minutes: nearly always few."""
    return dice.between(45, 170) if dice.between(1, 100) <= 20 else dice.between(0, 20)


def _flown(departure: datetime, arrival: datetime, *, late: bool) -> Record:
    """How a flight of today or before stands now, by when it leaves and arrives in truth."""
    if departure > NOW:
        return {
            "status": "delayed" if late else "on time",
            "estimated_departure_time_est": departure.isoformat(),
            "estimated_arrival_time_est": arrival.isoformat(),
        }
    if arrival > NOW:
        return {
            "status": "flying",
            "actual_departure_time_est": departure.isoformat(),
            "estimated_arrival_time_est": arrival.isoformat(),
        }
    return {
        "status": "landed",
        "actual_departure_time_est": departure.isoformat(),
        "actual_arrival_time_est": arrival.isoformat(),
    }


def _bookable(flight: Flight, dice: Dice, known: Mapping[str, Any]) -> Record:
    seats = {cabin: max(0, dice.between(-2, 19)) for cabin in CABINS}
    return {
        "status": "available",
        "available_seats": {**seats, **known.get("seats", {})},
        "prices": {**flight.prices(dice), **known.get("prices", {})},
    }
