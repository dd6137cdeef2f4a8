"""The wishes of a message in the light of each other: which are details of which."""

from __future__ import annotations

from agent.clerk.airline.calling_off import doubt_cancellation, is_question
from agent.clerk.airline.line import Line
from agent.clerk.airline.people import names_in
from agent.clerk.airline.reasons import reason
from agent.clerk.airline.talk import Talk
from agent.clerk.airline.words import FROM, TO, phrases
from agent.clerk.understanding.wishes import Message, Wish

_PRICED = phrases("refining", "priced")
_DETAILS = frozenset(
    {"add_bags", "insurance", "change_cabin", "change_flights", "change_passengers"}
)


def refine_wishes(wishes: list[Wish], told: Message, talk: Talk) -> list[Wish]:
    """The wishes that stand by themselves; what only tells of another is kept beside it."""
    kept: list[Wish] = []
    wishes = [doubt_cancellation(each, talk.line(each.text), told) for each in wishes]
    others = [each for each in wishes if each.intent != "about_clerk"]
    upgrades = [each for each in others if each.intent == "change_cabin" and each.mode == "what_if"]
    for wish in others:
        if wish.intent == "cancel_reservation" and upgrades and wish.mode != "denied":
            wish.text = f"{upgrades[0].text} . {wish.text}"
            wish.mode, others = "what_if", [each for each in others if each not in upgrades]
    for wish in others or wishes:
        wish = _settle_intent(wish, talk)
        if not _detail(wish, wishes, talk):
            kept.append(wish)
    return kept


def _settle_intent(wish: Wish, talk: Talk) -> Wish:
    """A question for a price as the change that it is the price of, which is only supposed."""
    said = talk.line(wish.text)
    priced = said.cabins and said.has(*_PRICED) and not wish.has_verb
    if wish.mode != "denied" and (wish.intent == "price" or priced):
        booking = any(each.intent == "book_flight" for each in talk.open)
        wish.intent = "search_flights" if booking and said.cabins else _intent_of_price(said)
        wish.mode = "what_if" if wish.intent in {"change_cabin", "change_flights"} else "meant"
        wish.has_verb = True
    changes = said.has("change", "correct", "replace", "update", "rename")
    if changes and len(said.places) < 2 and len(names_in(said, talk)) > 1:
        wish.intent, wish.has_verb = "change_passengers", True
    return wish


def _intent_of_price(said: Line) -> str:
    if said.has("bag", "bags", "luggage", "suitcase"):
        return "allowance"
    if said.has("insurance"):
        return "policy_question"
    if {FROM, TO} <= {each.role for each in said.places}:
        return "search_flights"
    if said.cabins or said.has("upgrade", "upgrading"):
        return "change_cabin"
    return "change_flights" if said.days else "change_cabin"


def _detail(wish: Wish, wishes: list[Wish], talk: Talk) -> bool:
    """Whether a wish only tells of another one of the message; its words are kept then."""
    others = [each for each in wishes if each is not wish and each.mode == "meant"]
    intents = {each.intent for each in others}
    said = talk.line(wish.text)
    past = said.has("i booked", "i've booked", "we booked", "i just booked", "booked yesterday")
    if wish.intent == "book_flight" and past and others:
        return _keep(wish, others[0])
    booked = "book_flight" in intents and wish.intent in _DETAILS
    if booked and not said.ids and not said.has("reservation", "trip", "booking"):
        return _keep(wish, next(e for e in others if e.intent == "book_flight"))
    if wish.intent == "other" and "cancel_reservation" in intents and reason([said]):
        return _keep(wish, next(e for e in others if e.intent == "cancel_reservation"))
    if wish.intent == "complaint" and intents & {"compensation", "cancel_reservation"}:
        wanted = ("cancel_reservation", "compensation")
        return _keep(wish, next(e for name in wanted for e in others if e.intent == name))
    if wish.intent in {"methods", "balance", "policy_question", "outcome"} and "?" not in wish.text:
        paid = [e for e in others if e.intent in {*_DETAILS, "book_flight"}]
        if paid and not is_question(said):
            return _keep(wish, paid[-1])
    return False


def _keep(wish: Wish, other: Wish) -> bool:
    other.text = f"{other.text} . {wish.text}"
    return True
