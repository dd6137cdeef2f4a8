"""What details imply where a sentence has no verb for a change."""

from __future__ import annotations

from agent.clerk.airline.cancellation import reason
from agent.clerk.airline.compensation import complaint
from agent.clerk.airline.parsed_sentence import ParsedSentence


def intent_of_details(sentence: ParsedSentence) -> str:
    """The intent that details imply without a verb, or empty; two cities and a day: a booking."""
    told_of = sentence.places or sentence.days
    why = reason([sentence])
    if complaint([sentence]) and told_of:
        return "complaint"
    cities = [each for each in sentence.places if each.value]
    route = len(cities) > 1 and (sentence.days or sentence.cabins) and "?" not in sentence.words
    asks = "?" in sentence.words  # "My doctor tells me on Friday. If not, do I get the money?"
    if why and told_of and not asks and not (route and why == "other"):
        return "cancel_reservation"
    return "book_flight" if route else ""
