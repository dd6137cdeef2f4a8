"""The airline tools that only read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from domains.airline import store
from domains.airline.airports import CITIES
from domains.airline.quirks import Quirks
from domains.core.changes import Record
from domains.core.draft import Draft
from domains.core.tool import Tool, reads

UserId = Annotated[str, "Customer id, such as 'anna_berg_2041'."]
ReservationId = Annotated[str, "Reservation id, such as '4KX0RB'."]
FlightNumber = Annotated[str, "Flight number, such as 'HAT001'."]
Date = Annotated[str, "Date of departure, as 'YYYY-MM-DD'."]
Origin = Annotated[str, "Airport to leave from, as its IATA code, such as 'SEA'."]
Destination = Annotated[str, "Airport to arrive at, as its IATA code, such as 'JFK'."]


def tools(quirks: Quirks) -> tuple[Tool, ...]:
    """The six look-ups, in the order in which they are declared to a model."""

    @reads
    def list_all_airports(draft: Draft) -> list[Record]:
        """List every airport: IATA code and city."""
        served = (
            flight[end] for _, flight in draft.items("flights") for end in ("origin", "destination")
        )
        codes = quirks.airports(served)
        return [{"iata": code, "city": CITIES.get(code, code)} for code in codes]

    @reads
    def search_onestop_flight(
        draft: Draft, origin: Origin, destination: Destination, date: Date
    ) -> list[list[Record]]:
        """Find ways to fly with one change of planes, leaving on a date: pairs of flights.

        Only flights that can be booked are found, each with its seats left and prices by cabin.
        """
        found: list[list[Record]] = []
        for first in _bookable(draft, date, origin=origin):
            going_on, earliest = quirks.connection(date, first["scheduled_arrival_time_est"])
            seconds = _bookable(
                draft,
                going_on,
                origin=first["destination"],
                destination=destination,
                earliest=earliest,
            )
            found += [[{**first, "date": date}, {**second, "date": going_on}] for second in seconds]
        return found

    return (
        get_user_details,
        get_reservation_details,
        list_all_airports,
        search_direct_flight,
        search_onestop_flight,
        get_flight_status,
    )


@reads
def get_user_details(draft: Draft, user_id: UserId) -> Record:
    """Read one customer: name, membership, payment methods, saved passengers, reservation ids."""
    return store.get_user(draft, user_id)


@reads
def get_reservation_details(draft: Draft, reservation_id: ReservationId) -> Record:
    """Read one reservation: flights, cabin, passengers, bags, insurance and payments."""
    return store.get_reservation(draft, reservation_id)


@reads
def search_direct_flight(
    draft: Draft, origin: Origin, destination: Destination, date: Date
) -> list[Record]:
    """Find direct flights that can be booked on a date, with seats left and prices by cabin."""
    return list(_bookable(draft, date, origin=origin, destination=destination))


@reads
def get_flight_status(draft: Draft, flight_number: FlightNumber, date: Date) -> str:
    """Read how a flight stands on a date: available, on time, delayed, flying, landed, cancelled.

    Only an available flight can be booked.
    """
    status: str = store.get_day(draft, flight_number, date)["status"]
    return status


def _bookable(
    draft: Draft,
    date: str,
    *,
    origin: str | None = None,
    destination: str | None = None,
    earliest: str | None = None,
) -> Iterator[Record]:
    """Yield the flights that can be booked on a date; None means any airport or any time of day."""
    for _, flight in draft.items("flights"):
        if origin not in (None, flight["origin"]) or destination not in (
            None,
            flight["destination"],
        ):
            continue
        day = flight["dates"].get(date)
        if day is None or day["status"] != "available":
            continue
        if earliest is None or flight["scheduled_departure_time_est"] >= earliest:
            yield _offer(flight, day)


def _offer(flight: Record, day: Record) -> Record:
    return {
        "flight_number": flight["flight_number"],
        "origin": flight["origin"],
        "destination": flight["destination"],
        "status": "available",
        "scheduled_departure_time_est": flight["scheduled_departure_time_est"],
        "scheduled_arrival_time_est": flight["scheduled_arrival_time_est"],
        "date": None,
        "available_seats": day["available_seats"],
        "prices": day["prices"],
    }
