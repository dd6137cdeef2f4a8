"""Retail as a domain of the clerk's: orders, their items, and what can be done with them."""

from __future__ import annotations

from agent.clerk.offers import offered_intents
from agent.clerk.retail.cards import CARD_TOPICS, topics
from agent.clerk.retail.hearing import hear
from agent.clerk.retail.memory import WRITES
from agent.clerk.retail.mistakes import RETAIL_MISTAKES
from agent.clerk.retail.planning import OFFERS, next_step
from agent.clerk.retail.task import Talk
from agent.clerk.trade import Trade, Understood
from agent.models.protocol import Message


def begin(messages: list[Message]) -> Talk:
    """A conversation in which nothing was said yet."""
    return Talk()


REPORTED = {
    "tracking": "order_status", "order_total": "order_status", "refund_amount": "order_status",
    "orders": "account_info", "gift_balance": "account_info", "profile": "account_info",
    "product_count": "product_info", "about_clerk": "smalltalk", "greeting": "smalltalk",
    "chat": "smalltalk", "farewell": "smalltalk", "add_item": "other", "place_order": "other",
    "advice": "other", "other_person": "other",
}  # fmt: skip
"""The wider intents that the finer ones are kinds of, as sentences are labelled."""


def understood(talk: Talk) -> Understood:
    """What the last message was taken for."""
    told = talk.last
    if told is None:
        return Understood()
    sure = [each for each in told.wishes if not each.unsure]
    modes = {"denied": "nothing_changes", "what_if": "hypothetical"}
    names = {modes.get(each.mode, REPORTED.get(each.intent, each.intent)) for each in sure}
    unsure = [each for each in told.wishes if each.unsure and each.mode == "meant"]
    doubted = [each.guesses for each in unsure] or [
        each.guesses for each in talk.open if each.intent is None and each.text == told.text
    ]
    offered = {REPORTED.get(e, e) for each in doubted for e in offered_intents(each, OFFERS)}
    if not (told.wishes or offered):
        names = {REPORTED.get(each, each) for each in told.asides if each}
    return Understood(frozenset(names), frozenset(offered))


RETAIL: Trade[Talk] = Trade(
    tools=WRITES | {"get_order_details"},
    writes=WRITES,
    begin=begin,
    hear=hear,
    next_step=next_step,
    mistakes=RETAIL_MISTAKES,
    card_topics=CARD_TOPICS,
    topics=topics,
    understood=understood,
)
