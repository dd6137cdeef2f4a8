"""What a new task refers back to: the order, the items or the product mentioned before."""

from __future__ import annotations

from itertools import islice

from agent.clerk.retail.address_parts import parse_address
from agent.clerk.retail.addresses import ADDRESSES
from agent.clerk.retail.dialogue_state import RetailState
from agent.clerk.retail.intent_data import ACTS, OF_ITEMS, tells
from agent.clerk.retail.orders import order_ids
from agent.clerk.state.task import Task
from agent.clerk.understanding.tokens import has, tokens

_BACK = 8
"""How many of the last messages may name what a change is about."""


def inherit_context(dialogue: RetailState, task: Task) -> None:
    """Give a new task the context that its words refer back to.

    *Cancel it* refers to the order or items mentioned last, *and in green?* to the product
    mentioned last or to the one of the open task.
    """
    words = tokens(task.text)
    before = [each for each in reversed(dialogue.tasks) if each is not task]
    if task.intent in {"product_info", "product_count"}:
        alike = (each for each in before if each.intent in {task.intent, "product_count"})
        current = dialogue.current_task
        is_open = current is not None and current is not task and not current.closed
        told = {"product_info", "product_count", *ACTS}
        open_one = current if is_open and current is not None and current.intent in told else None
        earlier = open_one or next(alike, None)
        texts = reversed(dialogue.customer_texts[-4:-1])
        owned = ([each.id for each in dialogue.find_named(text)] for text in texts)
        task.items = next(filter(None, owned), [])
        before_it = dialogue.find_named(earlier.all_words) if earlier is not None else []
        task.context = [] if task.items or earlier else dialogue.customer_texts[-4:-1]
        if earlier is not None and not {*task.items} - {each.id for each in before_it}:
            task.context = [*earlier.context, *earlier.words][-4:]
        return
    if task.intent in ADDRESSES:
        given = (each for each in reversed(dialogue.customer_texts[:-1]) if _is_whole(each))
        task.context = [*islice(given, 1)]
    points = has(words, "it", "them", "this", "those", "that", "one")
    same = task.intent in OF_ITEMS and not tells(words, "something else")
    if task.intent in ACTS - ADDRESSES and (points or same):
        task.context = dialogue.customer_texts[-_BACK:]
    if (
        dialogue.find_named(task.all_words)
        or order_ids(task.all_words)
        or not dialogue.records.orders
    ):
        return
    beside = {e.order["order_id"] for e in dialogue.find_named(dialogue.customer_texts[-1])}
    pointed_at = beside or {dialogue.focus}
    if (
        len(pointed_at) == 1
        and pointed_at <= {*dialogue.records.orders}
        and tells(words, "pointing")
    ):
        task.chosen.setdefault("order", str(*pointed_at))


def _is_whole(text: str) -> bool:
    """Whether a text contains a whole address."""
    return {"address1", "zip"} <= parse_address(text).keys()
