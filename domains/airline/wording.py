"""How the airline's things are called in front of a customer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date as calendar
from typing import Any

from domains.airline.airports import CITIES
from domains.core.changes import Record
from domains.text.one_line import value
from domains.text.quantity import quantity
from domains.text.wording import (
    address,
    by_method,
    full_name,
    listing,
    money,
    payment_method,
    settlement,
)

__all__ = [
    "address",
    "airport",
    "bags",
    "by_method",
    "cabin",
    "count",
    "day",
    "days",
    "flight",
    "flight_and_day",
    "full_name",
    "listing",
    "money",
    "passenger",
    "passengers",
    "payment_method",
    "route",
    "settlement",
    "trip_type",
    "value",
]


def airport(code: str) -> str:
    """``New York (JFK)``."""
    return f"{CITIES[code]} ({code})" if code in CITIES else value(code)


def route(record: Record) -> str:
    """``New York (JFK) → Seattle (SEA)``, of whatever has an origin and a destination."""
    return f"{airport(record['origin'])} → {airport(record['destination'])}"


def day(date: str) -> str:
    """``20 May``; what is no date stays as it is."""
    try:
        found = calendar.fromisoformat(date)
    except (TypeError, ValueError):
        return value(date)
    return f"{found.day} {found:%B}"


def days(dates: Iterable[str]) -> str:
    """The days that a trip spans: ``20 May``, ``20–25 May``, ``30 May – 2 June``."""
    found = sorted(set(dates))
    if not found:
        return "no date"
    first, last = day(found[0]), day(found[-1])
    if first == last:
        return first
    if first.split(" ")[-1] == last.split(" ")[-1]:
        return f"{first.split(' ')[0]}–{last}"
    return f"{first} – {last}"


def cabin(name: Any) -> str:
    """``basic economy``."""
    return value(str(name).replace("_", " "))


def trip_type(name: Any) -> str:
    """``round trip``, ``one-way trip``."""
    return {"round_trip": "round trip", "one_way": "one-way trip"}.get(str(name), value(name))


def flight_and_day(record: Record) -> str:
    """A flight and its day: ``HAT136 on 20 May``."""
    return f"{value(record['flight_number'])} on {day(record['date'])}"


def flight(record: Record) -> str:
    """A reservation's flight: ``HAT136 on 20 May, New York (JFK) → Chicago (ORD)``."""
    return f"{flight_and_day(record)}, {route(record)}"


def passenger(record: Any) -> str:
    """``Mia Li, born 1990-04-05``; one that was recorded unread is shown as it is."""
    if _is_read(record):
        return f"{full_name(record)}, born {value(record['dob'])}"
    return value(record)


def _is_read(record: Any) -> bool:
    return isinstance(record, dict) and {"first_name", "last_name", "dob"} <= record.keys()


def passengers(records: Sequence[Record]) -> str:
    """``Mia Li and 1 more``."""
    if not records:
        return "nobody"
    first = full_name(records[0]) if _is_read(records[0]) else value(records[0])
    return first if len(records) == 1 else f"{first} and {len(records) - 1} more"


def count(number: Any, thing: str) -> str:
    """``1 bag``, ``2 bags``; the number is as a call or a record has it."""
    return quantity(value(number), thing)


def bags(total: Any, nonfree: Any) -> str:
    """``3 checked bags (1 of them paid for)``."""
    paid = f" ({value(nonfree)} of them paid for)" if nonfree else ""
    return f"{count(total, 'checked bag') if total else 'no checked bags'}{paid}"
