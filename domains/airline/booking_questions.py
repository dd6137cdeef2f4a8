"""The questions about a booking that only the customer can answer."""

from __future__ import annotations

from collections.abc import Iterator

from domains.airline import booking, fares, store, wording
from domains.core.draft import Draft
from domains.core.tool import Arguments, Question
from domains.text.paying import times

ABOUT_BAGS = ("bag", "bags", "baggage", "luggage", "suitcase", "suitcases")
ABOUT_INSURANCE = ("insurance", "insured", "insure")
ABOUT_ANOTHER = ("another", "again", "second", "already", "rebook", "same flight", "instead")


def booking_questions(draft: Draft, arguments: Arguments) -> Iterator[Question]:
    """Yield questions about a duplicate booking, the travel insurance and the checked bags."""
    yield from _twice(draft, arguments)
    people, bags = len(arguments["passengers"]), arguments["total_baggages"]
    if arguments["insurance"] == "yes":
        price = times(people, fares.INSURANCE)
        yield Question(f"Do you want travel insurance, for {price}?", ABOUT_INSURANCE)
    else:
        yield Question("Do you want to go without travel insurance?", ABOUT_INSURANCE)
    if bags:
        yield Question(f"Do you need {wording.bags(bags, 0)}?", ABOUT_BAGS)


def _twice(draft: Draft, arguments: Arguments) -> Iterator[Question]:
    """Yield a question if an active reservation of the customer already has one of the flights."""
    wanted = {(each.flight_number, each.date) for each in booking.parse(arguments).flights}
    for reservation_id in store.get_user(draft, arguments["user_id"])["reservations"]:
        held = draft.get("reservations", reservation_id)
        if held is None or held["status"] == "cancelled":
            continue
        for flight in held["flights"]:
            if (flight["flight_number"], flight["date"]) in wanted:
                held_in = f"Reservation {wording.value(reservation_id)}"
                text = (
                    f"Do you want {wording.flight_and_day(flight)} a second time? {held_in} has it."
                )
                about = (*ABOUT_ANOTHER, flight["flight_number"], reservation_id)
                yield Question(text, about, decisive=True)
                return
