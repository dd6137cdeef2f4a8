"""The wishes of a message in the light of each other, and of what they are worded as.

A cancellation is only guessed where no verb asks for it: "the wedding is off, I want my money
back" wants one, "what's the weather refund thing again" does not. And words may only say that no
booking is wanted: "I'm not booking anything, I have a reservation".
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

from agent.clerk.airline.line import Line
from agent.clerk.airline.people import names_in
from agent.clerk.airline.reasons import reason
from agent.clerk.airline.talk import Talk
from agent.clerk.airline.words import FROM, TO, phrases
from agent.clerk.understanding.tokens import Tokens, find, tokens
from agent.clerk.understanding.wishes import Message, Wish

CANCEL = "cancel_reservation"
_CLAUSE = re.compile(r"\s*(?:[,.;!?]|\bbut\b)\s*")
_FIRST = 3
"""Words among which the one stands that makes a sentence a question."""

_DETAILS = frozenset(
    {"add_bags", "insurance", "change_cabin", "change_flights", "change_passengers"}
)


def doubt_cancellation(wish: Wish, said: Line, told: Message) -> Wish:
    """A wish as it is, but a cancellation that nobody asked for as a question or as a doubt.

    A question of a trip is what a cancellation would come to, any other one what the rules are;
    words that neither ask nor tell are offered to be a cancellation, and never made one.
    """
    guessed = wish.intent == CANCEL and wish.mode == "meant" and not wish.has_verb
    words = tokens(said.text)
    if not guessed or any(find(tokens(verb), words) >= 0 for verb in phrases("cancelling")):
        return wish
    if is_question(said):
        if said.ids or said.places or said.days:
            return replace(wish, mode="what_if")
        return replace(wish, intent="policy_question", has_verb=True)
    if said.tells("tells"):
        return wish
    return replace(wish, likely=0.0, has_cue=False, guesses=wish.guesses or told.guesses)


def is_question(said: Line) -> bool:
    """Whether a sentence is a question, with its mark or without; "can you refund it?" is none."""
    if said.tells("requests"):
        return False
    return "?" in said.words or any(0 <= said.find(each) < _FIRST for each in phrases("asks"))


def refine_wishes(wishes: list[Wish], told: Message, talk: Talk) -> list[Wish]:
    """The wishes that stand by themselves; what only tells of another is kept beside it."""
    wishes = [doubt_cancellation(each, talk.line(each.text), told) for each in wishes]
    others = [each for each in wishes if each.intent != "about_clerk"]
    upgrades = [each for each in others if each.intent == "change_cabin" and each.mode == "what_if"]
    for wish in others:
        if wish.intent == CANCEL and upgrades and wish.mode != "denied":
            wish.text = f"{upgrades[0].text} . {wish.text}"
            wish.mode, others = "what_if", [each for each in others if each not in upgrades]
    kept: list[Wish] = []
    for wish in others or wishes:
        _settle_intent(wish, talk)
        other = _told_of(wish, wishes, talk)
        if other is None:
            kept.append(wish)
        else:
            other.text = f"{other.text} . {wish.text}"
    return kept


def _settle_intent(wish: Wish, talk: Talk) -> None:
    """A question for a price is of the change that it is the price of, which is only supposed."""
    said = talk.line(wish.text)
    priced = said.cabins and said.tells("priced") and not wish.has_verb
    if wish.mode != "denied" and (wish.intent == "price" or priced):
        wish.intent = _intent_of_price(said)
        of_trip = bool(said.cabins) or wish.intent in {"change_cabin", "change_flights"}
        if of_trip and any(each.intent == "book_flight" for each in talk.open):
            wish.intent = "search_flights"
        wish.mode = "what_if" if wish.intent in {"change_cabin", "change_flights"} else "meant"
        wish.has_verb = True
    changes = said.has("change", "correct", "replace", "update", "rename")
    if changes and len(said.places) < 2 and len(names_in(said, talk)) > 1:
        wish.intent, wish.has_verb = "change_passengers", True


def _intent_of_price(said: Line) -> str:
    if said.has("bag", "bags", "luggage", "suitcase"):
        return "allowance"
    if said.has("insurance"):
        return "policy_question"
    if {FROM, TO} <= {each.role for each in said.places}:
        return "search_flights"
    upgrades = said.cabins or said.has("upgrade", "upgrading")
    return "change_flights" if said.days and not upgrades else "change_cabin"


def _told_of(wish: Wish, wishes: list[Wish], talk: Talk) -> Wish | None:
    """Another wish of the message, where this one only tells of it."""
    others = [each for each in wishes if each is not wish and each.mode == "meant"]
    of = {each.intent: each for each in reversed(others)}
    said = talk.line(wish.text)
    if wish.intent == "book_flight" and others and said.tells("booked before"):
        return others[0]
    apart = said.ids or said.has("reservation", "trip", "booking")
    if wish.intent in _DETAILS and "book_flight" in of and not apart:
        return of["book_flight"]
    if wish.intent == "other" and CANCEL in of and reason([said]):
        return of[CANCEL]
    if wish.intent == "complaint" and {CANCEL, "compensation"} & of.keys():
        return of.get(CANCEL) or of["compensation"]
    if wish.intent in {"methods", "balance", "policy_question", "outcome"} and "?" not in wish.text:
        paid = [each for each in others if each.intent in {*_DETAILS, "book_flight"}]
        if paid and not is_question(said):
            return paid[-1]
    return None


@cache
def _words(*names: str) -> frozenset[str]:
    """Words of ``words.json`` as they are compared here."""
    return frozenset(word for name in names for each in phrases(name) for word in tokens(each))


def without_booking(text: str) -> str | None:
    """What is left of a message that wants no booking; None where it does not say so."""
    clauses = [each for each in _CLAUSE.split(text) if each]
    denied = [each for each in clauses if _denies(tokens(each))]
    owned = [each for each in clauses if _owns(set(tokens(each)))]
    rest = " , ".join(each for each in clauses if each not in denied and each not in owned)
    words = set(tokens(text))
    existing = {"existing", "current"} & words and _words("bookings") & words and changes(text)
    return rest if denied or existing or (owned and (not rest or changes(rest))) else None


def changes(text: str) -> bool:
    """Whether a text speaks of changing what there is."""
    return not _words("changes").isdisjoint(tokens(text))


def _denies(words: Tokens) -> bool:
    """Whether booking is denied, or asked why, and nothing that is to be booked is told apart."""
    place = next((n for n, word in enumerate(words) if word in _words("books")), None)
    if place is None or _words("books not").isdisjoint(words[:place]):
        return False
    return set(words[place:]) <= _words("books", "bookings", "fillers")


def _owns(words: set[str]) -> bool:
    """Whether it says that there is a reservation, and tells no more of it or that it is there."""
    has = _words("has") & words and _words("bookings") & words
    plain = words <= _words("has", "bookings", "fillers", "owner")
    return bool(has) and ("already" in words or plain)
