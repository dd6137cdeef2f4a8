"""A customer's records as the Record pane shows them, and which customer a call concerns."""

from __future__ import annotations

from collections.abc import Iterator

from domains.airline import wording
from domains.core.changes import Record
from domains.core.domain import Field, Sheet
from domains.core.draft import Draft
from domains.core.record_sheets import customer_in, payment_methods, profile
from domains.core.records import Records
from domains.core.tool import Arguments, ToolCall

FINDS_CUSTOMER = frozenset({"get_user_details"})
SHOWS_CUSTOMER = frozenset({"get_user_details", "get_reservation_details"})


def sheets(records: Draft | Records, user_id: str) -> list[Sheet]:
    """The customer's profile, payment methods, saved passengers and reservations.

    Empty for an unknown customer.
    """
    user = records.get("users", user_id)
    if user is None:
        return []
    booked = (records.get("reservations", each) for each in user["reservations"])
    return [
        profile(user, ("membership", "membership"), ("date of birth", "dob")),
        payment_methods(user),
        *_saved_passengers(user),
        _reservations(user),
        *(_reservation(user, each) for each in booked if each is not None),
    ]


def customer_of(call: ToolCall, result: str) -> str | None:
    """The customer id that a successful look-up reveals, or None."""
    return customer_in(result) if call.name in SHOWS_CUSTOMER else None


def owner_of(records: Records, arguments: Arguments) -> str | None:
    """The id of the customer whose reservation or profile a write names, or None."""
    if "reservation_id" not in arguments:
        user_id = arguments.get("user_id")
        return user_id if isinstance(user_id, str) else None
    key = arguments["reservation_id"]
    reservation = records.get("reservations", key) if isinstance(key, str) else None
    return None if reservation is None else str(reservation["user_id"])


def _saved_passengers(user: Record) -> Iterator[Sheet]:
    path = f"users/{user['user_id']}/saved_passengers"
    fields = tuple(
        Field("passenger", wording.passenger(each), f"{path}.{index}")
        for index, each in enumerate(user["saved_passengers"])
    )
    if fields:
        yield Sheet("Saved passengers", fields)


def _reservations(user: Record) -> Sheet:
    ids, path = user["reservations"], f"users/{user['user_id']}/reservations"
    fields = (Field("reservation", each, f"{path}.{index}") for index, each in enumerate(ids))
    return Sheet("Reservations", tuple(fields))


def _reservation(user: Record, reservation: Record) -> Sheet:
    fields = tuple(_reservation_fields(user, reservation))
    return Sheet(f"Reservation {reservation['reservation_id']}", fields)


def _reservation_fields(user: Record, reservation: Record) -> Iterator[Field]:
    path = f"reservations/{reservation['reservation_id']}"
    yield Field("status", reservation["status"] or "booked", f"{path}/status")
    yield Field("from", wording.airport(reservation["origin"]), f"{path}/origin")
    yield Field("to", wording.airport(reservation["destination"]), f"{path}/destination")
    yield Field("trip", wording.trip_type(reservation["flight_type"]), f"{path}/flight_type")
    yield Field("cabin", wording.cabin(reservation["cabin"]), f"{path}/cabin")
    for index, flight in enumerate(reservation["flights"]):
        words = f"{wording.flight(flight)}, {wording.money(flight['price'])} each"
        yield Field("flight", words, f"{path}/flights.{index}")
    for index, each in enumerate(reservation["passengers"]):
        yield Field("passenger", wording.passenger(each), f"{path}/passengers.{index}")
    yield Field("checked bags", str(reservation["total_baggages"]), f"{path}/total_baggages")
    yield Field("paid bags", str(reservation["nonfree_baggages"]), f"{path}/nonfree_baggages")
    yield Field("travel insurance", reservation["insurance"], f"{path}/insurance")
    for index, row in enumerate(reservation["payment_history"]):
        kind = "payment" if row["amount"] > 0 else "refund"
        yield Field(kind, _payment(user, row), f"{path}/payment_history.{index}")
    yield Field("booked", reservation["created_at"].replace("T", " "), f"{path}/created_at")


def _payment(user: Record, row: Record) -> str:
    method = wording.payment_method(user, row["payment_id"])
    return f"{wording.money(abs(row['amount']))}, {method}"
