"""What a question about the customer's own things is about: orders, and items of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from agent.clerk.retail.dialogue_state import RetailState
from agent.clerk.retail.intent_data import tells
from agent.clerk.retail.item_mentions import OrderItem, items_of, named_items
from agent.clerk.retail.known_records import RetailRecords
from agent.clerk.retail.orders import ORDER_ID, all_orders, named_orders, narrow
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Statement
from agent.clerk.state.task import Task
from agent.clerk.understanding.tokens import has, tokens

STATUSES = ("pending", "delivered", "processed", "cancelled")
_NO_ORDER = "I can't find an order like that on your account."
_BACK = 4
"""How many of the last messages may tell what a question is about."""


@dataclass(frozen=True)
class Subject:
    """What a question is about: orders, and those items of them that were named."""

    orders: Sequence[Json]
    items: Sequence[OrderItem] = ()
    named: bool = True
    """Whether it was named or is the one spoken of before, rather than just everything there is."""


def find_subject(task: Task, dialogue: RetailState) -> Subject:
    """What a question names or, if it names nothing, what was spoken of last; else all orders."""
    ids, words = named_orders(task, dialogue.records), tokens(task.text)
    everything = all_orders(dialogue.records)
    pool = [each for each in everything if not ids or each["order_id"] in ids]
    for each in STATUSES:
        if has(words, each, f"{each} orders"):
            pool = [o for o in pool if o["status"].startswith(each)]
    if has(words, "other order", "other one"):
        pool = [each for each in pool if each["order_id"] != dialogue.focus]
    narrowed = narrow(task, pool)
    for text in [*task.newest_first, *reversed(dialogue.customer_texts[-_BACK:])]:
        items = named_items(ORDER_ID.sub(" ", text), items_of(pool))
        if items:
            held = [each for each in pool if any(each is one.order for one in items)]
            return Subject(held, items)
        every = "orders" in task.text.lower() or tells(words, "every order")
        if text == task.text and (ids or every or len(narrowed) < len(everything)):
            break
    else:
        narrowed = [e for e in narrowed if e["order_id"] == dialogue.focus] or narrowed
    single = items_of(narrowed) if len(narrowed) == 1 else []
    return Subject(narrowed, single if len(single) == 1 else (), named=len(narrowed) == 1)


def about(
    words_for: Callable[[Task, Subject, RetailRecords], str],
) -> Callable[[Task, RetailState], Statement]:
    """Wrap an answer about orders in a skill that finds what a question is about."""

    def answer(task: Task, dialogue: RetailState) -> Statement:
        subject = find_subject(task, dialogue)
        told = words_for(task, subject, dialogue.records) if subject.orders else _NO_ORDER
        return tell_of(told, subject.orders)

    return answer


def tell_of(text: str, pool: Sequence[Json] = ()) -> Statement:
    """The answer to a question about orders, which brings a single one of them into focus."""
    return Statement(text, "answered", focus=str(pool[0]["order_id"]) if len(pool) == 1 else "")
