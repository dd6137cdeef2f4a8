"""What a question or a new change refers to: things it names, or those spoken of before."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agent.clerk.retail.address_parts import parse_address
from agent.clerk.retail.addresses import ADDRESSES
from agent.clerk.retail.intent_data import ACTS, OF_ITEMS, SAID, tells
from agent.clerk.retail.item_mentions import (
    OrderItem,
    found_by,
    items_of,
    mentions,
    named_items,
)
from agent.clerk.retail.known_records import RetailRecords
from agent.clerk.retail.orders import ORDER_ID, all_orders, named_orders, narrow, order_ids
from agent.clerk.state.dialogue import Dialogue
from agent.clerk.state.records import Json
from agent.clerk.state.task import Task
from agent.clerk.understanding.tokens import has, tokens

OTHER_PERSON = "other_person"
"""The intent of who asks about somebody else's account."""

_OWNER = re.compile(r"\b(\w+)['’]s\b")
_LATELY = 2
"""How many of the last tasks a message about somebody else may go on about."""

STATUSES = ("pending", "delivered", "processed", "cancelled")
PRODUCTS = frozenset({"product_info", "product_count"})
_BACK, _BACK_OF_CHANGE = 4, 8
"""How many of the last messages may tell what a question, or a change, is about."""


_FEW = 20
"""How many characters of what is wanted tell where it stands in its message."""


@dataclass(frozen=True)
class Subject:
    """What a question is about: orders, and those items of them that were named."""

    orders: Sequence[Json]
    items: Sequence[OrderItem] = ()
    named: bool = True
    """Whether it was named or is the one spoken of before, rather than just everything there is."""


def find_subject(task: Task, dialogue: Dialogue, records: RetailRecords) -> Subject:
    """What a question names or, if it names nothing, what was spoken of last; else all orders."""
    ids, words = named_orders(task, records), tokens(task.text)
    everything = all_orders(records)
    pool = [each for each in everything if not ids or each["order_id"] in ids]
    for each in STATUSES:
        if has(words, each):
            pool = [o for o in pool if o["status"].startswith(each)]
    narrowed = narrow(task, pool)
    *told, message = task.newest_first
    before, _, after = message.partition(task.text[:_FEW])
    earlier = reversed(dialogue.customer_texts[-_BACK:-1])
    for text in [*told, before, *earlier, after]:
        named = mentions(ORDER_ID.sub(" ", text), items_of(pool))
        items = found_by(one for one in named if not one.is_excluded)
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


def inherit_context(dialogue: Dialogue, records: RetailRecords, task: Task) -> None:
    """Give a new task the context that its words refer back to.

    *Cancel it* refers to the order or items mentioned last, *and in green?* to the product
    mentioned last or to the one of the open task.
    """
    words, said = tokens(task.text), dialogue.customer_texts
    before, _, after = task.message.partition(task.text[:_FEW])
    earlier = [each for each in (after, *said[:-1], before) if each.strip()]
    if task.intent in PRODUCTS:
        if any(each.intent in PRODUCTS for each in dialogue.tasks[-1:]):
            task.chosen["follows"] = "yes"  # what was asked for before is still asked for
        task.context = [] if records.find_named(task.text) else said[-_BACK:-1]
        task.same_message = [before] if before.strip() else []
        current = dialogue.current_task
        if current is not None and not (current.closed or named_items(said[-1], records.things)):
            task.items = current.items
        return
    if task.intent in ADDRESSES:
        task.same_message += task.context  # what was unclear before it was told what it is for
        whole = [e for e in said[:-1] if {"address1", "zip"} <= parse_address(e).keys()]
        task.context = whole[-1:]
    points = has(words, "it", "them", "this", "those", "that", "one")
    same = task.intent in OF_ITEMS and not tells(words, "something else")
    if task.intent in ACTS - ADDRESSES and (points or same):
        task.context = earlier[-_BACK_OF_CHANGE:]
    if records.find_named(task.all_words) or order_ids(task.all_words):
        return
    beside = {str(e.order["order_id"]) for e in records.find_named(before or said[-1])}
    pointed_at = beside or {str(dialogue.focus)}
    known = len(pointed_at) == 1 and pointed_at <= records.orders.keys()
    if known and tells(words, "pointing"):
        task.chosen.setdefault("order", *pointed_at)


def goes_on_about_another(text: str, tasks: Sequence[Task]) -> bool:
    """Whether a message is still about somebody whose orders were asked about just now."""
    lately = [each for each in tasks if each.intent][-_LATELY:]
    if all(each.intent != OTHER_PERSON for each in lately):
        return False
    about = {*tokens(" ".join(each.text for each in tasks if each.intent == OTHER_PERSON))}
    owners = {each.lower() for each in _OWNER.findall(text)} - SAID.words["no owners"]
    theirs = has(tokens(text), "his", "her", "their", "he", "she")
    return theirs or not owners.isdisjoint(about)
