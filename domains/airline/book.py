"""Booking a reservation: the tool, and what its card says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from domains.airline import effects, evidence, wording
from domains.airline.booking import Request, book, flights, parse, parts_of_price, price
from domains.airline.booking_checks import booking_checks
from domains.airline.booking_questions import booking_questions
from domains.airline.look_ups import Destination, Origin, UserId
from domains.airline.objects import FlightChoice, PassengerDetails, PaymentPart
from domains.airline.quirks import Quirks
from domains.core.changes import Record
from domains.core.draft import Draft
from domains.core.tool import Arguments, Effect, Tool, WriteDeclaration, writes


def tool(quirks: Quirks, now: str) -> Tool:
    """The tool ``book_reservation``; ``now`` is the current time, written as in the records."""

    @writes(_notes(quirks))
    def book_reservation(
        draft: Draft,
        user_id: UserId,
        origin: Origin,
        destination: Destination,
        flight_type: Annotated[Literal["round_trip", "one_way"], "The kind of trip."],
        cabin: Annotated[
            Literal["business", "economy", "basic_economy"], "The cabin, the same on every flight."
        ],
        flights: Annotated[
            list[FlightChoice], "Every flight of the trip, in order, as flight_number and date."
        ],
        passengers: Annotated[
            list[PassengerDetails], "Everybody who flies, as first_name, last_name and dob."
        ],
        payment_methods: Annotated[
            list[PaymentPart], "Who pays what, as payment_id and amount; together the whole price."
        ],
        total_baggages: Annotated[int, "Checked bags in all."],
        nonfree_baggages: Annotated[int, "Checked bags that must be paid for."],
        insurance: Annotated[Literal["yes", "no"], "Travel insurance for every passenger, or not."],
    ) -> Record:
        """Book flights for a customer and take the payment.

        The price is the fares, 30 dollars of insurance for each passenger if wanted, and 50 dollars
        for each bag that is not free. The customer must have confirmed it all beforehand.
        """
        asked = {
            "user_id": user_id,
            "origin": origin,
            "destination": destination,
            "flight_type": flight_type,
            "cabin": cabin,
            "flights": flights,
            "passengers": passengers,
            "payment_methods": payment_methods,
            "total_baggages": total_baggages,
            "nonfree_baggages": nonfree_baggages,
            "insurance": insurance,
        }
        return book(draft, quirks, asked, now)

    return book_reservation


def _notes(quirks: Quirks) -> WriteDeclaration:
    def sentence(draft: Draft, arguments: Arguments) -> str:
        request = parse(arguments)
        user = draft.get("users", arguments["user_id"]) or {}
        booked = flights(draft, quirks, request)
        paid = [
            f"{wording.money(payment.amount)} from {wording.by_method(user, payment.payment_id)}"
            for payment in request.payments
        ]
        cost = _cost(request, booked, paid)
        return f"Book {_trip(arguments, booked)}, {_extras(arguments)}: {cost}."

    def effects_of(draft: Draft, arguments: Arguments, changes: effects.Changes) -> list[Effect]:
        return [
            *effects.booking_effects(draft, changes),
            *effects.certificate_effects(changes),
            *effects.gift_cards(changes),
            *effects.not_paid_with(draft, changes),
            *effects.reservation_lists(changes),
            *effects.seats(changes),
        ]

    return WriteDeclaration(
        sentence=sentence,
        effects=effects_of,
        checks=booking_checks(quirks),
        questions=booking_questions,
        closes=_closes,
        guards=(*evidence.OF_PROFILE, *evidence.FLOWN, *evidence.PAID_IN_PARTS),
    )


def _closes(draft: Draft, arguments: Arguments) -> Iterator[str]:
    if arguments["insurance"] != "yes":
        yield "travel insurance cannot be added later"
    if arguments["cabin"] == "basic_economy":
        yield "in basic economy the flights cannot be changed later"


def _cost(request: Request, booked: list[Record], paid: list[str]) -> str:
    """The price by its parts, and what each payment method pays of it.

    ``2 × $255.00 + 2 × $30.00 insurance = $570.00: $200.00 from … and $370.00 from …``.
    """
    total, parts = wording.money(price(request, booked)), parts_of_price(request, booked)
    if len(parts) == 1 and len(request.passengers) == 1:
        return wording.listing(paid) if len(paid) == 1 else f"{total}: {wording.listing(paid)}"
    whole = f"{' + '.join(parts)} = {total}"
    if len(paid) == 1:
        return f"{whole} from {paid[0].partition(' from ')[2]}"
    return f"{whole}: {wording.listing(paid)}"


def _trip(arguments: Arguments, booked: list[Record]) -> str:
    kind = wording.trip_type(arguments["flight_type"])
    days = wording.days(flight["date"] for flight in booked)
    people = wording.passengers([each.model_dump() for each in parse(arguments).passengers])
    way = wording.route(dict(arguments))
    return f"a {kind} {way}, {days}, {wording.cabin(arguments['cabin'])}, for {people}"


def _extras(arguments: Arguments) -> str:
    bags = wording.bags(arguments["total_baggages"], arguments["nonfree_baggages"])
    insured = "with" if arguments["insurance"] == "yes" else "no"
    return f"{bags}, {insured} travel insurance"
