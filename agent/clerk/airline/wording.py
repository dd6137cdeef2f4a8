"""Wording of the airline clerk: days, flights, reservations, amounts and payment methods."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date as calendar
from datetime import timedelta
from typing import Any

from agent.clerk.airline.known_records import Journey
from agent.clerk.airline.vocabulary import vocabulary
from agent.clerk.state.records import Json
from agent.clerk.wording import join_parts
from domains.airline.airports import CITIES

REFUND_TIME = "within 5 to 7 business days"


def say(name: str, **parts: object) -> str:
    """A sentence from ``answer_texts.json`` with its placeholders filled in."""
    return str(vocabulary("answer_texts")[name]).format(**parts)


CAN_DO = say("can do")


def money(amount: float) -> str:
    """An amount in dollars without separators: ``$1358``; cents only if there are any."""
    whole = float(amount).is_integer()
    return f"${amount:.0f}" if whole else f"${amount:.2f}"


def cost_of(due: float) -> str:
    """What a change costs or refunds, to follow "would": ``cost $40``, ``refund $40``."""
    return f"{'cost' if due >= 0 else 'refund'} {money(abs(due))}"


def city(code: str) -> str:
    """The city of an airport; the code itself if unknown."""
    return CITIES.get(code, code)


def day(date: str) -> str:
    """A date as month and day: ``May 20``; other text is unchanged."""
    try:
        found = calendar.fromisoformat(date)
    except ValueError:
        return str(date)
    return f"{found:%B} {found.day}"


def weekday(date: str) -> str:
    """A date with its weekday: ``Monday, May 20``."""
    return f"{calendar.fromisoformat(date):%A}, {day(date)}"


def shift_day(date: str, days_later: int) -> str:
    """The date moved by a number of days."""
    return (calendar.fromisoformat(date) + timedelta(days=days_later)).isoformat()


def cabin(name: str) -> str:
    """A cabin in words: ``basic economy``."""
    return name.replace("_", " ")


def clock(time: str) -> str:
    """A time of day: ``19:15``, or ``04:00 (next day)`` if it is past midnight."""
    return f"{time[:5]} (next day)" if "+" in time else time[:5]


def way(journey: Sequence[Json]) -> str:
    """The first and last city of flights: ``Boston to Chicago``."""
    return f"{city(journey[0]['origin'])} to {city(journey[-1]['destination'])}"


def journey(flights: Journey) -> str:
    """Flights that are offered together, with their times and where to change planes."""
    parts: list[str] = []
    for flight in flights:
        change = f"change in {city(flight['origin'])}, then " if parts else ""
        on = f" on {day(flight['date'])}" if flight["date"] != flights[0]["date"] else ""
        leaves, lands = (clock(flight[f"scheduled_{e}_time_est"]) for e in ("departure", "arrival"))
        parts.append(f"{change}{flight['flight_number']}, {leaves}–{lands}{on}")
    return "; ".join(parts)


def fare(flights: Sequence[Json], name: str) -> int:
    """Dollars for one seat on all of the offered flights."""
    return sum(int(flight["prices"][name]) for flight in flights)


def booked_flight(flight: Json) -> str:
    """A flight of a reservation: ``LRK226 on May 20``."""
    return f"{flight['flight_number']} on {day(flight['date'])}"


def trip(record: Json) -> str:
    """A reservation with its id, route and days."""
    return f"{record['reservation_id']} ({route(record)}, {when(record)})"


def route(record: Json) -> str:
    """The route of a reservation: ``Boston to New York and back``."""
    back = " and back" if record["flight_type"] == "round_trip" else ""
    return f"{city(record['origin'])} to {city(record['destination'])}{back}"


def when(record: Json) -> str:
    """The departure days of a reservation: ``May 20 and May 25``."""
    return join_parts(day(each) for each in dict.fromkeys(e["date"] for e in record["flights"]))


def describe_reservation(record: Json) -> str:
    """A reservation on one line, for a list to choose from."""
    state = ", cancelled" if record.get("status") == "cancelled" else ""
    people = count(len(record["passengers"]), "passenger")
    seats = f"{cabin(record['cabin'])}, {people}{state}"
    return f"**{record['reservation_id']}**: {route(record)}, {when(record)}, {seats}"


def count(number: int, thing: str) -> str:
    """A number with its noun: ``1 bag``, ``2 bags``, ``no bags``."""
    if number == 0:
        return f"no {thing}s"
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def name(record: Mapping[str, Any]) -> str:
    """The full name of a passenger or customer."""
    return f"{record.get('first_name', '')} {record.get('last_name', '')}".strip()


def method(record: Mapping[str, Any] | None, method_id: str = "") -> str:
    """A payment method: ``travel certificate ($150)``, ``Visa ending in 2217``."""
    if record is None:
        return method_id.rsplit("_", 1)[0].replace("_", " ") or "payment method"
    if record.get("source") == "credit_card":
        brand = str(record.get("brand") or "credit card")
        brand = "American Express" if brand == "american_express" else brand.capitalize()
        return f"{brand} ending in {record.get('last_four', '????')}"
    kind = "travel certificate" if record.get("source") == "certificate" else "gift card"
    return f"{kind} ({money(worth(record))})"


def method_bare(record: Mapping[str, Any] | None, method_id: str = "") -> str:
    """A payment method without its balance."""
    return method(record, method_id).split(" ($")[0]


def worth(record: Mapping[str, Any]) -> float:
    """The balance of a gift card or certificate in dollars; infinite for a credit card."""
    amount = record.get("amount")
    known = isinstance(amount, int | float) and record.get("source") != "credit_card"
    return float(amount) if known and amount is not None else float("inf")


_STATES = {
    "available": "is on schedule, as far as I can see",
    "flying": "is in the air",
    "landed": "has landed",
}


def state_words(state: str) -> str:
    """What the status of a flight says, to follow its number."""
    return _STATES.get(state, f"is {state}")
