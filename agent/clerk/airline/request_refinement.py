"""Intent refinement: the requests of a message, corrected by each other and by their wording."""

from __future__ import annotations

from agent.clerk.airline.dialogue_state import AirlineState
from agent.clerk.airline.flight_slots import Leg, days_shifted, read_flight_slots
from agent.clerk.airline.parsed_sentence import ParsedSentence
from agent.clerk.airline.people import names_in
from agent.clerk.airline.refunds import complaint, reason
from agent.clerk.airline.vocabulary import ACTS, FROM, TO
from agent.clerk.understanding.parsed_message import Modality, ParsedMessage, ParsedRequest

CANCEL = "cancel_reservation"
_DETAILS = frozenset(
    {"add_bags", "insurance", "change_cabin", "change_flights", "change_passengers"}
)
_OF_PAYMENT = frozenset({"methods", "balance", "policy_question", "outcome"})
"""Questions that are details of a change if they ask nothing: "all on my visa"."""

_ASKED = frozenset(
    {"search_flights", "price", "reservation_info", "flight_status", "paid", "allowance"}
)
"""Questions whose words are no details of a change that is waiting for an answer."""


def asked_beside(message: ParsedMessage | None) -> list[ParsedRequest]:
    """The requests of a message that only ask something about flights, prices or reservations."""
    return [each for each in message.requests if each.intent in _ASKED] if message else []


def without_questions(text: str, message: ParsedMessage | None) -> str:
    """A text without the questions that it asks about flights, prices or reservations."""
    for each in asked_beside(message):
        text = text.replace(each.text, " ")
    return text.strip(" ,;")


def refine_wishes(wishes: list[ParsedRequest], dialogue: AirlineState) -> list[ParsedRequest]:
    """The independent requests; one that only adds details to another is merged into it."""
    wishes = [each for each in wishes if each.intent != "about_clerk"] or wishes
    upgrades = [e for e in wishes if e.intent == "change_cabin" and e.modality == "what_if"]
    for wish in wishes if upgrades else ():
        if wish.intent == CANCEL and wish.modality != "denied":
            # whether an upgrade lets one cancel is one question
            wish.text, wish.modality = f"{upgrades[0].text} . {wish.text}", "what_if"
            wishes = [each for each in wishes if each not in upgrades]
    kept: list[ParsedRequest] = []
    for wish in wishes:
        said = dialogue.parse(wish.text)
        if wish.intent == "price" and wish.modality != "denied":
            wish.become(*_what_is_priced(said, dialogue))
        elif wish.intent == "change_passengers" and names_in(said, dialogue):
            wish.become(wish.intent, wish.modality)  # a name makes it certain
        other = _request_detailed(wish, wishes, dialogue)
        if other is None:
            kept.append(wish)
        else:
            other.text = f"{other.text} . {wish.text}"
    return kept


def _what_is_priced(said: ParsedSentence, dialogue: AirlineState) -> tuple[str, Modality]:
    """The intent and the mood of a question about a price, by what it names.

    The price of a change is that of the change at hand, or one that is only asked about.
    """
    about, last = dialogue.current_task, dialogue.tasks[-1] if dialogue.tasks else None
    named = said.cabins or said.places or said.days or said.ids or read_flight_slots(said) != Leg()
    booking = any(each.intent == "book_flight" for each in dialogue.open_tasks)
    if not named and about is not None and about.intent in ACTS:
        return "cost_of_change", "meant"
    if said.has_phrase("bag", "bags", "luggage", "suitcase"):
        return "allowance", "meant"
    if said.has_phrase("insurance"):
        return "policy_question", "meant"
    flights = {FROM, TO} <= {each.role for each in said.places} or booking
    if said.cabins and not flights:
        return "change_cabin", "what_if"
    at_hand = about is not None and about.intent == "change_flights"
    if said.days and not flights and (said.has_phrase_of("changes") or not at_hand):
        return "change_flights", "what_if"
    if named or flights or (last is not None and last.intent == "search_flights"):
        return "search_flights", "meant"
    return ("change_cabin", "what_if") if said.has_phrase_of("fares") else ("price_told", "meant")


def _request_detailed(
    request: ParsedRequest, wishes: list[ParsedRequest], dialogue: AirlineState
) -> ParsedRequest | None:
    """The other request that this one only adds details to, or None."""
    others = [each for each in wishes if each is not request and each.modality == "meant"]
    of = {each.intent: each for each in reversed(others)}
    said, intent = dialogue.parse(request.text), request.intent
    if intent in _DETAILS and not (said.ids or said.has_phrase_of("a reservation")):
        return of.get("book_flight")
    if intent == "complaint" or (intent == "other" and reason([said])):
        return of.get(CANCEL) or of.get("compensation")
    paid = [each for each in others if each.intent in {*_DETAILS, "book_flight"}]
    return paid[-1] if paid and intent in _OF_PAYMENT and not said.is_question else None


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
