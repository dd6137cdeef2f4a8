"""The checks of a booking: what the tool enforces, and what only the policy requires."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from domains.airline import booking, checks, objects, store, wording
from domains.airline.booking import Request
from domains.airline.quirks import Quirks
from domains.core.draft import Draft
from domains.core.tool import Arguments, Check, Finding

if TYPE_CHECKING:
    from domains.airline.schema import FlightInfo

MOST_PASSENGERS = 5

MOST_METHODS = {"certificate": 1, "credit_card": 1, "gift_card": 3}
"""The most payment methods of each kind that may pay for one reservation."""


def booking_checks(quirks: Quirks) -> tuple[Check, ...]:
    """All checks of a booking, in the order in which the card shows them."""
    return (
        checks.USER_EXISTS,
        Check("There is an id left for a new reservation", "tool", _id_left),
        *_of_request(quirks),
        *_of_payments(quirks),
        Check("There are at most five passengers", "policy", _few_passengers),
        Check("The flights make up the trip, from origin to destination", "policy", _route),
        Check("Bags beyond the free ones are paid for, and only those", "policy", _bags),
        Check("At most one certificate, one credit card and three gift cards", "policy", _kinds),
    )


def _id_left(draft: Draft, arguments: Arguments) -> Finding:
    return Finding(True, wording.value(booking.new_id(draft)))


def _of_request(quirks: Quirks) -> Iterator[Check]:
    """Yield the checks of flights, cabin, passengers, bags and insurance."""

    def readable(draft: Draft, arguments: Arguments) -> Finding:
        request = booking.parse(arguments)
        booking.new_reservation(quirks, request, "new", "now")
        passengers = [wording.full_name(each.model_dump()) for each in request.passengers]
        return Finding(True, wording.listing(passengers))

    def enough(draft: Draft, arguments: Arguments) -> Finding:
        request = booking.parse(arguments)
        booking.flights(draft, quirks, request)
        needed = wording.count(len(request.passengers), "seat")
        return Finding(True, f"{needed} in {wording.cabin(arguments['cabin'])} on each")

    yield Check("Trip, cabin, passengers, bags and insurance are valid", "tool", readable)
    yield Check("Each flight can be booked on its date", "tool", _can_be_booked)
    yield Check("Each flight has enough seats in the cabin", "tool", enough)


def _can_be_booked(draft: Draft, arguments: Arguments) -> Finding:
    listed = objects.flights(arguments["flights"])
    states = [
        f"{wording.value(each.flight_number)} is {wording.value(_state(draft, each))}"
        for each in listed
    ]
    gone = [words for words in states if not words.endswith(" available")]
    return Finding(not gone, "; ".join(gone) or wording.listing(states))


def _state(draft: Draft, flight: FlightInfo) -> str:
    return str(store.get_day(draft, flight.flight_number, flight.date)["status"])


def _of_payments(quirks: Quirks) -> Iterator[Check]:
    def adds_up(draft: Draft, arguments: Arguments) -> Finding:
        request = booking.parse(arguments)
        price = booking.price(request, booking.flights(draft, quirks, request))
        paid = booking.sum_of_payments(request)
        words = f"{wording.money(price)} due, {wording.money(paid)} paid"
        return Finding(paid == price, words)

    yield Check("The payment methods are on the customer's file", "tool", _on_file)
    yield Check("Gift cards and certificates cover what they pay", "tool", _balances_cover)
    yield Check("The payments add up to the price", "tool", adds_up)
    yield Check("No certificate is listed twice", "tool", _certificates_once)
    yield Check(
        "No payment method is listed twice",
        checks.source_of_rule(not quirks.listed_twice),
        _each_listed_once,
    )
    yield Check(
        "Each payment is more than $0",
        checks.source_of_rule(not quirks.negative_money),
        _positive,
    )


def _methods(draft: Draft, request: Request) -> list[tuple[str, str, int]]:
    """The kind, name and dollars of each payment; raises LookupError if a method is not on file."""
    user = store.get_user(draft, request.arguments["user_id"])
    return [
        (
            user["payment_methods"][payment.payment_id]["source"],
            wording.payment_method(user, payment.payment_id),
            payment.amount,
        )
        for payment in request.payments
    ]


def _on_file(draft: Draft, arguments: Arguments) -> Finding:
    found = _methods(draft, booking.parse(arguments))
    return Finding(True, wording.listing([name for _, name, _ in found]))


def _balances_cover(draft: Draft, arguments: Arguments) -> Finding:
    user = store.get_user(draft, arguments["user_id"])
    short = [
        f"{wording.money(payment.amount)} from "
        f"{wording.by_method(user, payment.payment_id, balance=True)}"
        for payment in booking.parse(arguments).payments
        if booking.balance_is_too_low(user["payment_methods"][payment.payment_id], payment.amount)
    ]
    return Finding(not short, "; ".join(short) or "each has enough")


def _certificates_once(draft: Draft, arguments: Arguments) -> Finding:
    kinds = Counter((kind, name) for kind, name, _ in _methods(draft, booking.parse(arguments)))
    twice = [name for (kind, name), times in kinds.items() if kind == "certificate" and times > 1]
    return Finding(not twice, f"{twice[0]} is" if twice else "none is")


def _each_listed_once(draft: Draft, arguments: Arguments) -> Finding:
    listed = booking.parse(arguments).method_ids
    twice = next((each for each in listed if listed.count(each) > 1), None)
    return Finding(twice is None, f"{wording.value(twice)} is" if twice else "each once")


def _positive(draft: Draft, arguments: Arguments) -> Finding:
    amounts = [payment.amount for payment in booking.parse(arguments).payments]
    words = wording.listing([wording.money(amount) for amount in amounts])
    return Finding(all(amount > 0 for amount in amounts), words)


def _kinds(draft: Draft, arguments: Arguments) -> Finding:
    kinds = Counter(kind for kind, _, _ in _methods(draft, booking.parse(arguments)))
    words = [
        wording.count(count, wording.value(kind.replace("_", " "))) for kind, count in kinds.items()
    ]
    few = all(count <= MOST_METHODS[kind] for kind, count in kinds.items())
    return Finding(few, wording.listing(words))


def _few_passengers(draft: Draft, arguments: Arguments) -> Finding:
    count = len(booking.parse(arguments).passengers)
    return Finding(1 <= count <= MOST_PASSENGERS, wording.count(count, "passenger"))


def _route(draft: Draft, arguments: Arguments) -> Finding:
    return checks.check_route(
        draft,
        arguments,
        arguments["flight_type"],
        arguments["origin"],
        arguments["destination"],
    )


def _bags(draft: Draft, arguments: Arguments) -> Finding:
    user, total = store.get_user(draft, arguments["user_id"]), arguments["total_baggages"]
    passengers = len(booking.parse(arguments).passengers)
    due, words = checks.free_bags(user, arguments["cabin"], passengers, total)
    nonfree = arguments["nonfree_baggages"]
    right = total >= 0 and nonfree == due
    return Finding(right, words if right else f"{words}, not {wording.value(nonfree)}")
