"""Retail as a trade: orders, their items, and what can be done with them."""

from __future__ import annotations

from agent.chat import Message
from agent.clerk.reading_messages import calls_of, text_of
from agent.clerk.remembering import NOT_DONE, Asked
from agent.clerk.retail.cards import CARD_TOPICS
from agent.clerk.retail.hearing import hear
from agent.clerk.retail.language import corrected, meanings
from agent.clerk.retail.memory import WRITES, Memory
from agent.clerk.retail.mistakes import RETAIL_MISTAKES
from agent.clerk.retail.planning import next_step
from agent.clerk.retail.talk import Talk
from agent.clerk.trade import Trade


def begin(messages: list[Message]) -> Talk:
    """A conversation that knows the product names in any result.

    So what was typed earlier is read with the names that came up later.
    """
    memory = Memory()
    asked: dict[str, Asked] = {}
    for message in messages:
        if message.get("role") == "assistant":
            asked.update({each.id: each for each in calls_of(message)})
        elif message.get("role") == "tool":
            call = asked.get(str(message.get("tool_call_id", "")))
            if call is not None and not text_of(message).startswith(NOT_DONE):
                memory.read(call, text_of(message))
    return Talk(names=memory.product_names)


RETAIL: Trade[Talk] = Trade(
    tools=WRITES | {"get_order_details"},
    writes=WRITES,
    begin=begin,
    hear=hear,
    next_step=next_step,
    mistakes=RETAIL_MISTAKES,
    card_topics=CARD_TOPICS,
    topics=lambda text: meanings("about_card", corrected(text)),
)
