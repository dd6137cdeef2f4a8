"""What the clerk has read of an airline, folded from the tool results in the messages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from agent.clerk.remembering import Asked, Json, Remembered, as_json

CABINS = ("basic_economy", "economy", "business")
"""The cabins, the humblest first."""

WRITES = frozenset(
    {
        "book_reservation",
        "cancel_reservation",
        "send_certificate",
        "update_reservation_baggages",
        "update_reservation_flights",
        "update_reservation_passengers",
    }
)
TOOLS = WRITES | {
    "get_reservation_details",
    "get_flight_status",
    "search_direct_flight",
    "search_onestop_flight",
    "list_all_airports",
}
"""Names that only an airline's tools have."""

SEARCHES = {"search_direct_flight": 0, "search_onestop_flight": 1}
"""The searches, and how many stops they find."""

Journey = tuple[Json, ...]
"""Flights that are taken one after the other, as a search offers them or a reservation has them."""

Search = tuple[int, str, str, str]
"""Stops, origin, destination and date."""


@dataclass(frozen=True, slots=True)
class Move:
    """Money that a write has moved."""

    call: Asked
    reservation_id: str
    amount: float
    """Dollars that were charged; negative where they go back."""


@dataclass
class Memory(Remembered):
    """An airline's records as they were last read."""

    reservations: dict[str, Json] = field(default_factory=dict)
    as_found: dict[str, Json] = field(default_factory=dict)
    """Reservations as they were when they were first read."""

    searches: dict[Search, list[Journey]] = field(default_factory=dict)
    times: dict[str, tuple[str, str]] = field(default_factory=dict)
    """When a flight number leaves and arrives, where a search has told."""

    statuses: dict[tuple[str, str], str] = field(default_factory=dict)
    """How flights stand, by number and date."""

    booked: list[str] = field(default_factory=list)
    """Reservations that were made in this conversation."""

    given: dict[str, float] = field(default_factory=dict)
    """Dollars of certificates that were sent in this conversation, by call."""

    moves: list[Move] = field(default_factory=list)
    """What the writes of this conversation have moved, in order."""

    profile_before: Json | None = None
    """The customer's profile as it was first read."""

    stale: bool = False
    """Whether a write since the profile was read has moved balances or added to the list."""

    failed_users: list[str] = field(default_factory=list)

    def miss(self, call: Asked, text: str) -> None:
        """Take in that a call failed; a customer may not have been found."""
        super().miss(call, text)
        if call.name == "get_user_details":
            self.failed_users.append(str(call.arguments.get("user_id")))

    def keep(self, call: Asked, text: str) -> None:
        """Keep what a call that went through has told."""
        if call.name in SEARCHES:
            self._keep_search(call, as_json(text))
        elif call.name == "get_flight_status":
            day = (str(call.arguments.get("flight_number")), str(call.arguments.get("date")))
            self.statuses[day] = text.strip().strip('"')[:40]
        elif call.name == "send_certificate":
            self.stale = True
            amount = call.arguments.get("amount")
            self.given[call.id] = float(amount) if isinstance(amount, int | float) else 0.0
        else:
            self._keep_record(call, as_json(text))

    def _keep_search(self, call: Asked, found: Any) -> None:
        stops = SEARCHES[call.name]
        raw = found if isinstance(found, list) else []
        listed = [each if stops else [each] for each in raw]
        date = str(call.arguments.get("date"))
        journeys = [
            tuple({**flight, "date": flight.get("date") or date} for flight in each)
            for each in listed
            if _is_journey(each)
        ]
        self.searches[search_key(stops, call.arguments)] = journeys
        for flight in (flight for each in journeys for flight in each):
            leaves, lands = (
                flight[f"scheduled_{end}_time_est"] for end in ("departure", "arrival")
            )
            self.times[flight["flight_number"]] = (leaves, lands)

    def _keep_record(self, call: Asked, record: Any) -> None:
        if is_reservation(record):
            key = record["reservation_id"]
            if call.name == "book_reservation":
                self.booked.append(key)
            self._notice_write(call, self.reservations.get(key), record)
            self.as_found.setdefault(key, record)
            self.reservations[key] = record
        elif call.name == "get_user_details" and is_user(record):
            self.user_id = str(call.arguments.get("user_id"))
            self.user = {**record, "user_id": self.user_id}
            self.profile_before = self.profile_before or self.user
            self.stale = False

    def _notice_write(self, call: Asked, before: Json | None, after: Json) -> None:
        """Seats are fewer or more after a write, and money has moved."""
        if call.name in WRITES:
            self.searches.clear()
            card = str(call.arguments.get("payment_id", "")).startswith("credit_card")
            self.stale |= not card and call.name != "cancel_reservation"
            amount = amount_paid(after) - (amount_paid(before) if before else 0)
            self.moves.append(Move(call, after["reservation_id"], amount))

    @property
    def reservation_ids(self) -> list[str]:
        """The customer's reservations, as their profile lists them, and those made since."""
        listed = [each for each in (self.user or {}).get("reservations", []) if _is_text(each)]
        return [*listed, *(each for each in self.booked if each not in listed)]

    def write_ids(self, text: str) -> str:
        """A text with the customer's own reservation ids as the records write them."""
        for each in self.reservation_ids:
            if each.isalpha():
                text = re.sub(rf"\b{each}\b", each, text, flags=re.IGNORECASE)
        return text

    @property
    def membership(self) -> str:
        """``regular``, ``silver`` or ``gold``."""
        return str((self.user or {}).get("membership", "regular"))

    @property
    def saved(self) -> list[Json]:
        """Passengers that the customer's profile keeps."""
        found = (self.user or {}).get("saved_passengers")
        return [each for each in found if is_passenger(each)] if isinstance(found, list) else []


