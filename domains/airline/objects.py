"""Parsing the objects that a call lists: flights, passengers, payments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from pydantic import BaseModel

    from domains.airline.schema import FlightInfo, Passenger, Payment

Read = TypeVar("Read", bound="BaseModel")


@dataclass(frozen=True)
class FlightChoice:
    """One flight on one date."""

    flight_number: str
    date: str


@dataclass(frozen=True)
class PassengerDetails:
    """Somebody who flies; ``dob`` is the date of birth as YYYY-MM-DD."""

    first_name: str
    last_name: str
    dob: str


@dataclass(frozen=True)
class PaymentPart:
    """What one payment method of the customer pays, in whole dollars."""

    payment_id: str
    amount: int


def flights(listed: Sequence[Any]) -> Sequence[FlightInfo]:
    """The flights that a call lists, parsed by :func:`_read`."""
    from domains.airline.schema import FlightInfo

    return _read(FlightInfo, listed)


def passengers(listed: Sequence[Any]) -> Sequence[Passenger]:
    """The passengers that a call lists, parsed by :func:`_read`."""
    from domains.airline.schema import Passenger

    return _read(Passenger, listed)


def payments(listed: Sequence[Any]) -> Sequence[Payment]:
    """The payments that a call lists, parsed by :func:`_read`."""
    from domains.airline.schema import Payment

    return _read(Payment, listed)


def _read(model: type[Read], listed: Sequence[Any]) -> Sequence[Read]:
    """Parse objects with their model; a list that holds anything else is returned unchanged.

    τ²-bench does the same, so an unparsed list fails at the same step as there. Raises
    pydantic.ValidationError for an object that does not fit the model.
    """
    if all(isinstance(each, dict) for each in listed):
        return [model(**each) for each in listed]
    return listed
