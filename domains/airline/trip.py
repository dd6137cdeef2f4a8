"""Whether flights join up into the requested trip, and which airports they connect."""

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
    """The flights that a call lists, each with its origin, destination and times.

    ``departs`` and ``arrives`` are datetimes, EST. Raises ToolError for an unknown flight.
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


def why_not_the_trip(
    flights: Sequence[Record], flight_type: str, origin: str, destination: str
) -> str:
    """Why the flights, in this order, do not make up the trip, in words; empty if they do."""
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


def origin_and_destination(
    flights: Sequence[Record], flight_type: str, origin: str, destination: str
) -> tuple[str, str]:
    """The origin and destination of a reservation that now has these flights.

    ``origin`` and ``destination`` are those that it had before; they stay if there are no flights.
    Otherwise the trip starts where its first flight does. A one-way trip ends where its last flight
    does. A round trip keeps its destination if the flights still go there; otherwise its far end is
    where the first half of the flights leads.
    """
    if not flights:
        return origin, destination
    if flight_type == "one_way":
        return flights[0]["origin"], flights[-1]["destination"]
    if all(flight["destination"] != destination for flight in flights):
        destination = flights[(len(flights) - 1) // 2]["destination"]
    return flights[0]["origin"], destination
