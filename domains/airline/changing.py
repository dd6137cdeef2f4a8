"""The steps of changing a reservation's flights that its tool and its checks share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from domains.airline import money, objects, seats, store, trip
from domains.airline.quirks import Quirks
from domains.core.changes import Record
from domains.core.draft import Draft
from domains.core.tool import Arguments


def new_flights(
    draft: Draft, quirks: Quirks, reservation: Record, cabin: Any, listed: Sequence[Any]
) -> list[Record]:
    """The flights that a call lists, as the reservation would store them.

    A flight that the reservation already has, in the same cabin, keeps its price and needs no seat.
    Raises ToolError if another flight cannot be booked or has too few seats, and KeyError if the
    cabin does not exist.
    """
    passengers = len(reservation["passengers"])
    return [
        _own_flight(reservation, cabin, flight)
        or seats.price_flight(draft, quirks, listed, flight, cabin, passengers)
        for flight in listed
    ]


def _own_flight(reservation: Record, cabin: Any, flight: Any) -> Record | None:
    """The reservation's own record of a flight that it keeps in the same cabin, or None."""
    if cabin != reservation["cabin"]:
        return None
    wanted = (flight.flight_number, flight.date)
    return next((each for each in reservation["flights"] if _flight_key(each) == wanted), None)


def _flight_key(flight: Record) -> tuple[str, str]:
    return flight["flight_number"], flight["date"]


def price_difference(reservation: Record, flights: Sequence[Record]) -> int:
    """How many dollars more the new flights cost for all passengers; negative if they cost less."""
    new: int = sum(flight["price"] for flight in flights)
    old: int = sum(flight["price"] for flight in reservation["flights"])
    return (new - old) * len(reservation["passengers"])


def change(
    draft: Draft, quirks: Quirks, reservation_id: str, cabin: str, flights: Any, payment_id: str
) -> Record:
    """Change a reservation's flights, its cabin or both, and settle the price difference."""
    listed = objects.flights(flights)
    before = store.get_reservation(draft, reservation_id)
    store.get_user(draft, before["user_id"])
    quirks.check_standing(before)
    quirks.check_flights(listed)
    new = new_flights(draft, quirks, before, cabin, listed)
    after = draft.edit("reservations", reservation_id)
    money.settle(draft, after, payment_id, price_difference(before, new))
    after["flights"], after["cabin"] = new, cabin
    if not quirks.stale_route:
        ends = trip.origin_and_destination(
            new, after["flight_type"], after["origin"], after["destination"]
        )
        after["origin"], after["destination"] = ends
    if not quirks.keeps_seats:
        passengers = len(after["passengers"])
        seats.take(draft, before["flights"], before["cabin"], -passengers)
        seats.take(draft, new, cabin, passengers)
    return after


def requested_flights(
    draft: Draft, quirks: Quirks, arguments: Arguments
) -> tuple[Record, list[Record]]:
    """The reservation as it is, and the flights that a call would give it.

    Raises ToolError for an unknown reservation, and whatever :func:`new_flights` raises.
    """
    reservation = store.get_reservation(draft, arguments["reservation_id"])
    listed = objects.flights(arguments["flights"])
    quirks.check_flights(listed)
    return reservation, new_flights(draft, quirks, reservation, arguments["cabin"], listed)
