"""What somebody wants who names the details of a trip and no verb."""

from __future__ import annotations

from agent.clerk.airline.flight_wish import shift_of
from agent.clerk.airline.line import Line
from agent.clerk.airline.reasons import complaint, reason


def intent_of_details(said: Line, *, changes: bool) -> str:
    """The intent of details alone, or nothing: two cities and a day are a booking.

    ``changes`` where they may be of a task that is at hand.
    """
    told_of = said.places or said.days
    why = reason([said])
    if complaint([said]) and told_of and not why.startswith("change"):
        return "complaint"
    cities = [each for each in said.places if each.value]
    route = len(cities) > 1 and (said.days or said.cabins) and "?" not in said.words
    if why and told_of and not (route and why == "other"):
        return "cancel_reservation"
    if changes and any(shift_of(each) for each in said.parts()):
        return "change_flights"
    return "book_flight" if route else ""
