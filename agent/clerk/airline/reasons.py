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


def _affirms(sentence: ParsedSentence, name: str) -> bool:
    """Whether a sentence states something without a denial: "nobody is ill" states no illness."""
    places = [place for each in phrases(name) if (place := sentence.find(each)) >= 0]
    return any(not words_of("reasons denied") & set(sentence.before(place)) for place in places)


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


def intent_of_details(sentence: ParsedSentence, *, changes: bool) -> str:
    """The intent that details imply without a verb, or empty: two cities and a day are a booking.

    With ``changes``, they may belong to the current task.
    """
    told_of = sentence.places or sentence.days
    why = reason([sentence])
    if complaint([sentence]) and told_of and not why.startswith("change"):
        return "complaint"
    cities = [each for each in sentence.places if each.value]
    route = len(cities) > 1 and (sentence.days or sentence.cabins) and "?" not in sentence.words
    if why and told_of and not (route and why == "other"):
        return "cancel_reservation"
    if changes and any(days_shifted(each) for each in sentence.parts()):
        return "change_flights"
    return "book_flight" if route else ""
