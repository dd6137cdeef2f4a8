"""Reasons in a customer's sentences: for a cancellation, a complaint, or an unstated request."""

from __future__ import annotations

from collections.abc import Sequence

from agent.clerk.airline.flight_slots import days_shifted
from agent.clerk.airline.parsed_sentence import ParsedSentence
from agent.clerk.airline.vocabulary import phrases, words_of


def reason(lines: Sequence[ParsedSentence]) -> str:
    """The reason for cancelling that was given last.

    ``airline cancelled``, ``health``, ``weather``, ``change of plan``, ``other`` or empty.
    """
    for line in reversed(lines):
        event = line.has_phrase_of("events") and line.has_phrase_of("event off")
        if line.has_phrase_of("airline cancelled") and not event:
            return "airline cancelled"
        if _affirms(line, "health") and not line.has_phrase("cat"):
            return "health"
        if _affirms(line, "weather"):
            return "weather"
        if line.has_phrase_of("plans changed") or event:
            return "change of plan"
        if line.has_phrase_of("other reasons"):
            return "other"
    return ""


def _affirms(line: ParsedSentence, name: str) -> bool:
    """Whether a sentence states something without a denial: "nobody is ill" states no illness."""
    places = [place for each in phrases(name) if (place := line.find(each)) >= 0]
    return any(not words_of("reasons denied") & set(line.before(place)) for place in places)


def complaint(lines: Sequence[ParsedSentence]) -> str:
    """The last complaint: ``cancelled``, ``delayed`` or empty."""
    for line in reversed(lines):
        if line.has_phrase_of("airline cancelled") or line.has_phrase(
            "cancelled flight", "cancellation"
        ):
            return "cancelled"
        if line.has_phrase_of("delayed"):
            return "delayed"
    return ""


def intent_of_details(said: ParsedSentence, *, changes: bool) -> str:
    """The intent that details imply without a verb, or empty: two cities and a day are a booking.

    With ``changes``, they may belong to the current task.
    """
    told_of = said.places or said.days
    why = reason([said])
    if complaint([said]) and told_of and not why.startswith("change"):
        return "complaint"
    cities = [each for each in said.places if each.value]
    route = len(cities) > 1 and (said.days or said.cabins) and "?" not in said.words
    if why and told_of and not (route and why == "other"):
        return "cancel_reservation"
    if changes and any(days_shifted(each) for each in said.parts()):
        return "change_flights"
    return "book_flight" if route else ""
