"""Changing the flights or the cabin of a reservation: the tool, and what its card says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from domains.airline import changing, checks, effects, evidence, objects, wording
from domains.airline.look_ups import ReservationId
from domains.airline.objects import FlightChoice
from domains.airline.quirks import Quirks
from domains.core.changes import Record
from domains.core.draft import Draft
from domains.core.tool import Arguments, Check, Effect, Finding, Tool, WriteDeclaration, writes
from domains.text.paying import times


def tool(quirks: Quirks) -> Tool:
    """The tool ``update_reservation_flights``."""

    @writes(_notes(quirks))
    def update_reservation_flights(
        draft: Draft,
        reservation_id: ReservationId,
        cabin: Annotated[
            Literal["business", "economy", "basic_economy"], "The cabin, the same on every flight."
        ],
        flights: Annotated[
            list[FlightChoice],
            "Every flight of the new trip in order, those that stay included, each as "
            "flight_number and date.",
        ],
        payment_id: Annotated[
            str, "The customer's credit or gift card for the difference, owed or refunded."
        ],
    ) -> Record:
        """Change a reservation's flights, its cabin, or both, and settle the price difference.

        Flights that stay in the same cabin keep their price. Nothing is checked of whether the
        policy lets it be changed. The customer must have confirmed it beforehand.
        """
        return changing.change(draft, quirks, reservation_id, cabin, flights, payment_id)

    return update_reservation_flights


def _notes(quirks: Quirks) -> WriteDeclaration:
    def due(draft: Draft, arguments: Arguments) -> int:
        return changing.price_difference(*changing.requested_flights(draft, quirks, arguments))

    def seats_left(draft: Draft, arguments: Arguments) -> Finding:
        reservation, flights = changing.requested_flights(draft, quirks, arguments)
        passengers = wording.count(len(reservation["passengers"]), "passenger")
        prices = wording.listing([wording.money(each["price"]) for each in flights])
        return Finding(True, f"{passengers} in {wording.cabin(arguments['cabin'])}, {prices} each")

    def sentence(draft: Draft, arguments: Arguments) -> str:
        reservation, flights = changing.requested_flights(draft, quirks, arguments)
        user, method_id = checks.owner_of(draft, arguments), arguments["payment_id"]
        method = wording.by_method(user, method_id, balance=True)
        settled = _settlement(due(draft, arguments), len(reservation["passengers"]), method)
        what = _what(reservation, flights, arguments["cabin"])
        return f"Change reservation {_name_of_reservation(reservation)}: {what}; {settled}."

    return WriteDeclaration(
        sentence=sentence,
        effects=_effects,
        checks=(
            checks.RESERVATION_EXISTS,
            checks.not_cancelled(quirks),
            checks.FLIGHTS_READABLE,
            Check("Each new flight can be booked and has enough seats", "tool", seats_left),
            checks.METHOD_ON_FILE,
            checks.gift_card_covers(due),
            Check("A basic economy reservation keeps its flights", "policy", _basic_stays),
            Check("The trip stays the same: origin, destination and type", "policy", _same_trip),
            Check("The cabin stays the same once a flight has been flown", "policy", _cabin_stays),
            Check("Something changes", "policy", _differs),
        ),
        closes=_closes,
        guards=(*evidence.OF_RESERVATION, *evidence.FLOWN, *evidence.PAID),
    )


def _settlement(due: int, passengers: int, method: str) -> str:
    """The settlement in words: ``2 × $597.00 = $1,194.00 more, paid with Visa ending 1234``."""
    if not due:
        return "no price difference"
    amount = times(passengers, abs(due) / passengers)
    return f"{amount} more, paid with {method}" if due > 0 else f"{amount} back to {method}"


def _closes(draft: Draft, arguments: Arguments) -> Iterator[str]:
    cabin = checks.reservation_of(draft, arguments)["cabin"]
    if arguments["cabin"] == "basic_economy" != cabin:
        yield "in basic economy the flights cannot be changed later"


def _name_of_reservation(reservation: Record) -> str:
    return f"{wording.value(reservation['reservation_id'])}, {wording.route(reservation)}"


def _what(reservation: Record, flights: list[Record], cabin: str) -> str:
    """The new flights and the new cabin in one phrase."""
    named = [wording.flight_and_day(each) for each in flights]
    on = wording.listing(named) if named else "no flight at all"
    if cabin == reservation["cabin"]:
        return f"fly on {on}, in {wording.cabin(cabin)} as before"
    cabins = f"{wording.cabin(reservation['cabin'])} to {wording.cabin(cabin)}"
    stay = _numbers(flights) == _numbers(reservation["flights"])
    return f"from {cabins}, {'still ' if stay else ''}on {on}"


def _numbers(flights: list[Record]) -> list[tuple[str, str]]:
    return [(flight["flight_number"], flight["date"]) for flight in flights]


def _flight_keys(arguments: Arguments) -> list[tuple[str, str]]:
    return [(each.flight_number, each.date) for each in objects.flights(arguments["flights"])]


def _basic_stays(draft: Draft, arguments: Arguments) -> Finding:
    reservation = checks.reservation_of(draft, arguments)
    cabin = f"it is {wording.cabin(reservation['cabin'])}"
    if reservation["cabin"] != "basic_economy":
        return Finding(True, cabin)
    same = sorted(_flight_keys(arguments)) == sorted(_numbers(reservation["flights"]))
    return Finding(same, f"{cabin}, and its flights {'stay' if same else 'change'}")


def _same_trip(draft: Draft, arguments: Arguments) -> Finding:
    reservation = checks.reservation_of(draft, arguments)
    return checks.check_route(
        draft,
        arguments,
        reservation["flight_type"],
        reservation["origin"],
        reservation["destination"],
    )


def _cabin_stays(draft: Draft, arguments: Arguments) -> Finding:
    reservation = checks.reservation_of(draft, arguments)
    flown = checks.flown(draft, reservation)
    if arguments["cabin"] == reservation["cabin"]:
        return Finding(True, f"still {wording.cabin(reservation['cabin'])}")
    return Finding(not flown, "; ".join(flown) or "none has departed")


def _differs(draft: Draft, arguments: Arguments) -> Finding:
    reservation = checks.reservation_of(draft, arguments)
    same_cabin = arguments["cabin"] == reservation["cabin"]
    same = same_cabin and _flight_keys(arguments) == _numbers(reservation["flights"])
    return Finding(not same, "nothing changes" if same else "it does")


def _effects(draft: Draft, arguments: Arguments, changes: effects.Changes) -> list[Effect]:
    return [
        *effects.flights(draft, changes),
        *effects.cabin(changes),
        *effects.bags_allowed(draft, changes),
        *effects.route(changes),
        *effects.settlement_effects(draft, changes),
        *effects.gift_cards(changes),
        *effects.seats(changes),
    ]
