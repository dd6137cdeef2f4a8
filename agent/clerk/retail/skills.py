"""Retail as a domain of the clerk's: orders, their items, and what can be done with them."""

from __future__ import annotations

from agent.chat import Message
from agent.clerk.retail.cards import CARD_TOPICS, topics
from agent.clerk.retail.hearing import hear
from agent.clerk.retail.memory import WRITES
from agent.clerk.retail.mistakes import RETAIL_MISTAKES
from agent.clerk.retail.planning import next_step
from agent.clerk.retail.task import Talk
from agent.clerk.trade import Trade


def begin(messages: list[Message]) -> Talk:
    """A conversation in which nothing was said yet."""
    return Talk()


RETAIL: Trade[Talk] = Trade(
    tools=WRITES | {"get_order_details"},
    writes=WRITES,
    begin=begin,
    hear=hear,
    next_step=next_step,
    mistakes=RETAIL_MISTAKES,
    card_topics=CARD_TOPICS,
    topics=topics,
)
