"""Models of the airline's records, and of the objects in a call's arguments.

The fields, their order, and the optional fields that stay ``null`` are those of τ²-bench, so that
its files load and equal records give equal digests. The models that parse a call's objects also
have τ²-bench's names, because the text of a refusal mentions them. As in τ²-bench, unknown fields
are dropped.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, NonNegativeInt

from domains.core.customer_records import CreditCard, CustomerName

Dollars = Annotated[float, Field(allow_inf_nan=False)]
FlightType = Literal["round_trip", "one_way"]
CabinClass = Literal["business", "economy", "basic_economy"]
Insurance = Literal["yes", "no"]
NOW = "2024-05-15T15:00:00"
"""The current time in τ²-bench's records, and in any that do not state it, EST."""


class FlightInfo(BaseModel):
    """A flight on a date, as a call names it."""

    flight_number: str
    date: str


class Payment(BaseModel):
    """A payment in whole dollars with one payment method; negative for a refund."""

    payment_id: str
    amount: int


class Passenger(BaseModel):
    """A passenger."""

    first_name: str
    last_name: str
    dob: str


class Available(BaseModel):
    """A flight's day that can be booked: seats left and price per seat in dollars, by cabin."""

    status: Literal["available"]
    available_seats: dict[CabinClass, NonNegativeInt]
    prices: dict[CabinClass, NonNegativeInt]


class Landed(BaseModel):
    """A flight's day on which it has landed."""

    status: Literal["landed"]
    actual_departure_time_est: str
    actual_arrival_time_est: str


class CalledOff(BaseModel):
    """A flight's day that the airline cancelled."""

    status: Literal["cancelled"]


class Expected(BaseModel):
    """A flight's day on which it has not left and can no longer be booked."""

    status: Literal["on time", "delayed"]
    estimated_departure_time_est: str
    estimated_arrival_time_est: str


class Flying(BaseModel):
    """A flight's day on which it is in the air."""

    status: Literal["flying"]
    actual_departure_time_est: str
    estimated_arrival_time_est: str


Day = Annotated[Available | Landed | CalledOff | Expected | Flying, Field(discriminator="status")]


class Flight(BaseModel):
    """A flight number: its route, its times, and its status on each day."""

    flight_number: str
    origin: str
    destination: str
    scheduled_departure_time_est: str
    scheduled_arrival_time_est: str
    dates: dict[str, Day]


class Address(BaseModel):
    """A postal address."""

    address1: str
    address2: str | None = None
    city: str
    country: str
    state: str
    zip: str


class GiftCard(BaseModel):
    """A gift card with dollars left on it."""

    source: Literal["gift_card"]
    id: str
    amount: Dollars


class Certificate(BaseModel):
    """A travel certificate: valid for one booking, which uses up all of it."""

    source: Literal["certificate"]
    id: str
    amount: Dollars


PaymentMethod = Annotated[CreditCard | GiftCard | Certificate, Field(discriminator="source")]


class User(BaseModel):
    """A customer."""

    user_id: str
    name: CustomerName
    address: Address
    email: str
    dob: str
    payment_methods: dict[str, PaymentMethod]
    saved_passengers: list[Passenger]
    membership: Literal["gold", "silver", "regular"]
    reservations: list[str]


class ReservationFlight(BaseModel):
    """One flight of a reservation, at the price that each passenger paid."""

    flight_number: str
    origin: str
    destination: str
    date: str
    price: NonNegativeInt


class Reservation(BaseModel):
    """A reservation of a trip."""

    reservation_id: str
    user_id: str
    origin: str
    destination: str
    flight_type: FlightType
    cabin: CabinClass
    flights: list[ReservationFlight]
    passengers: list[Passenger]
    payment_history: list[Payment]
    created_at: str
    total_baggages: int
    nonfree_baggages: int
    insurance: Insurance
    status: Literal["cancelled"] | None = None


class Airline(BaseModel):
    """The whole file: three collections of records by id, the current time, and nothing else."""

    model_config = ConfigDict(extra="forbid")

    flights: dict[str, Flight]
    users: dict[str, User]
    reservations: dict[str, Reservation]
    now: Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$")] = NOW
