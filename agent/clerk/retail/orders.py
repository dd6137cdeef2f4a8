"""Slot filling for orders: which of the customer's orders a task is about."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import takewhile

from agent.clerk.deciding.offers import MOST, ask_to_pick
from agent.clerk.retail.intent_data import DATA, SWAPS, VERBS, tells
from agent.clerk.retail.item_mentions import found_by, items_of, mentions, named_items
from agent.clerk.retail.known_records import RetailRecords
from agent.clerk.retail.told_apart import told_apart
from agent.clerk.retail.wording import item, order, order_short, status_words
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Call, Choice, Question, Refused, Settled, Statement
from agent.clerk.state.task import Task
from agent.clerk.understanding.sentence_kinds import says_also
from agent.clerk.understanding.spelling import correct
from agent.clerk.understanding.tokens import Tokens, has, tokens
from agent.clerk.wording import join_parts

ORDER_ID = re.compile(r"(?<![\w-])#?w?(\d{7})(?![\d-])", re.IGNORECASE)


def order_ids(text: str) -> list[str]:
    """The order ids in a text, normalized to the form in the records."""
    return list(dict.fromkeys(f"#W{digits}" for digits in ORDER_ID.findall(text)))


def read_order(records: RetailRecords, order_id: str) -> Json:
    """An order as last read; raises Settled with the look-up until it has been read."""
    found = records.orders.get(order_id)
    if found is None:
        raise Settled(_look_up(order_id))
    return found


def all_orders(records: RetailRecords) -> list[Json]:
    """Every readable order of the customer, newest first; raises Settled with a look-up."""
    keys = reversed(records.order_ids)
    return [read_order(records, each) for each in keys if _look_up(each).key not in records.failed]


def _look_up(order_id: str) -> Call:
    return Call("get_order_details", {"order_id": order_id})


def named_orders(task: Task, records: RetailRecords) -> list[str]:
    """The order ids in the newest sentence that has any.

    Raises Refused for an order that is not the customer's.
    """
    texts = [] if task.chosen.get("order") == "any" else task.newest_first[:-1]
    found = next(filter(None, map(order_ids, texts)), [])
    for each in found:
        if each not in records.order_ids:
            known = join_parts(reversed(records.order_ids)) or "none"
            raise Refused(f"Order {each} is not one of yours. Your orders are {known}.")
    return found


def narrow(task: Task, orders: Sequence[Json]) -> list[Json]:
    """The orders that match descriptions such as "my last order" and "the pending one".

    A picked order is the only match. Orders that the customer excluded are left out.
    """
    found, words = list(orders), tokens(task.all_words)
    if task.chosen.get("order", "any") != "any":
        return [each for each in found if each["order_id"] == task.chosen["order"]]
    picked = "items" in task.chosen  # "the first one" is of the list then
    if tells(words, "last order") and not picked:
        found = found[:1]
    elif tells(words, "first order") and not picked:
        found = found[-1:]
    for status in ("pending", "delivered"):
        if tells(tokens(task.text), status):
            found = [e for e in found if e["status"].startswith(status)] or found
    out = [each for text in task.excepted for each in order_ids(text)]
    out += [e.order["order_id"] for t in task.excepted for e in named_items(t, items_of(orders))]
    return [each for each in found if each["order_id"] not in out]


def says_all(task: Task) -> bool:
    """Whether the customer means all orders, or both."""
    said = [tokens(each) for each in task.words]
    one, every = (any(tells(words, name) for words in said) for name in ("one order", "all orders"))
    return every and not one


def orders_meant(task: Task, records: RetailRecords, *, for_items: bool = False) -> list[Json]:
    """The orders named by id, or else all orders, narrowed by what else was said about them.

    With ``for_items``, of the sentences about items only "the order with the lamp" narrows them.
    """
    orders = [read_order(records, each) for each in named_orders(task, records)]
    told = replace(task, same_message=[], excepted=[]) if for_items else task
    found = narrow(told, orders or all_orders(records))
    texts = [*task.words, *task.excepted] if for_items else []
    named = [one for text in texts for one in mentions(text, items_of(found)) if one.of_order]
    held = [each.order for each in found_by(named)]
    return [each for each in found if each in held] or found


def _orders_holding(task: Task, orders: Sequence[Json]) -> tuple[list[Json], bool]:
    """The orders with the items mentioned last and not taken out, and whether they were listed.

    In a list, "the lamp order, and the belt order as well", each item is in just one of them.
    """
    found: dict[str, Json] = {}
    alone: set[str] = set()
    texts = [*task.same_message, task.text, *task.notes]
    now = any(named_items(ORDER_ID.sub(" ", text), items_of(orders)) for text in texts)
    for text in [*([] if now else task.context), *texts]:
        held: dict[str, Json] = {}
        for one in mentions(ORDER_ID.sub(" ", text), items_of(orders)):
            meant = [] if one.is_excluded else told_apart(one)
            holding = {str(each.order["order_id"]): each.order for each in meant}
            alone |= holding.keys() if len(holding) == 1 else set()
            held |= holding
        found = {**found, **held} if not held or says_also(tokens(text)) else held
    return [*found.values()], len(found) > 1 and found.keys() <= alone


def usable_orders(task: Task, orders: Sequence[Json], statuses: Collection[str]) -> list[Json]:
    """The orders that are not changed yet and have one of the statuses.

    Raises Settled with the refusal if there is none and the task has changed nothing yet.
    """
    left = [each for each in orders if each["order_id"] not in task.written]
    usable = [each for each in left if each["status"] in statuses]
    if not usable and not task.written:
        named = [each for each in orders if is_named(task, each)]
        raise Settled(refusal(task, named or orders, statuses))
    return usable


def is_named(task: Task, order: Json) -> bool:
    """Whether a sentence of the task mentions an item of the order."""
    return any(named_items(each, items_of([order])) for each in task.words)


def one_order(task: Task, records: RetailRecords, statuses: Collection[str]) -> Json | None:
    """The order to act on next, or None if all are done.

    Raises Settled with a question or a refusal.
    """
    pool, ids = orders_meant(task, records), named_orders(task, records)
    told = replace(task, same_message=[]) if ids else task
    asked = any(map(order_ids, [task.text, *task.notes]))
    held, several = ([], len(ids) > 1) if asked else _orders_holding(told, pool)
    several = several or says_all(task)
    if task.written and not several:
        return None
    thing = unknown_thing(task, pool) if not (ids or held or "order" in task.chosen) else ""
    if thing:
        raise Settled(ask_order(task, pool, f"There is no {thing} in your orders. "))
    usable = usable_orders(task, held or pool, statuses)
    if len(usable) > 1 and not (several or tells(tokens(task.all_words), "either order")):
        raise Settled(ask_order(task, usable))
    return usable[0] if usable else None


_INSTEAD = {
    ("return_items", "pending"): "A pending order can be cancelled as a whole, if you want that.",
    ("cancel_order", "delivered"): "What was delivered can be returned, if you want that.",
}
"""What is possible instead, by the intent and the status that the orders have."""


_REQUESTED = {"return requested": "a return", "exchange requested": "an exchange"}


def refusal(task: Task, orders: Sequence[Json], statuses: Collection[str]) -> Statement:
    """The reason why nothing can be done with these orders."""
    verb = VERBS.get(str(task.intent), "change")
    focus = str(orders[0]["order_id"]) if len(orders) == 1 else ""
    lines = map(_how_it_stands, orders[:MOST])
    wanted = " or ".join(statuses)
    text = (
        f"I can't {verb} that: {join_parts(lines)}, and this is only possible for {wanted} orders."
    )
    states = {each["status"] for each in orders}
    if (hint := _INSTEAD.get((str(task.intent), *states))) is not None:
        text = f"{text} {hint}"
    if not orders:
        text = f"I can't find an order that I could {verb}."
    elif task.intent in SWAPS and all("modified" in each["status"] for each in orders):
        changed = join_parts(map(order_short, orders[:MOST]))
        text = f"An order's items can be changed only once; those of {changed} already have been."
    return Statement(text, "refused", focus=focus)


def _how_it_stands(each: Json) -> str:
    if (status := str(each["status"])) in _REQUESTED:
        return f"for order {order_short(each)} {_REQUESTED[status]} has been requested"
    return f"order {order_short(each)} is {status_words(each)}"


def ask_order(task: Task, orders: Sequence[Json], lead: str = "") -> Question:
    """A question that offers the candidate orders."""
    choices = [Choice(str(each["order_id"]), order(each).replace("**", "")) for each in orders]
    verb = VERBS.get(str(task.intent), "look at")
    question = "Which order do you mean?" if task.what_if else f"Which order do you want to {verb}?"
    return ask_to_pick(f"{lead}{question}", "order", task, choices)


def unknown_thing(task: Task, orders: Sequence[Json]) -> str:
    """The noun after "the" or "my" that is in none of the orders and is no general word.

    Rather one that something is to be done to: in "the hike is off, so cancel the trail shoes",
    these.
    """
    known = {t for o in orders for i in o["items"] for t in tokens(item(i))}
    told = [*_nouns(tokens(ORDER_ID.sub(" ", correct(task.text))))]
    unknown = [(noun, is_so) for noun, is_so in told if not known & {*noun}]
    acted_on = [noun for noun, is_so in unknown if not is_so]
    if not acted_on and len(unknown) == len(told):
        acted_on = [noun for noun, _ in unknown]
    return " ".join(acted_on[0]) if acted_on else ""


def _nouns(words: Tokens) -> Iterator[tuple[Tokens, bool]]:
    """The nouns after words like "the", each with whether it is told how things are with it."""
    no_noun = {*DATA["general"], *(word for word in words if "'" in word)}
    for place, word in enumerate(words, 1):
        if word in {"the", "my", "these", "those"}:
            after = words[place : place + 3]
            noun = (*takewhile(lambda one: one not in no_noun and one[0].isalpha(), after),)
            if noun:
                yield noun, has(words[place + len(noun) :][:1], "is", "was", "are", "were")