def search_key(stops: int, arguments: Any) -> Search:
    """How a search is remembered."""
    told = (str(arguments.get(name)) for name in ("origin", "destination", "date"))
    origin, destination, date = told
    return stops, origin, destination, date


def ways(record: Json) -> tuple[Journey, Journey]:
    """A reservation's flights on the way out and on the way back; nothing of the latter one-way."""
    flights: Sequence[Json] = record["flights"]
    if record["flight_type"] == "one_way":
        return tuple(flights), ()
    for place, flight in enumerate(flights):
        if flight["destination"] == record["destination"]:
            return tuple(flights[: place + 1]), tuple(flights[place + 1 :])
    half = (len(flights) + 1) // 2
    return tuple(flights[:half]), tuple(flights[half:])


def amount_paid(record: Json) -> float:
    """Dollars that were paid for a reservation, less what went back."""
    return sum(float(each["amount"]) for each in record["payment_history"])


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_money(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value == value


def _texts(value: object, *names: str) -> bool:
    return isinstance(value, dict) and all(_is_text(value.get(name)) for name in names)


def _all(value: object, right: Any) -> bool:
    return isinstance(value, list) and all(map(right, value))


def is_passenger(value: object) -> bool:
    """Whether a value has a passenger's shape."""
    return _texts(value, "first_name", "last_name", "dob")


def is_user(value: object) -> bool:
    """Whether a result has a customer's shape, as far as the clerk relies on it."""
    if not isinstance(value, dict) or not isinstance(value.get("payment_methods"), dict):
        return False
    methods = value["payment_methods"].values()
    return (
        isinstance(value.get("reservations"), list)
        and _texts(value.get("name"), "first_name", "last_name")
        and all(_texts(each, "source") and _has_worth(each) for each in methods)
    )


def _has_worth(method: Json) -> bool:
    return method["source"] == "credit_card" or _is_money(method.get("amount"))


def is_reservation(value: object) -> bool:
    """Whether a result has a reservation's shape, as far as the clerk relies on it."""
    if not isinstance(value, dict):
        return False
    names = ("reservation_id", "origin", "destination", "flight_type", "cabin", "created_at")
    return (
        _texts(value, *names)
        and _all(value.get("flights"), _is_booked)
        and bool(value["flights"])
        and _all(value.get("passengers"), is_passenger)
        and _all(value.get("payment_history"), _is_payment)
        and value["cabin"] in CABINS
        and all(isinstance(value.get(name), int) for name in _BAGS)
    )


_BAGS = ("total_baggages", "nonfree_baggages")


def _is_booked(value: object) -> bool:
    names = ("flight_number", "origin", "destination", "date")
    return _texts(value, *names) and isinstance(value, dict) and _is_money(value.get("price"))


def _is_payment(value: object) -> bool:
    known = _texts(value, "payment_id")
    return known and isinstance(value, dict) and _is_money(value.get("amount"))


def _is_journey(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_is_offer, value))


def _is_offer(value: object) -> bool:
    names = ("flight_number", "origin", "destination")
    times = ("scheduled_departure_time_est", "scheduled_arrival_time_est")
    if not isinstance(value, dict) or not _texts(value, *names, *times):
        return False
    seats, prices = value.get("available_seats"), value.get("prices")
    return all(
        isinstance(each, dict) and all(_is_money(each.get(cabin)) for cabin in CABINS)
        for each in (seats, prices)
    )
