"""Finding the orders and items that a request speaks of, among those that were read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from agent.clerk.remembering import Json
from agent.clerk.retail.matching import matches, named_as, speaks_of
from agent.clerk.retail.memory import Memory
from agent.clerk.retail.reading import all_orders, read_order, readable
from agent.clerk.retail.requests import Intent, Request, Thing
from agent.clerk.retail.wording import a, item, options, order, order_short
from agent.clerk.steps import Ask, Call, Choice, Settled, Tell
from agent.clerk.wording import joined, numbered

_ALLOWED = {
    Intent.CANCEL: ("pending",),
    Intent.RETURN: ("delivered",),
    Intent.SWAP: ("pending", "delivered"),
    Intent.PAYMENT: ("pending", "pending (item modified)"),
    Intent.ORDER_ADDRESS: ("pending", "pending (item modified)"),
}
_WHY = {
    Intent.CANCEL: "only a pending order can be cancelled",
    Intent.RETURN: "only a delivered order can be returned",
    Intent.SWAP: "only items of a pending or a delivered order can be changed",
    Intent.PAYMENT: "the payment method can only be changed while an order is pending",
    Intent.ORDER_ADDRESS: "the address can only be changed while an order is pending",
}
VERBS = {
    Intent.CANCEL: "cancel",
    Intent.RETURN: "return",
    Intent.SWAP: "exchange",
    Intent.PAYMENT: "change the payment of",
    Intent.ORDER_ADDRESS: "change the address of",
}
"""How a question names what is to be done with an order."""


@dataclass(frozen=True, slots=True)
class Target:
    """An item of an order that a request is about."""

    thing: Thing
    order: Json
    item: Json


def named_orders(request: Request, memory: Memory) -> list[Json]:
    """The orders a request names by id; Settled with a refusal where one is not the customer's."""
    foreign = [each for each in request.orders if each not in memory.order_ids]
    if foreign:
        own = [each for each in request.orders if each in memory.order_ids]
        if not own:
            raise Settled(_foreign(foreign, request))
    failed = [each for each in request.orders if not readable(memory, each)]
    if failed:
        raise Settled(Tell(f"I can't open order {joined(failed)} right now.", "refused"))
    return [read_order(memory, each) for each in request.orders if each in memory.order_ids]


def _foreign(ids: list[str], request: Request) -> Tell:
    forbidden = None
    if request.intent is Intent.CANCEL and request.reason:
        arguments = {"order_id": ids[0], "reason": "no longer needed"}
        forbidden = Call("cancel_pending_order", arguments, request)
    return Tell(
        f"I don't see {joined(ids)} among your orders, and I can only help with orders on your "
        "own account.",
        "refused",
        forbidden,
    )


def candidates(request: Request, memory: Memory) -> list[Json]:
    """The orders a request can mean, before its items are looked for; newest first."""
    if request.orders:
        return named_orders(request, memory)
    if request.which == "last" and not _named(request):
        return _newest(request, memory)
    if request.which == "last":
        return _newest_with(request, memory)
    orders = all_orders(memory)
    if request.which == "first":
        return orders[-1:]
    return orders


def _newest(request: Request, memory: Memory) -> list[Json]:
    """The last order; with a status named, the last one of that status."""
    for order_id in reversed(memory.order_ids):
        found = read_order(memory, order_id)
        if request.status is None or found["status"].startswith(request.status):
            return [found]
    return []


def _newest_with(request: Request, memory: Memory) -> list[Json]:
    """The last order that has what the request names; all of them where none has."""
    seen = []
    for order_id in reversed(memory.order_ids):
        found = read_order(memory, order_id)
        seen.append(found)
        if any(matches(thing, found) for thing in request.things if thing.noun or thing.item_id):
            return [found]
    return seen


def _named(request: Request) -> bool:
    return any(thing.noun or thing.item_id for thing in request.things)


def allowed(request: Request, record: Json) -> bool:
    """Whether an order's status lets the request be carried out."""
    status = record["status"]
    if request.status in {"pending", "delivered"} and request.intent is Intent.SWAP:
        return bool(status == request.status)
    return status in _ALLOWED.get(request.intent or Intent.ITEM, ()) if request.intent else True


def refuse_status(request: Request, orders: list[Json]) -> Tell:
    """Why none of these orders can be acted on."""
    assert request.intent is not None
    why = _WHY[request.intent]
    if not orders:
        return Tell(f"I found no order on your account for that; {why}.", "refused")
    if len(orders) > 3:
        return Tell(f"None of your orders can be used for that: {why}.", "refused")
    states = joined(f"{order_short(each)} is {each['status']}" for each in orders)
    hint = ""
    if request.intent is Intent.RETURN and orders[0]["status"] == "pending":
        hint = " A pending order can be cancelled or changed instead."
    if orders[0]["status"] == "pending (item modified)":
        why = "once its items were modified an order cannot be modified or cancelled again"
    return Tell(f"I can't do that: order {states}, and {why}.{hint}", "refused")


def locate(request: Request, memory: Memory) -> list[Target]:
    """Every open item of a request in its order; Settled with the question that is in the way."""
    pool = candidates(request, memory)
    waiting = [thing for thing in request.things if not thing.settled]
    found: list[Target] = []
    for thing in sorted(waiting, key=lambda each: not (each.noun or each.item_id)):
        found += _locate_one(request, thing, pool, found)
    return found


