"""Intent refinement: the requests of a message, corrected by each other and by their wording."""

from __future__ import annotations

import re
from functools import cache

from agent.clerk.airline.dialogue_state import AirlineState
from agent.clerk.airline.flight_slots import Leg, read_flight_slots
from agent.clerk.airline.intent_data import ACTS
from agent.clerk.airline.parsed_sentence import ParsedSentence
from agent.clerk.airline.people import names_in
from agent.clerk.airline.reasons import reason
from agent.clerk.airline.vocabulary import FROM, TO, phrases
from agent.clerk.state.task import Task
from agent.clerk.understanding.parsed_message import ParsedMessage, ParsedRequest
from agent.clerk.understanding.tokens import Tokens, tokens

CANCEL = "cancel_reservation"
_CLAUSE = re.compile(r"\s*(?:[,.;!?]|\bbut\b)\s*")
_FIRST = 3
"""The number of leading words in which a question word makes a sentence a question."""

_DETAILS = frozenset(
    {"add_bags", "insurance", "change_cabin", "change_flights", "change_passengers"}
)


_ASKED = frozenset(
    {"search_flights", "price", "reservation_info", "flight_status", "paid", "allowance"}
)
"""Questions whose words are no details of a change that is waiting for an answer."""

_TELL_PRICES = frozenset({"search_flights", "change_flights", "change_cabin", "add_bags"})
"""Requests whose next step tells what it costs, so that a bare question about that is answered."""

_OF_A_TRIP = frozenset({"change_cabin", "change_flights"})
"""Changes whose price is that of the reservation that they would change."""


def asked_beside(message: ParsedMessage | None) -> list[ParsedRequest]:
    """The requests of a message that only ask something about flights, prices or reservations."""
    return [each for each in message.requests if each.intent in _ASKED] if message else []


def without_questions(text: str, message: ParsedMessage | None) -> str:
    """A text without the questions that it asks about flights, prices or reservations."""
    for each in asked_beside(message):
        text = text.replace(each.text, " ")
    return text.strip(" ,;")


def is_question(sentence: ParsedSentence) -> bool:
    """Whether a sentence is a question, even without a mark; "can you refund it?" is a request."""
    if sentence.has_phrase_of("requests"):
        return False
    return "?" in sentence.words or any(
        0 <= sentence.find(each) < _FIRST for each in phrases("asks")
    )


def refine_wishes(
    wishes: list[ParsedRequest], message: ParsedMessage, dialogue: AirlineState
) -> list[ParsedRequest]:
    """The independent requests; one that only adds details to another is merged into it."""
    others = [each for each in wishes if each.intent != "about_clerk"]
    upgrades = [
        each for each in others if each.intent == "change_cabin" and each.modality == "what_if"
    ]
    for wish in others:
        supposed = wish.modality != "denied" and not wish.is_uncertain
        if wish.intent == CANCEL and upgrades and supposed:
            wish.text = f"{upgrades[0].text} . {wish.text}"
            wish.modality, others = "what_if", [each for each in others if each not in upgrades]
    if any(each.intent == "search_flights" and not each.is_uncertain for each in others):
        others = [each for each in others if not _only_looks(each)]
    kept: list[ParsedRequest] = []
    if any(each.intent in _TELL_PRICES and each.modality == "meant" for each in others):
        others = [e for e in others if e.intent != "price" or not _is_bare(dialogue.parse(e.text))]
    for wish in others or wishes:
        _settle_intent(wish, dialogue)
        other = _request_detailed(wish, wishes, dialogue)
        if other is None:
            kept.append(wish)
        else:
            other.text = f"{other.text} . {wish.text}"
    return kept


def _only_looks(request: ParsedRequest) -> bool:
    """Whether a request beside a search is no wish yet: "we might stay longer, what is there?"."""
    flights = request.intent in {"change_flights", "book_flight"}
    return flights and (request.modality == "what_if" or request.is_uncertain)


def _settle_intent(request: ParsedRequest, dialogue: AirlineState) -> None:
    """Give a question about a price the intent of the change it is about, as a hypothetical.

    A sentence with two names and a verb of changing becomes a change of passengers.
    """
    said = dialogue.parse(request.text)
    priced = said.cabins and said.has_phrase_of("priced") and request.is_uncertain
    bare = _is_bare(said)
    about = dialogue.current_task
    costs = {"price"} if dialogue.records.moves else {"price", "outcome"}
    if request.intent in costs and about is not None and about.intent in ACTS:
        if bare:
            request.become("cost_of_change")
            return
        if about.intent == "change_flights" and not (said.cabins or changes(said.text)):
            request.become("search_flights")
            return
    if request.modality != "denied" and (request.intent == "price" or priced):
        intent = _intent_of_price(said)
        last = _last_task(dialogue)
        looked = not bare or (last is not None and last.intent == "search_flights")
        if intent == "change_cabin" and looked and not said.cabins:
            intent = "search_flights"
        if intent == "change_cabin" and bare and not said.has_phrase_of("fares"):
            request.become("price_told")
            return
        of_trip = bool(said.cabins) or intent in _OF_A_TRIP
        if of_trip and any(each.intent == "book_flight" for each in dialogue.open_tasks):
            intent = "search_flights"
        request.become(intent, "what_if" if intent in _OF_A_TRIP else "meant")
    if _renames(request, said, dialogue):
        request.become("change_passengers", request.modality)


