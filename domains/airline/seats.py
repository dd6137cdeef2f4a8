"""Seats on a flight's day: their price, whether they are free, taking and releasing them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from domains.airline import store
from domains.airline.quirks import Quirks
from domains.core.changes import Record
from domains.core.draft import Draft
from domains.core.tool import ToolError


def bookable_day(draft: Draft, flight_number: str, date: str) -> Record:
    """A flight's day that can be booked; raises ToolError if there is none."""
    day = store.get_day(draft, flight_number, date)
    if day["status"] != "available":
        raise ToolError(f"Flight {flight_number} not available on date {date}")
    return day


def price_flight(
    draft: Draft, quirks: Quirks, listed: Sequence[Any], flight: Any, cabin: str, passengers: int
) -> Record:
    """One of the flights that a call lists, as a reservation stores it.

    Raises ToolError if it cannot be booked or has too few seats, and KeyError if it has no such
    cabin.
    """
    record = store.get_flight(draft, flight.flight_number)
    day = bookable_day(draft, flight.flight_number, flight.date)
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
    """Take seats for ``passengers`` people on each flight; a negative number releases seats.

    Flights that can no longer be booked have no seat counts.
    """
    for flight in flights:
        if store.status_of(draft, flight) == "available":
            day = draft.edit("flights", flight["flight_number"])["dates"][flight["date"]]
            day["available_seats"][cabin] -= passengers
