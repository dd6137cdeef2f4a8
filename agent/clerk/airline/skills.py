"""The airline as a domain of the clerk's: reservations, flights, and what can be done with them."""

from __future__ import annotations

from agent.clerk.airline.cards import CARD_TOPICS
from agent.clerk.airline.hearing import hear
from agent.clerk.airline.language import LANGUAGE
from agent.clerk.airline.memory import TOOLS, WRITES
from agent.clerk.airline.mistakes import AIRLINE_MISTAKES
from agent.clerk.airline.planning import next_step
from agent.clerk.airline.requests import WHETHER, Intent, Request
from agent.clerk.airline.talk import Talk, now_of
from agent.clerk.english import Language
from agent.clerk.reading_messages import policy_of
from agent.clerk.trade import Trade, Understood
from agent.models.protocol import Message

CARD_LANGUAGE = Language("airline_cards")
"""What customers ask while a card waits."""

REPORTED = {
    "reservations": "account_info", "balance": "account_info", "membership": "account_info",
    "profile": "account_info", "methods": "account_info", "count": "account_info",
    "allowance": "policy_question", "complaint": "compensation", "paid": "reservation_info",
    "price": "hypothetical", "outcome": "hypothetical", "about_clerk": "smalltalk",
    "farewell": "smalltalk", "insurance": "other", "advice": "other", "other_person": "other",
    "undo": "other", "seat": "other",
}  # fmt: skip
"""The wider intents that the finer ones are kinds of, as sentences are labelled."""


def begin(messages: list[Message]) -> Talk:
    """A conversation that knows what day it is, by the policy."""
    return Talk(now=now_of(policy_of(messages)))


def understood(talk: Talk) -> Understood:
    """What the last message was taken for."""
    said = talk.last
    if said is None:
        return Understood()
    made = [each for each in talk.requests if each.made == talk.heard]
    names = {_reported(each) for each in made if each.intent is not None}
    names |= {"nothing_changes"} if said.denied or said.forget else set()
    names |= {"identify"} if said.identity.user_ids else set()
    offered = {REPORTED.get(each, each) for one in made for each in one.guesses}
    if not names and not offered:
        flags = {"yes": said.yes, "no": said.no, "farewell": said.nothing and not said.no}
        asides = said.asides or [name for name, told in flags.items() if told]
        names = {REPORTED.get(each, each) for each in asides}
    return Understood(frozenset(names), frozenset(offered))


def _reported(request: Request) -> str:
    if WHETHER in request.asks and request.intent is not Intent.SEARCH:
        return "hypothetical"
    return REPORTED.get(str(request.intent), str(request.intent))


AIRLINE: Trade[Talk] = Trade(
    tools=TOOLS,
    writes=WRITES,
    begin=begin,
    hear=hear,
    next_step=next_step,
    mistakes=AIRLINE_MISTAKES,
    card_topics=CARD_TOPICS,
    understood=understood,
    topics=lambda text: CARD_LANGUAGE.meanings("about_card", LANGUAGE.corrected(text)),
)
