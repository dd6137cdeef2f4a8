"""Where flights lead: whether they join up into the trip that was asked for, and to which ends."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

from domains.airline import store
from domains.core.changes import Record
from domains.core.draft import Draft
from domains.text.one_line import value


def legs(draft: Draft, listed: Iterable[Any]) -> list[Record]:
    """Flights that a call lists, each with origin, destination and times.

    ``departs`` and ``arrives`` are datetimes, EST. Raises ToolError for a flight that is not there.
    """
    return [_leg(draft, flight.flight_number, flight.date) for flight in listed]


def _leg(draft: Draft, flight_number: str, date: str) -> Record:
    flight = store.get_flight(draft, flight_number)
    arrives = flight["scheduled_arrival_time_est"]
    overnight = timedelta(days=1 if "+1" in arrives else 0)
    return {
        "flight_number": flight_number,
        "origin": flight["origin"],
        "destination": flight["destination"],
        "date": date,
        "departs": _at(date, flight["scheduled_departure_time_est"]),
        "arrives": _at(date, arrives.split("+")[0]) + overnight,
    }


def _at(date: str, time: str) -> datetime:
    return datetime.fromisoformat(f"{date}T{time}")


def fault(flights: Sequence[Record], flight_type: str, origin: str, destination: str) -> str:
    """Why flights, in order, are not that trip, in words; empty where they are."""
    if not flights:
        return "there is no flight"
    if flights[0]["origin"] != origin:
        return f"it starts in {value(flights[0]['origin'])}, not in {value(origin)}"
    for first, second in pairwise(flights):
        if first["destination"] != second["origin"]:
            return f"{_number(first)} and {_number(second)} do not join up"
        if second["departs"] < first["arrives"]:
            return f"{_number(second)} leaves before {_number(first)} has arrived"
    last = origin if flight_type == "round_trip" else destination
    if flights[-1]["destination"] != last:
        return f"it ends in {value(flights[-1]['destination'])}, not in {value(last)}"
    if all(flight["destination"] != destination for flight in flights):
        return f"it does not go to {value(destination)}"
    return ""


def _number(flight: Record) -> str:
    return value(flight["flight_number"])


def ends(
    flights: Sequence[Record], flight_type: str, origin: str, destination: str
) -> tuple[str, str]:
    """Origin and destination of flights that a reservation between those two now holds.

    Its destination stays where they still go there. The far end of any other round trip is where
    the first half of its flights leads.
    """
    if not flights:
        return origin, destination
    if flight_type == "one_way":
        return flights[0]["origin"], flights[-1]["destination"]
    if all(flight["destination"] != destination for flight in flights):
        destination = flights[(len(flights) - 1) // 2]["destination"]
    return flights[0]["origin"], destination
