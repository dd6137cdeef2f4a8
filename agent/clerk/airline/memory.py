"""What the clerk has read of an airline, and the look-up that is needed for what it has not."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Annotated, Any, TypeGuard

from pydantic import AfterValidator, BaseModel, Field, NonNegativeInt, ValidationError

from agent.clerk.airline.manner import WRITES
from agent.clerk.state.records import Asked, Json, Remembered, as_json
from agent.clerk.state.steps import Call, Settled
from domains.airline.schema import Reservation, User

CABINS = ("basic_economy", "economy", "business")
"""The cabins, the humblest first."""

SEARCHES = {"search_direct_flight": 0, "search_onestop_flight": 1}
"""The searches, and how many stops they find."""

TOOLS = WRITES | {*SEARCHES, "get_reservation_details", "get_flight_status", "list_all_airports"}
"""Names that only an airline's tools have."""

Journey = tuple[Json, ...]
"""Flights that are taken one after the other, as a search offers them or a reservation has them."""

Search = tuple[int, str, str, str]
"""Stops, origin, destination and date."""


class ByCabin(BaseModel):
    """Seats that are left, or dollars for one, in every cabin."""

    basic_economy: NonNegativeInt
    economy: NonNegativeInt
    business: NonNegativeInt


def _is_day(text: str) -> str:
    date.fromisoformat(text)
    return text


Clock = Annotated[str, Field(pattern=r"^[0-2]\d:[0-5]\d")]


class Dated(BaseModel):
    """A flight on a day."""

    date: Annotated[str, AfterValidator(_is_day)]


class Offered(Dated):
    """A flight as a search offers it."""

    flight_number: str
    origin: str
    destination: str
    scheduled_departure_time_est: Clock
    scheduled_arrival_time_est: Clock
    available_seats: ByCabin
    prices: ByCabin


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
        stops, day = SEARCHES[call.name], str(call.arguments.get("date"))
        listed = found if isinstance(found, list) else []
        raw = [each if stops else [each] for each in listed]
        dated = [[_on(flight, day) for flight in each] for each in raw if isinstance(each, list)]
        journeys = [tuple(each) for each in dated if each and all(_fits(e, Offered) for e in each)]
        origin, destination = (str(call.arguments.get(end)) for end in ("origin", "destination"))
        self.searches[stops, origin, destination, day] = journeys
        for flight in (flight for each in journeys for flight in each):
            leaves, lands = (
                flight[f"scheduled_{end}_time_est"] for end in ("departure", "arrival")
            )
            self.times[flight["flight_number"]] = (leaves, lands)

    def _keep_record(self, call: Asked, record: Any) -> None:
        if _fits(record, Reservation) and _flies(record):
            key = record["reservation_id"]
            if call.name == "book_reservation":
                self.booked.append(key)
            self._notice_write(call, self.reservations.get(key), record)
            self.as_found.setdefault(key, record)
            self.reservations[key] = record
        elif call.name == "get_user_details" and _fits(record, User):
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

    def _need(self, name: str, **arguments: Any) -> None:
        """Settled with a look-up, unless it has failed before."""
        call = Call(name, arguments)
        if call.key not in self.failed:
            raise Settled(call)

    def read_reservation(self, reservation_id: str) -> Json | None:
        """A reservation as last read; None where it cannot be, Settled with the look-up before."""
        if reservation_id not in self.reservations:
            self._need("get_reservation_details", reservation_id=reservation_id)
        return self.reservations.get(reservation_id)

    def read_reservations(self) -> list[Json]:
        """Every reservation of the customer, in the order of the profile."""
        found = (self.read_reservation(each) for each in self.reservation_ids)
        return [each for each in found if each is not None]

    def read_profile(self) -> Json:
        """The customer's profile as it is now, balances included; or the look-up."""
        if self.stale or self.user is None:
            self._need("get_user_details", user_id=self.user_id)
        return self.user or {}

    def search(self, stops: int, origin: str, destination: str, date: str) -> list[Journey]:
        """Journeys that can be booked on a date; Settled with the search while it was not made."""
        if (stops, origin, destination, date) not in self.searches:
            asked = {"origin": origin, "destination": destination, "date": date}
            self._need([*SEARCHES][stops], **asked)
        return self.searches.get((stops, origin, destination, date), [])

    def status(self, number: str, date: str) -> str:
        """How a flight stands on a date, or the look-up; empty where nobody knows."""
        if (number, date) not in self.statuses:
            self._need("get_flight_status", flight_number=number, date=date)
        return self.statuses.get((number, date), "")

    def is_called_off(self, record: Json) -> bool:
        """Whether the airline has cancelled one of a reservation's flights."""
        states = [self.status(each["flight_number"], each["date"]) for each in record["flights"]]
        return "cancelled" in states

    def flown_flights(self, record: Json, today: str) -> list[Json]:
        """The flights of a reservation that have left; none of those after today has."""
        due = [each for each in record["flights"] if each["date"] <= today]
        states = [self.status(each["flight_number"], each["date"]) for each in due]
        return [e for e, state in zip(due, states, strict=True) if state in {"landed", "flying"}]

    @property
    def reservation_ids(self) -> list[str]:
        """The customer's reservations, as their profile lists them, and those made since."""
        listed = (self.user or {}).get("reservations", [])
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
        found: list[Json] = (self.user or {}).get("saved_passengers", [])
        return found


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


def _flies(record: Json) -> bool:
    """Whether a reservation has flights, each on a day."""
    return bool(record["flights"]) and all(_fits(each, Dated) for each in record["flights"])


def _on(flight: Any, day: str) -> Any:
    """A flight with the day that it was searched for, where it tells none."""
    if not isinstance(flight, dict):
        return flight
    return {**flight, "date": flight.get("date") or day}


def _fits(value: object, shape: type[BaseModel]) -> TypeGuard[Json]:
    """Whether a result has the shape of the airline's records, as it stands."""
    try:
        shape.model_validate(value, strict=True)
    except ValidationError:
        return False
    return True
