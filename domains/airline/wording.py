"""How the airline's records and values are worded for customers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date as calendar
from typing import Any

from domains.airline.airports import CITIES
from domains.core.changes import Record
from domains.text.one_line import quotation, value
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


LONGEST_NAME = 30
"""How many characters of a passenger's name stand in a sentence beside others'."""


def airport(code: str) -> str:
    """An airport with its city: ``New York (JFK)``."""
    return f"{CITIES[code]} ({code})" if code in CITIES else value(code)


def route(record: Record) -> str:
    """The route of a record with both ends: ``New York (JFK) → Seattle (SEA)``."""
    return f"{airport(record['origin'])} → {airport(record['destination'])}"


def day(date: str) -> str:
    """A date as day and month: ``20 May``; anything that is not a date is shown as it is."""
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
    """A cabin in words: ``basic economy``."""
    return value(str(name).replace("_", " "))


def trip_type(name: Any) -> str:
    """A kind of trip in words: ``round trip``, ``one-way trip``."""
    return {"round_trip": "round trip", "one_way": "one-way trip"}.get(str(name), value(name))


def flight_and_day(record: Record) -> str:
    """A flight and its day: ``HAT136 on 20 May``."""
    return f"{value(record['flight_number'])} on {day(record['date'])}"


def flight(record: Record) -> str:
    """A reservation's flight: ``HAT136 on 20 May, New York (JFK) → Chicago (ORD)``."""
    return f"{flight_and_day(record)}, {route(record)}"


def passenger(record: Any) -> str:
    """A passenger in words: ``Mia Li, born 1990-04-05``; an unparsed one is shown as it is."""
    if _is_read(record):
        return f"{full_name(record)}, born {value(record['dob'])}"
    return value(record)


def _is_read(record: Any) -> bool:
    return isinstance(record, dict) and {"first_name", "last_name", "dob"} <= record.keys()


def passengers(records: Sequence[Record]) -> str:
    """The passengers by name, of more than three only the first two: ``Mia Li and Ivan Li``.

    Long names are cut, so that they do not hide the price behind them. How many are named depends
    on their number alone: no text in a name changes the card's own words.
    """
    if not records:
        return "nobody"
    named = records if len(records) <= 3 else records[:2]
    rest = [f"{len(records) - len(named)} more"] if len(named) < len(records) else []
    return listing([*map(_name, named), *rest])


def _name(record: Any) -> str:
    if not _is_read(record):
        return value(record)
    name = f"{record['first_name']} {record['last_name']}"
    return value(name) if len(name) <= LONGEST_NAME else quotation(name, LONGEST_NAME)


def count(number: Any, thing: str) -> str:
    """A count with its noun: ``1 bag``, ``2 bags``; the number is shown as it was given."""
    return quantity(value(number), thing)


def bags(total: Any, nonfree: Any) -> str:
    """The number of bags in words: ``3 checked bags (1 of them paid for)``."""
    paid = f" ({value(nonfree)} of them paid for)" if nonfree else ""
    return f"{count(total, 'checked bag') if total else 'no checked bags'}{paid}"
