"""The airline as a trade: reservations, flights, and what can be done with them."""

from __future__ import annotations

from agent.clerk.airline.cards import CARD_TOPICS
from agent.clerk.airline.hearing import hear
from agent.clerk.airline.language import LANGUAGE
from agent.clerk.airline.memory import TOOLS, WRITES
from agent.clerk.airline.mistakes import AIRLINE_MISTAKES
from agent.clerk.airline.planning import next_step
from agent.clerk.airline.taken_for import understood
from agent.clerk.airline.talk import Talk, now_of
from agent.clerk.english import Language
from agent.clerk.reading_messages import policy_of
from agent.clerk.trade import Trade
from agent.models.protocol import Message

CARD_LANGUAGE = Language("airline_cards")
"""What customers ask while a card waits."""


def begin(messages: list[Message]) -> Talk:
    """A conversation that knows what day it is, by the policy."""
    return Talk(now=now_of(policy_of(messages)))


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
