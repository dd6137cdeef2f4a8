"""Which of the customer's orders a task is about."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from itertools import takewhile

from agent.clerk.offers import MOST, ask_to_pick
from agent.clerk.remembering import Json
from agent.clerk.retail.manner import VERBS, manner_data, tells
from agent.clerk.retail.memory import Memory
from agent.clerk.retail.things import items_of, named_items
from agent.clerk.retail.wording import a, item, order, order_short
from agent.clerk.steps import Ask, Call, Choice, Refused, Settled, Tell
from agent.clerk.task import Task
from agent.clerk.understanding.tokens import has, tokens
from agent.clerk.wording import join_parts

ORDER_ID = re.compile(r"(?<!\w)#?w(\d{7})(?!\d)", re.IGNORECASE)
_LAST = ("last", "latest", "most recent", "recent", "newest", "just bought", "just ordered")
_FIRST = ("first", "oldest", "earliest")


def order_ids(text: str) -> list[str]:
    """The order ids in a text, as the records write them."""
    return list(dict.fromkeys(f"#W{digits}" for digits in ORDER_ID.findall(text)))


def read_order(memory: Memory, order_id: str) -> Json:
    """An order as last read; Settled with the look-up while it was not."""
    found = memory.orders.get(order_id)
    if found is None:
        raise Settled(Call("get_order_details", {"order_id": order_id}))
    return found


def all_orders(memory: Memory) -> list[Json]:
    """Every order of the customer, newest first."""
    keys = [each for each in reversed(memory.order_ids) if not _has_failed(memory, each)]
    return [read_order(memory, each) for each in keys]


def _has_failed(memory: Memory, order_id: str) -> bool:
    return Call("get_order_details", {"order_id": order_id}).key in memory.failed


def named_orders(task: Task, memory: Memory) -> list[str]:
    """The order ids that were said, the newest words first; ones of others are refused."""
    if task.chosen.get("order") == "any":
        return []
    inside = [each for each in task.excepted if has(tokens(each), "from", "in", "of")]
    for text in [*task.newest_first[:-1], *inside]:
        found = order_ids(text)
        for each in found:
            if each not in memory.order_ids:
                known = join_parts(reversed(memory.order_ids)) or "none"
                raise Refused(f"Order {each} is not one of yours. Your orders are {known}.")
        if found:
            return found
    return []


def narrow(task: Task, orders: Sequence[Json]) -> list[Json]:
    """The orders that are left once "my last order", "the pending one" and items are heeded."""
    found = list(orders)
    words = tokens(task.all_words)
    if task.chosen.get("order", "any") != "any":
        return [each for each in found if each["order_id"] == task.chosen["order"]]
    if has(words, *(f"{each} order" for each in _LAST), "the last one", "my last", "most recent"):
        found = found[:1]
    elif has(words, *(f"{each} order" for each in _FIRST), "the first one"):
        found = found[-1:]
    for status in ("pending", "delivered"):
        if tells(tokens(task.text), status):
            found = [e for e in found if e["status"].startswith(status)] or found
    excluded = [e["order_id"] for t in task.excepted for e in orders if _names_order(t, e)]
    return [each for each in found if each["order_id"] not in excluded]


def _names_order(text: str, order: Json) -> bool:
    return bool(named_items(text, items_of([order]))) or order["order_id"] in order_ids(text)


def says_all(task: Task) -> bool:
    """Whether all orders, or both, are meant."""
    if any(tells(tokens(each), "one order") for each in task.words):
        return False
    return any(tells(tokens(each), "all orders") for each in task.words)


def with_named_items(task: Task, orders: Sequence[Json]) -> list[Json]:
    """Of the orders, those that have what the words name; all where they name nothing there."""
    for text in task.newest_first[:-1]:
        found = [each for each in orders if named_items(_without_ids(text), items_of([each]))]
        if found:
            return found
    return []


def _without_ids(text: str) -> str:
    return ORDER_ID.sub(" ", text)


def one_order(task: Task, memory: Memory, statuses: Collection[str]) -> Json | None:
    """The order to act on next; None where all are done. Settled with a question or a refusal."""
    pool = _pool(task, memory)
    left = [each for each in pool if each["order_id"] not in task.written]
    usable = [each for each in left if each["status"] in statuses]
    if left and not usable and not task.written:
        raise Settled(refusal(task, pool, memory))
    several = says_all(task) or len(named_orders(task, memory)) > 1
    if not usable or (task.written and not several):
        return None
    if len(usable) == 1 or several or tells(tokens(task.all_words), "either order"):
        return usable[0]
    raise Settled(ask_order(task, usable))


def tell_done(task: Task, memory: Memory, line: Callable[[Json], str]) -> Tell:
    """What came of each order that a task has changed, in a line each."""
    known = memory.orders
    lines = [line(known[e]) if e in known else f"Order {e} is changed." for e in task.written]
    return Tell("\n".join(lines), "done")


def _pool(task: Task, memory: Memory) -> list[Json]:
    ids = named_orders(task, memory)
    if ids:
        return narrow(task, [read_order(memory, each) for each in ids])
    orders = narrow(task, all_orders(memory))
    if not orders:
        raise Refused("I find no such order on your account.")
    named = with_named_items(task, orders)
    thing = unknown_thing(task, orders) if not named else ""
    if thing and "order" not in task.chosen:
        raise Settled(ask_order(task, orders, f"I don't find {a(thing)} in your orders. "))
    return named or orders


def refusal(task: Task, orders: Sequence[Json], memory: Memory) -> Tell:
    """Why nothing can be done with these orders."""
    verb = VERBS.get(str(task.intent), "change")
    if not orders:
        return Tell(f"I find no order that I could {verb}.", "refused")
    lines = join_parts(f"order {order_short(each)} is {each['status']}" for each in orders[:MOST])
    need = "delivered" if task.intent in {"return_items"} else "pending"
    if task.intent in {"exchange_items", "modify_items"}:
        need = "pending or delivered"
    return Tell(
        f"I can't {verb} that: {lines}, and only {need} orders can be.",
        "refused",
        focus=str(orders[0]["order_id"]) if len(orders) == 1 else "",
    )


def ask_order(task: Task, orders: Sequence[Json], lead: str = "") -> Ask:
    """Offer the orders that may be meant."""
    choices = [Choice(str(each["order_id"]), order(each).replace("**", "")) for each in orders]
    verb = VERBS.get(str(task.intent), "look at")
    return ask_to_pick(f"{lead}Which order do you want to {verb}?", "order", task, choices)


def unknown_thing(task: Task, orders: Sequence[Json]) -> str:
    """What is named with "the" or "my" and is in none of the orders, nor anything general."""
    general = set(manner_data()["general"])
    words = tokens(_without_ids(task.text))
    known = {t for o in orders for i in o["items"] for t in tokens(f"{item(i)}")}
    for place, word in enumerate(words):
        if word in {"the", "my", "these", "those", "this", "that"}:
            after = words[place + 1 : place + 4]
            noun = [*takewhile(lambda each: each not in general and _is_noun(each), after)]
            if noun and not known & {*noun}:
                return " ".join(noun)
    return ""


def _is_noun(word: str) -> bool:
    return word[0].isalpha() and "'" not in word
