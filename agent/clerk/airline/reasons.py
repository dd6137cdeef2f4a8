"""Why somebody writes: what speaks for a cancellation, a complaint, or a booking without a verb."""

from __future__ import annotations

from collections.abc import Sequence

from agent.clerk.airline.flight_wish import shift_of
from agent.clerk.airline.line import Line
from agent.clerk.airline.words import phrases, words_of


def reason(lines: Sequence[Line]) -> str:
    """Why a reservation is to be cancelled, by what was said last.

    ``airline cancelled``, ``health``, ``weather``, ``change of plan``, ``other`` or nothing.
    """
    for line in reversed(lines):
        event = line.tells("events") and line.tells("event off")
        if line.tells("airline cancelled") and not event:
            return "airline cancelled"
        if _affirms(line, "health") and not line.has("cat"):
            return "health"
        if _affirms(line, "weather"):
            return "weather"
        if line.tells("plans changed") or event:
            return "change of plan"
        if line.tells("other reasons"):
            return "other"
    return ""


def _affirms(line: Line, name: str) -> bool:
    """Whether something is said and not denied: "nobody is ill" tells of no illness."""
    places = [place for each in phrases(name) if (place := line.find(each)) >= 0]
    return any(not words_of("reasons denied") & set(line.before(place)) for place in places)


def complaint(lines: Sequence[Line]) -> str:
    """``cancelled`` or ``delayed``, as it was complained of last; or nothing."""
    for line in reversed(lines):
        if line.tells("airline cancelled") or line.has("cancelled flight", "cancellation"):
            return "cancelled"
        if line.tells("delayed"):
            return "delayed"
    return ""


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