def _locate_one(
    request: Request, thing: Thing, pool: list[Json], found: list[Target]
) -> list[Target]:
    named = named_as(request, thing, pool)
    fitting = [each for each in pool if matches(named, each)]
    if request.written and not [
        o for o in fitting if o["order_id"] not in request.written and allowed(request, o)
    ]:
        return []
    if not fitting:
        raise Settled(_not_found(request, thing, pool))
    usable = [
        each
        for each in fitting
        if allowed(request, each) and each["order_id"] not in request.written
    ]
    if not usable:
        raise Settled(refuse_status(request, fitting))
    if not thing.every:
        usable = [_one_order(request, thing, usable, found)]
    return [
        Target(thing, record, each)
        for record in usable
        for each in _one_item(request, thing, named, record)
    ]


def _not_found(request: Request, thing: Thing, pool: list[Json]) -> Tell:
    what = f"item {thing.item_id}" if thing.item_id else f"{thing.words} {thing.noun}".strip()
    where = order_short(pool[0]) if len(pool) == 1 else "your orders"
    place = f"in order {where}" if len(pool) == 1 else f"in {where}"
    return Tell(
        f"I don't find {a(what)} {place}." if thing.noun else f"I don't find {what} {place}.",
        "refused",
    )


def _one_order(request: Request, thing: Thing, usable: list[Json], found: list[Target]) -> Json:
    if len(usable) == 1 or request.which == "last":
        return usable[0]
    shared = [each for each in usable for t in found if t.order["order_id"] == each["order_id"]]
    if shared:
        return shared[0]
    others = [t for t in request.things if t is not thing and (t.noun or t.item_id)]
    together = [each for each in usable if others and all(matches(t, each) for t in others)]
    if len(together) == 1:
        return together[0]
    if not thing.noun and not thing.item_id:
        return _with_likely_item(request, thing, usable)
    text = f"I found more than one order with the {thing.noun or 'item'}. Which one do you mean?"
    raise Settled(ask_order(request, usable, text))


def _with_likely_item(request: Request, thing: Thing, usable: list[Json]) -> Json:
    """The order with the one item that the wish speaks of; else the question which item it is."""
    likely = [
        record for record in usable if any(speaks_of(thing, each) for each in record["items"])
    ]
    if len(likely) == 1 and request.intent is Intent.SWAP:
        return likely[0]
    items = [each for record in usable for each in record["items"]]
    raise Settled(_ask_item(request, thing, items, "Which item"))


def _ask_item(request: Request, thing: Thing, items: list[Json], which: str) -> Ask:
    verb = VERBS.get(request.intent or Intent.SWAP, "change")
    choices = tuple(
        Choice(
            each["item_id"], item(each), {**each["options"], "product": each["name"]}, each["price"]
        )
        for each in items
    )
    text = f"{which} would you like to {verb}?"
    shown = numbered(each.words for each in choices)
    return Ask(f"{text}\n\n{shown}", "item", request, thing, choices)


def ask_order(request: Request, orders: list[Json], text: str) -> Ask:
    """Ask which order, listing those that fit."""
    choices = tuple(Choice(each["order_id"], order_short(each)) for each in orders)
    return Ask(
        f"{text}\n\n{numbered(order(each) for each in orders)}", "order", request, None, choices
    )


def _one_item(request: Request, thing: Thing, named: Thing, record: Json) -> list[Json]:
    items = matches(named, record)
    if thing.every:
        others = [t for t in request.things if t is not thing and (t.noun or t.item_id)]
        taken = [each["item_id"] for t in others for each in matches(t, record)]
        return items if thing.noun else [each for each in items if each["item_id"] not in taken]
    if len({each["item_id"] for each in items}) == 1:
        return items[:1]
    if not thing.noun and request.intent is Intent.SWAP:
        likely = [each for each in items if speaks_of(thing, each)]
        if len({each["item_id"] for each in likely}) == 1:
            return likely[:1]
    ask = _ask_item(request, thing, items, f"Which item in order {record['order_id']}")
    raise Settled(replace(ask, focus=record["order_id"]))


def one_order(request: Request, memory: Memory) -> list[Json]:
    """The orders to act on as a whole: cancel, new address, new payment."""
    pool = candidates(request, memory)
    for thing in request.things:
        if thing.noun or thing.item_id:
            pool = [each for each in pool if matches(thing, each)] or _raise(
                _not_found(request, thing, pool)
            )
    usable = [
        each for each in pool if allowed(request, each) and each["order_id"] not in request.written
    ]
    several = request.which == "all" or len(request.orders) > 1
    if several and (usable or request.written):
        return usable[:1]
    if request.written:
        return []
    if not usable:
        raise Settled(refuse_status(request, pool))
    if len(usable) == 1 or request.which in {"last", "any"}:
        return usable[:1]
    verb = VERBS.get(request.intent or Intent.CANCEL, "change")
    raise Settled(ask_order(request, usable, f"Which order would you like to {verb}?"))


def _raise(step: Tell) -> list[Json]:
    raise Settled(step)


def describe(record: Mapping[str, Any]) -> str:
    """A variant's options and price, to choose by."""
    return f"{options(record)} for ${record['price']:,.2f}"
