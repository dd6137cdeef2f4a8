"""Reading the airline's records: what their file has to look like."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.resources.abc import Traversable
from typing import Any

from domains import reading
from domains.records import Base

IDS = {"flights": "flight_number", "users": "user_id", "reservations": "reservation_id"}
"""The collections of an airline, and the field of each that repeats a record's id."""


def read_base(path: Traversable, source: str) -> tuple[Base, str]:
    """The records, and the time it is for whoever asks, EST as in ``2024-05-15T15:00:00``.

    ``source`` says in words where they are from. Raises DomainError that names the file and the
    field.
    """
    from domains.airline.schema import Airline

    layout = reading.Layout("an airline's records", Airline, IDS, _references)
    content = reading.read_records(path, layout)
    now: str = content.pop("now")
    return Base(content, source), now


def _references(airline: Mapping[str, Any]) -> Iterator[reading.Reference]:
    for user_id, user in airline["users"].items():
        for place, reservation_id in enumerate(user["reservations"]):
            yield ("users", user_id, "reservations", place), "reservations", reservation_id
    for key, reservation in airline["reservations"].items():
        yield ("reservations", key, "user_id"), "users", reservation["user_id"]
        for place, flight in enumerate(reservation["flights"]):
            where = ("reservations", key, "flights", place, "flight_number")
            yield where, "flights", flight["flight_number"]