def _renames(request: ParsedRequest, said: ParsedSentence, dialogue: AirlineState) -> bool:
    """Whether a request gives a passenger a name: two names with a verb of changing, or one."""
    verb = said.has_phrase("change", "correct", "replace", "update", "rename")
    least = (
        0 if request.intent == "change_passengers" else 1 if verb and len(said.places) < 2 else 9
    )
    return len(names_in(said, dialogue)) > least


def _is_bare(said: ParsedSentence) -> bool:
    """Whether a sentence names neither flights nor a cabin."""
    named = said.cabins or said.places or said.days or said.ids
    return not named and read_flight_slots(said) == Leg()


def _last_task(dialogue: AirlineState) -> Task | None:
    """The last task whose intent is known."""
    return next((each for each in reversed(dialogue.tasks) if each.intent), None)


def _intent_of_price(sentence: ParsedSentence) -> str:
    if sentence.has_phrase("bag", "bags", "luggage", "suitcase"):
        return "allowance"
    if sentence.has_phrase("insurance"):
        return "policy_question"
    if {FROM, TO} <= {each.role for each in sentence.places}:
        return "search_flights"
    upgrades = sentence.cabins or sentence.has_phrase("upgrade", "upgrading")
    return "change_flights" if sentence.days and not upgrades else "change_cabin"


def _request_detailed(
    request: ParsedRequest, wishes: list[ParsedRequest], dialogue: AirlineState
) -> ParsedRequest | None:
    """The other request that this one only adds details to, or None."""
    others = [each for each in wishes if each is not request and each.modality == "meant"]
    of = {each.intent: each for each in reversed(others)}
    said = dialogue.parse(request.text)
    if request.intent == "book_flight" and others and said.has_phrase_of("booked before"):
        return others[0]
    apart = said.ids or said.has_phrase("reservation", "trip", "booking")
    if request.intent in _DETAILS and "book_flight" in of and not apart:
        return of["book_flight"]
    if request.intent == "other" and CANCEL in of and reason([said]):
        return of[CANCEL]
    if request.intent == "complaint" and {CANCEL, "compensation"} & of.keys():
        return of.get(CANCEL) or of["compensation"]
    if (
        request.intent in {"methods", "balance", "policy_question", "outcome"}
        and "?" not in request.text
    ):
        paid = [each for each in others if each.intent in {*_DETAILS, "book_flight"}]
        if paid and not is_question(said):
            return paid[-1]
    return None


@cache
def _words(*names: str) -> frozenset[str]:
    """The tokens of phrases in ``words.json``, as they are compared here."""
    return frozenset(word for name in names for each in phrases(name) for word in tokens(each))


def without_booking(text: str) -> str | None:
    """The rest of a message that says no booking is wanted; None if it does not say so."""
    clauses = [each for each in _CLAUSE.split(text) if each]
    denied = [each for each in clauses if _denies(tokens(each))]
    owned = [each for each in clauses if _owns(set(tokens(each)))]
    rest = " , ".join(each for each in clauses if each not in denied and each not in owned)
    words = set(tokens(text))
    existing = {"existing", "current"} & words and _words("bookings") & words and changes(text)
    return rest if denied or existing or (owned and (not rest or changes(rest))) else None


def changes(text: str) -> bool:
    """Whether a text mentions a change of something that exists."""
    return not _words("changes").isdisjoint(tokens(text))


def _denies(words: Tokens) -> bool:
    """Whether the tokens deny a booking, or ask why there is one, and add nothing specific."""
    place = next((n for n, word in enumerate(words) if word in _words("books")), None)
    if place is None or _words("books not").isdisjoint(words[:place]):
        return False
    return set(words[place:]) <= _words("books", "bookings", "fillers")


def _owns(words: set[str]) -> bool:
    """Whether the words only say that the customer has a reservation, or has one already."""
    has = _words("has") & words and _words("bookings") & words
    plain = words <= _words("has", "bookings", "fillers", "owner")
    return bool(has) and ("already" in words or plain)
