"""The steps of a booking that its tool and its checks share: parsing, pricing and paying."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from domains.airline import fares, objects, seats, store
from domains.airline.quirks import Quirks
from domains.core.changes import Record
from domains.core.draft import Draft
from domains.core.tool import Arguments, ToolError
from domains.text.wording import money

if TYPE_CHECKING:
    from domains.airline.schema import FlightInfo, Passenger, Payment

NEW_IDS = ("HATHAT", "HATHAU", "HATHAV")
"""The ids of new reservations, in the order in which they are assigned."""

COPIED_FIELDS = (
    *("user_id", "origin", "destination", "flight_type", "cabin"),
    *("total_baggages", "nonfree_baggages", "insurance"),
)
"""The fields of a reservation that are copied unchanged from the call."""

WITH_BALANCE = frozenset({"gift_card", "certificate"})
"""The kinds of payment method that have a balance in dollars."""


@dataclass(frozen=True, slots=True)
class Request:
    """A booking call whose flights, passengers and payments have been parsed."""

    arguments: Arguments
    flights: Sequence[FlightInfo]
    passengers: Sequence[Passenger]
    payments: Sequence[Payment]

    @property
    def method_ids(self) -> list[str]:
        """The ids of the payment methods that the call lists, one for each payment."""
        return [payment.payment_id for payment in self.payments]


def parse(arguments: Arguments) -> Request:
    """Parse the arguments of a booking call.

    Raises pydantic.ValidationError for an object that does not fit its model. A list that holds
    anything but objects is left as it is, for the later steps to refuse.
    """
    return Request(
        arguments,
        objects.flights(arguments["flights"]),
        objects.passengers(arguments["passengers"]),
        objects.payments(arguments["payment_methods"]),
    )


def new_id(draft: Draft) -> str:
    """The id of the next reservation; raises ToolError if all have been assigned."""
    for reservation_id in NEW_IDS:
        if draft.get("reservations", reservation_id) is None:
            return reservation_id
    raise ToolError("Too many reservations")


def new_reservation(quirks: Quirks, request: Request, reservation_id: str, now: str) -> Record:
    """The new reservation, still without its flights.

    Raises pydantic.ValidationError for an invalid trip type, cabin, number or text, and ToolError
    for a request that only τ²-bench's own tools would accept.
    """
    from domains.airline.schema import Reservation

    asked = request.arguments
    reservation = Reservation.model_validate(
        {
            **{name: asked[name] for name in COPIED_FIELDS},
            "reservation_id": reservation_id,
            "flights": [],
            "passengers": request.passengers,
            "payment_history": request.payments,
            "created_at": now,
        }
    ).model_dump()
    quirks.check_flights(request.flights)
    quirks.check_bags(asked["total_baggages"], asked["nonfree_baggages"])
    return reservation


def flights(draft: Draft, quirks: Quirks, request: Request) -> list[Record]:
    """The reservation's flights with their prices.

    Raises ToolError if a flight cannot be booked or has too few seats.
    """
    cabin, passengers = request.arguments["cabin"], len(request.passengers)
    return [
        seats.price_flight(draft, quirks, request.flights, flight, cabin, passengers)
        for flight in request.flights
    ]


def price(request: Request, booked: Sequence[Record]) -> float:
    """The price of the whole reservation in dollars.

    Raises TypeError if the number of paid bags is not a number.
    """
    fare = sum(flight["price"] for flight in booked)
    insured = request.arguments["insurance"] == "yes"
    total: float = fares.total(fare, len(request.passengers), 0, insured=insured)
    total += fares.EXTRA_BAG * request.arguments["nonfree_baggages"]
    return total


def parts_of_price(request: Request, booked: Sequence[Record]) -> list[str]:
    """The price in parts: ``2 × $255.00``, ``2 × $30.00 insurance``, ``1 × $50.00 for bags``."""
    people, bags = len(request.passengers), request.arguments["nonfree_baggages"]
    fare = money(sum(flight["price"] for flight in booked))
    parts = [f"{people} × {fare}" if people != 1 else fare]
    if request.arguments["insurance"] == "yes":
        parts.append(f"{people} × {money(fares.INSURANCE)} insurance")
    if bags:
        parts.append(f"{bags} × {money(fares.EXTRA_BAG)} for bags")
    return parts


def check_payments(quirks: Quirks, user: Record, request: Request) -> None:
    """Raise ToolError if a payment method is not the customer's or its balance is too low.

    Unless the quirks allow it, a method that is listed twice and an amount of zero or less are
    refused too.
    """
    quirks.check_listing(request.method_ids)
    quirks.check_money(payment.amount for payment in request.payments)
    for payment in request.payments:
        method = user["payment_methods"].get(payment.payment_id)
        if method is None:
            raise ToolError(f"Payment method {payment.payment_id} not found")
        if balance_is_too_low(method, payment.amount):
            raise ToolError(f"Not enough balance in payment method {payment.payment_id}")


def balance_is_too_low(method: Record, amount: float) -> bool:
    """Whether a payment method has a balance, and that balance is less than ``amount``."""
    return method["source"] in WITH_BALANCE and bool(method["amount"] < amount)


def sum_of_payments(request: Request) -> int:
    """The sum of the call's payments in dollars."""
    return sum(payment.amount for payment in request.payments)


def check_total(request: Request, total: float) -> None:
    """Raise ToolError unless the payments add up to exactly the price."""
    if sum_of_payments(request) != total:
        raise ToolError(
            f"Payment amount does not add up, total price is {total}, "
            f"but paid {sum_of_payments(request)}"
        )


def pay(draft: Draft, user_id: str, payments: Sequence[Payment]) -> None:
    """Take the payments; a certificate is used up entirely, whatever it was worth.

    Raises KeyError if a certificate is listed twice.
    """
    methods = draft.edit("users", user_id)["payment_methods"]
    for payment in payments:
        method = methods[payment.payment_id]
        if method["source"] == "gift_card":
            method["amount"] -= payment.amount
        elif method["source"] == "certificate":
            del methods[payment.payment_id]


def book(draft: Draft, quirks: Quirks, arguments: Arguments, now: str) -> Record:
    """Carry out a booking call.

    Every failure is raised before the first write, with one exception: a certificate that is listed
    twice is noticed only while paying.
    """
    request = parse(arguments)
    user_id = arguments["user_id"]
    user = store.get_user(draft, user_id)
    reservation = new_reservation(quirks, request, new_id(draft), now)
    reservation["flights"] = flights(draft, quirks, request)
    total = price(request, reservation["flights"])
    check_payments(quirks, user, request)
    check_total(request, total)
    pay(draft, user_id, request.payments)
    seats.take(draft, reservation["flights"], reservation["cabin"], len(request.passengers))
    draft.put("reservations", reservation["reservation_id"], reservation)
    draft.edit("users", user_id)["reservations"].append(reservation["reservation_id"])
    return reservation
