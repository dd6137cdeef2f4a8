"""Preconditions that several writes share, each a short named check of the records."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from domains.airline import fares, money, objects, store, trip, wording
from domains.airline.quirks import Quirks
from domains.core.changes import Record
from domains.core.draft import Draft
from domains.core.tool import Arguments, Check, Finding

FLOWN = frozenset({"landed", "flying"})
"""The statuses of a flight that has taken off."""

Source = Literal["tool", "policy"]


def source_of_rule(by_tool: bool) -> Source:
    """``tool`` if the tool enforces the rule, ``policy`` if only the policy does."""
    return "tool" if by_tool else "policy"


def reservation_of(draft: Draft, arguments: Arguments) -> Record:
    """The reservation that a call names."""
    return store.get_reservation(draft, arguments["reservation_id"])


def owner_of(draft: Draft, arguments: Arguments) -> Record:
    """The customer who made the reservation that a call names."""
    return store.get_user(draft, reservation_of(draft, arguments)["user_id"])


def _reservation_exists(draft: Draft, arguments: Arguments) -> Finding:
    return Finding(True, wording.route(reservation_of(draft, arguments)))


RESERVATION_EXISTS = Check("The reservation exists", "tool", _reservation_exists)


def _user_exists(draft: Draft, arguments: Arguments) -> Finding:
    user = store.get_user(draft, arguments["user_id"])
    return Finding(
        True, f"{wording.full_name(user['name'])}, {wording.value(user['membership'])} member"
    )


USER_EXISTS = Check("The customer has an account", "tool", _user_exists)


def not_cancelled(quirks: Quirks) -> Check:
    """A check that the reservation has not been cancelled."""

    def look(draft: Draft, arguments: Arguments) -> Finding:
        cancelled = reservation_of(draft, arguments)["status"] == "cancelled"
        return Finding(not cancelled, "cancelled" if cancelled else "it is active")

    return Check(
        "The reservation is not cancelled", source_of_rule(not quirks.acts_on_cancelled), look
    )


def flown(draft: Draft, reservation: Record) -> list[str]:
    """The reservation's flights that have taken off, in words."""
    return [
        f"{wording.flight_and_day(flight)} has {_has(status)}"
        for flight in reservation["flights"]
        if (status := store.status_of(draft, flight)) in FLOWN
    ]


def _has(status: str) -> str:
    return "landed" if status == "landed" else "taken off"


def _none_flown(draft: Draft, arguments: Arguments) -> Finding:
    gone = flown(draft, reservation_of(draft, arguments))
    return Finding(not gone, "; ".join(gone) or "none has departed")


NONE_FLOWN = Check("None of its flights has been flown", "policy", _none_flown)


def _flights_readable(draft: Draft, arguments: Arguments) -> Finding:
    listed = [
        wording.value(flight.flight_number) for flight in objects.flights(arguments["flights"])
    ]
    return Finding(True, wording.listing(listed))


FLIGHTS_READABLE = Check("Each flight has a number and a date", "tool", _flights_readable)


def check_route(
    draft: Draft, arguments: Arguments, flight_type: str, origin: str, destination: str
) -> Finding:
    """Check that the flights that a call lists make up the trip; if not, say why not."""
    legs = trip.legs(draft, objects.flights(arguments["flights"]))
    fault = trip.why_not_the_trip(legs, flight_type, origin, destination)
    stops = [wording.airport(leg["destination"]) for leg in legs]
    way = " → ".join([wording.airport(leg["origin"]) for leg in legs[:1]] + stops)
    return Finding(not fault, f"{way}: {fault}" if fault and way else fault or way)


def free_bags(user: Record, cabin: str, passengers: int, total: int) -> tuple[int, str]:
    """How many of ``total`` bags must be paid for, and the reason in words."""
    free = fares.free_bags(user["membership"], cabin, passengers)
    due = max(0, total - free)
    who = f"{wording.value(user['membership'])} member in {wording.cabin(cabin)}"
    people = wording.count(passengers, "passenger")
    words = f"{wording.count(total, 'bag')}; {free} free for {people} ({who})"
    return due, f"{words}, so {due} to pay for"


def method_on_file(draft: Draft, arguments: Arguments) -> Finding:
    """Check that the payment method of a call is the customer's and not a certificate."""
    user, method_id = owner_of(draft, arguments), arguments["payment_id"]
    money.method_to_settle(draft, user["user_id"], method_id, float("-inf"))
    return Finding(True, wording.payment_method(user, method_id, balance=True))


METHOD_ON_FILE = Check(
    "The payment method is a card on the customer's file, not a certificate", "tool", method_on_file
)


def gift_card_covers(due: Callable[[Draft, Arguments], float]) -> Check:
    """A check that a gift card used to pay covers the amount due, in whole dollars."""

    def look(draft: Draft, arguments: Arguments) -> Finding:
        from domains.airline.schema import Payment

        user, amount = owner_of(draft, arguments), due(draft, arguments)
        method_id = arguments["payment_id"]
        Payment(payment_id=method_id, amount=amount)  # type: ignore[arg-type]
        method = user["payment_methods"][method_id]
        needed = f"{wording.money(amount)} to pay" if amount > 0 else "nothing to pay"
        if method["source"] != "gift_card":
            return Finding(True, f"{needed}, not by gift card")
        left = wording.money(method["amount"])
        return Finding(not method["amount"] < amount, f"{needed}, {left} on the card")

    return Check("A gift card, if used, covers the amount", "tool", look)
