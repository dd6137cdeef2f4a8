"""Seats on a flight's day: what they cost, whether they are there, taking them and giving back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from domains.airline import store
from domains.airline.quirks import Quirks
from domains.core.changes import Record
from domains.core.draft import Draft
from domains.core.tool import ToolError


def offer(draft: Draft, flight_number: str, date: str) -> Record:
    """A flight's day that can be booked; ToolError where there is none."""
    day = store.get_day(draft, flight_number, date)
    if day["status"] != "available":
        raise ToolError(f"Flight {flight_number} not available on date {date}")
    return day


def price_flight(
    draft: Draft, quirks: Quirks, listed: Sequence[Any], flight: Any, cabin: str, passengers: int
) -> Record:
    """One flight of those that a call lists, as a reservation holds it.

    Raises ToolError where it cannot be booked or has too few seats, KeyError where it has no such
    cabin.
    """
    record = store.get_flight(draft, flight.flight_number)
    day = offer(draft, flight.flight_number, flight.date)
    if day["available_seats"][cabin] < quirks.seats_needed(listed, flight, passengers):
        raise ToolError(f"Not enough seats on flight {flight.flight_number}")
    return {
        "flight_number": flight.flight_number,
        "origin": record["origin"],
        "destination": record["destination"],
        "date": flight.date,
        "price": day["prices"][cabin],
    }


def take(draft: Draft, flights: Iterable[Record], cabin: str, passengers: int) -> None:
    """Take seats for so many passengers on each flight; a negative number gives seats back.

    Flights that can no longer be booked have no seats to count.
    """
    for flight in flights:
        if store.status_of(draft, flight) == "available":
            day = draft.edit("flights", flight["flight_number"])["dates"][flight["date"]]
            day["available_seats"][cabin] -= passengers
