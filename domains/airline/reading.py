"""Reading the airline's records, and the layout that their file must have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.resources.abc import Traversable
from typing import Any

from domains.core import reading
from domains.core.records import Base

IDS = {
    ("flights",): "flight_number",
    ("users",): "user_id",
    ("users", reading.EVERY, "payment_methods"): "id",
    ("reservations",): "reservation_id",
}
"""The airline's tables, and the field in each that repeats a record's id."""


def read_base(path: Traversable, source: str) -> tuple[Base, str]:
    """The records, and the current time that they state, EST: ``2024-05-15T15:00:00``.

    ``source`` says in words where the records come from. Raises DomainError that names the file and
    the field.
    """
    from domains.airline.schema import Airline

    layout = reading.Layout("an airline's records", Airline, IDS, _references)
    content = reading.read_records(path, layout)
    now: str = content.pop("now")
    return Base(content, source), now


def _references(airline: Mapping[str, Any]) -> Iterator[reading.Reference]:
    """Yield the ids that must exist in another table.

    Payment methods are not among them: a certificate that was used up is no longer on its
    customer's file.
    """
    for user_id, user in airline["users"].items():
        for number, reservation_id in enumerate(user["reservations"]):
            yield ("users", user_id, "reservations", number), ("reservations",), reservation_id
    for key, reservation in airline["reservations"].items():
        yield ("reservations", key, "user_id"), ("users",), reservation["user_id"]
        for number, flight in enumerate(reservation["flights"]):
            where, flight_id = ("reservations", key, "flights", number), flight["flight_number"]
            yield (*where, "flight_number"), ("flights",), flight_id
            yield (*where, "date"), ("flights", flight_id, "dates"), flight["date"]
