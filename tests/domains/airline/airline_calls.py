"""Writes that an agent might try on an airline: mostly sensible, some wrong, a few absurd."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from domains.core.changes import Record
from domains.core.domain import Domain
from domains.core.tool import ToolCall

ABSURD: list[Any] = ["", "nothing", None, 7, -1, 1.5, "3", True, ["x"], {}, [{}]]
CABINS = ["basic_economy", "economy", "business"]
STRANGERS = [
    {"first_name": "Ada", "last_name": "Berg", "dob": "1990-01-02"},
    {"first_name": "Ole", "last_name": "Dahl", "dob": "2001-11-30", "seat": "4A"},
]


@st.composite
def writes(draw: st.DrawFn, domain: Domain, user_id: str | None = None) -> ToolCall:
    """One write with the right argument names, for a customer who has made reservations."""
    chosen = user_id or draw(user_ids(domain))
    user = domain.base.collections["users"][chosen]
    name = draw(st.sampled_from(sorted(each.name for each in domain.tools if each.mutates)))
    arguments = draw(_arguments(domain, name, user))
    if draw(st.integers(0, 11)) == 0:
        arguments[draw(st.sampled_from(sorted(arguments)))] = draw(st.sampled_from(ABSURD))
    return ToolCall(name, arguments)


def user_ids(domain: Domain) -> st.SearchStrategy[str]:
    """Customers who have made reservations."""
    users = domain.base.collections["users"]
    return st.sampled_from([key for key, user in users.items() if user["reservations"]])


@st.composite
def _arguments(draw: st.DrawFn, domain: Domain, name: str, user: Record) -> dict[str, Any]:
    if name == "book_reservation":
        return draw(_bookings(domain, user))
    if name == "send_certificate":
        amounts = st.sampled_from([50, 100, 150, 200, 0, -20, 99999])
        return {"user_id": user["user_id"], "amount": draw(amounts)}
    made = [*user["reservations"]] * 6 + ["HATHAT", "NONE00"]
    arguments: dict[str, Any] = {"reservation_id": draw(st.sampled_from(made))}
    reservation = domain.base.collections["reservations"].get(arguments["reservation_id"])
    if name == "update_reservation_passengers":
        people = reservation["passengers"] if reservation else []
        arguments["passengers"] = draw(_passengers(user, len(people)))
    if name == "update_reservation_flights":
        arguments |= draw(_changes(domain, reservation))
    if name == "update_reservation_baggages":
        total, nonfree = draw(st.integers(-1, 6)), draw(st.integers(-1, 4))
        arguments |= {"total_baggages": total, "nonfree_baggages": nonfree}
    if name in ("update_reservation_flights", "update_reservation_baggages"):
        arguments["payment_id"] = draw(_method_ids(user))
    return arguments


def _method_ids(user: Record) -> st.SearchStrategy[str]:
    return st.sampled_from([*sorted(user["payment_methods"]) * 3, "gift_card_0"])


@st.composite
def _passengers(draw: st.DrawFn, user: Record, count: int) -> list[Any]:
    """Nearly always so many; now and then one that is no object."""
    me = {**user["name"], "dob": user["dob"]}
    known = st.sampled_from([me, *user["saved_passengers"], *STRANGERS])
    size = max(0, count + draw(st.sampled_from([0] * 8 + [1, -1])))
    people: list[Any] = draw(st.lists(known, min_size=size, max_size=size))
    if people and draw(st.integers(0, 14)) == 0:
        people[-1] = draw(st.sampled_from(["Ada Berg", {"first_name": "Ada"}, None]))
    return people


@st.composite
def _changes(draw: st.DrawFn, domain: Domain, reservation: Record | None) -> dict[str, Any]:
    """Another cabin, other days or other flights, or a bit of each."""
    held = reservation["flights"] if reservation else []
    cabin = draw(st.sampled_from([reservation["cabin"] if reservation else "economy", *CABINS]))
    listed = []
    for flight in held:
        kept = {"flight_number": flight["flight_number"], "date": flight["date"]}
        listed.append(draw(st.one_of(st.just(kept), _like(domain, flight))))
    if draw(st.integers(0, 9)) == 0:
        listed = draw(st.sampled_from([[], listed[1:], listed + listed[:1], listed[::-1]]))
    return {"cabin": cabin, "flights": listed}


@st.composite
def _like(draw: st.DrawFn, domain: Domain, flight: Record) -> dict[str, str]:
    """A flight between the same cities, or any, on a day that it flies."""
    flights = domain.base.collections["flights"]
    ends = (flight["origin"], flight["destination"])
    same = [key for key, each in flights.items() if (each["origin"], each["destination"]) == ends]
    pools = [same or list(flights)] * 9 + [list(flights)]
    number = draw(st.sampled_from(pools).flatmap(st.sampled_from))
    dates = {key: day["status"] for key, day in flights[number]["dates"].items()}
    open_days = [key for key, status in dates.items() if status == "available"]
    days = [open_days or list(dates)] * 9 + [list(dates)]
    return {"flight_number": number, "date": draw(st.sampled_from(days).flatmap(st.sampled_from))}


@st.composite
def _bookings(draw: st.DrawFn, domain: Domain, user: Record) -> dict[str, Any]:
    """A booking whose payments nearly always add up to what it costs."""
    flights = domain.base.collections["flights"]
    first = draw(_like(domain, flights[draw(st.sampled_from(list(flights)))]))
    out = flights[first["flight_number"]]
    listed = [first]
    round_trip = draw(st.booleans())
    if round_trip:
        back = {"origin": out["destination"], "destination": out["origin"]}
        listed.append(draw(_like(domain, back)))
    if draw(st.integers(0, 14)) == 0:
        listed = draw(st.sampled_from([[], listed * 2, listed[:1] * 2, ["HAT001"]]))
    cabin = draw(st.sampled_from(CABINS))
    people = draw(_passengers(user, draw(st.sampled_from([1, 1, 2, 3, 6]))))
    nonfree = draw(st.sampled_from([0, 0, 0, 1, 2, -1]))
    insurance = draw(st.sampled_from(["yes", "no"]))
    fares = sum(_fare(flights, each, cabin) for each in listed)
    total = (fares + 30 * (insurance == "yes")) * len(people) + 50 * nonfree
    return {
        "user_id": user["user_id"],
        "origin": out["origin"],
        "destination": out["destination"],
        "flight_type": "round_trip" if round_trip else "one_way",
        "cabin": cabin,
        "flights": listed,
        "passengers": people,
        "payment_methods": draw(_payments(user, total)),
        "total_baggages": draw(st.integers(0, 5)),
        "nonfree_baggages": nonfree,
        "insurance": insurance,
    }


def _fare(flights: Any, listed: Any, cabin: str) -> int:
    if not isinstance(listed, dict):
        return 0
    day = flights[listed["flight_number"]]["dates"][listed["date"]]
    fare: int = day.get("prices", {}).get(cabin, 0)
    return fare


@st.composite
def _payments(draw: st.DrawFn, user: Record, total: int) -> list[dict[str, Any]]:
    """First what some methods hold, then the rest from a last one."""
    methods, rows, left = user["payment_methods"], [], total
    ids = draw(st.lists(st.sampled_from(sorted(methods)), max_size=3)) if methods else []
    for method_id in ids:
        held = int(methods[method_id].get("amount", draw(st.integers(1, 200))))
        part = min(held, left) if draw(st.integers(0, 9)) else draw(st.integers(-50, 400))
        rows.append({"payment_id": method_id, "amount": part})
        left -= part
    cards = [key for key, each in methods.items() if each["source"] == "credit_card"]
    if left:
        last = draw(st.sampled_from(cards or sorted(methods) or ["credit_card_0"]))
        rows.append({"payment_id": last, "amount": left})
    return rows
