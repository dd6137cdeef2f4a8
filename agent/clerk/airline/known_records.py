"""The airline records that the clerk has read, and the look-ups for those it still needs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Annotated, Any, TypeGuard

from pydantic import AfterValidator, BaseModel, Field, NonNegativeInt, ValidationError

from agent.clerk.airline.vocabulary import WRITES
from agent.clerk.state.records import Json, KnownRecords, RecordedCall, as_json
from agent.clerk.state.steps import Call, Settled
from domains.airline.schema import CabinClass, Reservation, User

CABINS = ("basic_economy", "economy", "business")
"""The cabins, lowest first."""

SEARCHES = {"search_direct_flight": 0, "search_onestop_flight": 1}
"""The search tools, and the number of stops that each finds."""

TOOLS = WRITES | {*SEARCHES, "get_reservation_details", "get_flight_status", "list_all_airports"}
"""Names of tools that only an airline has."""

Journey = tuple[Json, ...]
"""Consecutive flights, as a search offers them or a reservation has them."""


ByCabin = Annotated[dict[CabinClass, NonNegativeInt], Field(min_length=len(CABINS))]
"""Seats left, or the price of a seat in dollars, by cabin."""

Clock = Annotated[str, Field(pattern=r"^[0-2]\d:[0-5]\d")]


class DatedFlight(BaseModel):
    """A flight on a date."""

    date: Annotated[str, AfterValidator(lambda text: date.fromisoformat(text) and text)]


class OfferedFlight(DatedFlight):
    """A flight in a search result."""

    flight_number: str
    origin: str
    destination: str
    scheduled_departure_time_est: Clock
    scheduled_arrival_time_est: Clock
    available_seats: ByCabin
    prices: ByCabin


@dataclass(frozen=True, slots=True)
class MoneyMove:
    """The money that a write moved."""

    call: RecordedCall
    reservation_id: str
    amount: float
    """Dollars that were charged; negative if refunded."""


@dataclass
class AirlineRecords(KnownRecords):
    """The airline's records, each as last read."""

    reservations: dict[str, Json] = field(default_factory=dict)
    first_read: dict[str, Json] = field(default_factory=dict)
    """Reservations as first read."""

    searches: dict[tuple[int, str, str, str], list[Journey]] = field(default_factory=dict)
    """What was found, by the stops, origin, destination and date of a search."""

    times: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Departure and arrival times by flight number, from searches."""

    statuses: dict[tuple[str, str], str] = field(default_factory=dict)
    """Flight statuses by flight number and date."""

    booked: list[str] = field(default_factory=list)
    """Ids of the reservations made in this conversation."""

    given: dict[str, float] = field(default_factory=dict)
    """Dollars of certificates sent in this conversation, by the id of the call."""

    moves: list[MoneyMove] = field(default_factory=list)
    """Money that the writes of this conversation have moved, in order."""

    profile_before: Json | None = None
    """The customer's profile as first read."""

    is_profile_stale: bool = False
    """Whether a write since the profile was read may have changed balances or added a method."""

    def keep(self, call: RecordedCall, text: str) -> None:
        """Store the result of a successful call."""
        if call.name in SEARCHES:
            self._keep_search(call, as_json(text))
        elif call.name == "get_flight_status":
            day = (str(call.arguments.get("flight_number")), str(call.arguments.get("date")))
            self.statuses[day] = text.strip().strip('"')[:40]
        elif call.name == "send_certificate":
            self.is_profile_stale = True
            amount = call.arguments.get("amount")
            self.given[call.id] = float(amount) if isinstance(amount, int | float) else 0.0
        else:
            self._keep_record(call, as_json(text))

    def _keep_search(self, call: RecordedCall, found: Any) -> None:
        stops, day = SEARCHES[call.name], str(call.arguments.get("date"))
        journeys: list[Journey] = []
        for each in found if isinstance(found, list) else ():
            flights = each if isinstance(each, list) else [each]
            known = [each for each in flights if isinstance(each, dict)]
            dated = tuple({**flight, "date": flight.get("date") or day} for flight in known)
            if dated and all(_is_valid(e, OfferedFlight) for e in dated):
                journeys.append(dated)
        origin, destination = (str(call.arguments.get(end)) for end in ("origin", "destination"))
        self.searches[stops, origin, destination, day] = journeys
        for flight in (flight for each in journeys for flight in each):
            leaves, lands = (flight[f"scheduled_{e}_time_est"] for e in ("departure", "arrival"))
            self.times[flight["flight_number"]] = (leaves, lands)

    def _keep_record(self, call: RecordedCall, record: Any) -> None:
        flights = record["flights"] if _is_valid(record, Reservation) else []
        if flights and all(_is_valid(each, DatedFlight) for each in flights):
            key = record["reservation_id"]
            if call.name == "book_reservation":
                self.booked.append(key)
            self._notice_write(call, self.reservations.get(key), record)
            self.first_read.setdefault(key, record)
            self.reservations[key] = record
        elif call.name == "get_user_details" and _is_valid(record, User):
            self.user_id = str(call.arguments.get("user_id"))
            self.user = {**record, "user_id": self.user_id}
            self.profile_before = self.profile_before or self.user
            self.is_profile_stale = False

    def _notice_write(self, call: RecordedCall, before: Json | None, after: Json) -> None:
        """After a write, discard the searches, as seats have changed, and record the money."""
        if call.name in WRITES:
            self.searches.clear()
            card = str(call.arguments.get("payment_id", "")).startswith("credit_card")
            self.is_profile_stale |= not card and call.name != "cancel_reservation"
            amount = amount_paid(after) - (amount_paid(before) if before else 0)
            self.moves.append(MoneyMove(call, after["reservation_id"], amount))

    def _require_look_up(self, name: str, **arguments: Any) -> None:
        """Raise Settled with a look-up, unless it has failed before."""
        call = Call(name, arguments)
        if call.key not in self.failed:
            raise Settled(call)

    def read_reservation(self, reservation_id: str) -> Json | None:
        """A reservation as last read, or None if unreadable; raises Settled with the look-up."""
        if reservation_id not in self.reservations:
            self._require_look_up("get_reservation_details", reservation_id=reservation_id)
        return self.reservations.get(reservation_id)

    def read_reservations(self) -> list[Json]:
        """The customer's reservations that can be read, in the order of ``reservation_ids``."""
        found = (self.read_reservation(each) for each in self.reservation_ids)
        return [each for each in found if each is not None]

    def read_profile(self) -> Json:
        """The customer's current profile with its balances; raises Settled with the look-up."""
        if self.is_profile_stale or self.user is None:
            self._require_look_up("get_user_details", user_id=self.user_id)
        return self.user or {}

    def search(self, stops: int, origin: str, destination: str, date: str) -> list[Journey]:
        """The journeys on a date; raises Settled with the search until it has been made."""
        if (stops, origin, destination, date) not in self.searches:
            asked = {"origin": origin, "destination": destination, "date": date}
            self._require_look_up([*SEARCHES][stops], **asked)
        return self.searches.get((stops, origin, destination, date), [])

    def status(self, number: str, date: str) -> str:
        """The status of a flight on a date, empty if unknown; raises Settled with the look-up."""
        if (number, date) not in self.statuses:
            self._require_look_up("get_flight_status", flight_number=number, date=date)
        return self.statuses.get((number, date), "")

    def is_called_off(self, record: Json) -> bool:
        """Whether the airline has cancelled one of a reservation's flights."""
        states = [self.status(each["flight_number"], each["date"]) for each in record["flights"]]
        return "cancelled" in states

    def flown_flights(self, record: Json, today: str) -> list[Json]:
        """The flights of a reservation that have departed; only flights up to today can have."""
        due = [each for each in record["flights"] if each["date"] <= today]
        states = [self.status(each["flight_number"], each["date"]) for each in due]
        return [e for e, state in zip(due, states, strict=True) if state in {"landed", "flying"}]

    @property
    def reservation_ids(self) -> list[str]:
        """The ids of the customer's reservations: those in the profile, then those made since."""
        listed = (self.user or {}).get("reservations", [])
        return [*listed, *(each for each in self.booked if each not in listed)]

    def normalize_ids(self, text: str) -> str:
        """The text with the customer's all-letter reservation ids spelled as in the records."""
        for each in self.reservation_ids:
            if each.isalpha():
                text = re.sub(rf"\b{each}\b", each, text, flags=re.IGNORECASE)
        return text

    @property
    def membership(self) -> str:
        """The membership level: ``regular``, ``silver`` or ``gold``."""
        return str((self.user or {}).get("membership", "regular"))

    @property
    def saved(self) -> list[Json]:
        """The passengers saved in the customer's profile."""
        found: list[Json] = (self.user or {}).get("saved_passengers", [])
        return found


def ways(record: Json) -> tuple[Journey, Journey]:
    """The flights of a reservation out and back; for a one-way trip the latter are empty."""
    flights: Sequence[Json] = record["flights"]
    if record["flight_type"] == "one_way":
        return tuple(flights), ()
    for place, flight in enumerate(flights):
        if flight["destination"] == record["destination"]:
            return tuple(flights[: place + 1]), tuple(flights[place + 1 :])
    half = (len(flights) + 1) // 2
    return tuple(flights[:half]), tuple(flights[half:])


def amount_paid(record: Json) -> float:
    """Dollars paid for a reservation minus refunds."""
    return sum(float(each["amount"]) for each in record["payment_history"])


def _is_valid(value: object, shape: type[BaseModel]) -> TypeGuard[Json]:
    """Whether a result passes strict validation against a model."""
    try:
        shape.model_validate(value, strict=True)
    except ValidationError:
        return False
    return True
