"""What the airline's records and fields are called when differences are listed field by field."""

from __future__ import annotations

from typing import Any

from domains.airline import wording
from domains.core.changes import Record
from domains.text.naming import Naming, Place, title_of_customer

_LABELS = {
    "dob": "date of birth",
    "flight_type": "kind of trip",
    "total_baggages": "number of checked bags",
    "nonfree_baggages": "number of bags paid for",
    "insurance": "travel insurance",
    "created_at": "booked at",
    "payment_history": "payments",
    "saved_passengers": "saved passengers",
}


def _title(place: Place) -> str:
    match place.collection:
        case "users":
            return title_of_customer(place)
        case _:
            return f"{place.collection.removesuffix('s')} {wording.value(place.key)}"


def _label(place: Place) -> str:
    match place.path:
        case ("payment_methods", _):
            return "payment method"
        case ("payment_history", _):
            return ""
        case ("payment_methods", method_id, field):
            return f"{wording.payment_method(place.record, method_id)} {_field_words(field)}"
        case ("payment_history", _, *more):
            return " ".join(["payment", *more]).replace("_", " ")
        case ("dates", date, "available_seats", cabin):
            return f"number of free {wording.cabin(cabin)} seats on {wording.day(date)}"
        case ("dates", date, *more):
            return " ".join([wording.day(date), *more]).replace("_", " ")
        case (field,):
            return _LABELS.get(field, field.replace("_", " "))
        case _:
            return Naming().label(place)


def _field_words(field: str) -> str:
    return "balance" if field == "amount" else field.replace("_", " ")


def _phrase(place: Place, value: Any) -> str | None:
    match place.path:
        case ():
            return _reservation(value)
        case ("status",):
            return "booked" if value is None else wording.value(value)
        case (*_, "price" | "amount"):
            return wording.money(value)
        case ("address",):
            return wording.address(value)
        case ("name",):
            return wording.full_name(value)
        case ("origin" | "destination",):
            return wording.airport(value)
        case ("cabin",):
            return wording.cabin(value)
        case ("flight_type",):
            return wording.trip_type(value)
        case _:
            return _entry(place, value)


def _entry(place: Place, value: Any) -> str | None:
    match place.path:
        case ("flights", _):
            return f"{wording.flight(value)}, {wording.money(value['price'])} each"
        case ("passengers" | "saved_passengers", _):
            return wording.passenger(value)
        case ("payment_history", _):
            return _payment(place, value)
        case ("payment_methods", method_id) if value["source"] == "certificate":
            worth = wording.money(value["amount"])
            return f"travel certificate {wording.value(method_id)} over {worth}"
        case ("payment_methods", method_id):
            return wording.payment_method(place.record, method_id)
        case _:
            return None


def _reservation(record: Record) -> str:
    flights = [wording.flight_and_day(each)
               for each in record["flights"]]  # fmt: skip
    return ", ".join(
        [
            wording.route(record),
            wording.trip_type(record["flight_type"]),
            wording.cabin(record["cabin"]),
            wording.listing(flights),
            wording.passengers(record["passengers"]),
            wording.bags(record["total_baggages"], record["nonfree_baggages"]),
        ]
    )


def _payment(place: Place, row: Record) -> str:
    user = place.look("users", place.record["user_id"]) or {}
    method = wording.by_method(user, row["payment_id"])
    what, way = ("refund", "to") if row["amount"] < 0 else ("payment", "with")
    return f"{what} of {wording.money(abs(row['amount']))} {way} {method}"


NAMING = Naming(
    title=_title,
    label=_label,
    phrase=_phrase,
    alike={
        ("reservations", ("flights",)): (
            ("flight_number", "date"), ("flight_number",), ("origin", "destination"),
        ),
        ("reservations", ("passengers",)): (
            ("first_name", "last_name"), ("last_name", "dob"), ("first_name", "dob"),
        ),
        ("reservations", ("payment_history",)): (("payment_id",),),
        ("users", ("saved_passengers",)): (("first_name", "last_name"),),
    },
)  # fmt: skip
"""How differences in the airline's records are worded."""
