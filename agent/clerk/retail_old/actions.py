"""From a request that changes records to its tool call, question or refusal."""

from __future__ import annotations

from dataclasses import replace

from agent.clerk.remembering import Json
from agent.clerk.retail.locating import (
    VERBS,
    Target,
    allowed,
    candidates,
    locate,
    one_order,
    refuse_status,
)
from agent.clerk.retail.matching import matches
from agent.clerk.retail.memory import Memory
from agent.clerk.retail.paying import new_method, original_method, refund_method
from agent.clerk.retail.requests import Intent, Request, Thing
from agent.clerk.retail.wording import item, method, money, order_short, refund_time
from agent.clerk.steps import Ask, Call, Settled, Tell
from agent.clerk.wording import joined, listed

REASONS = ("no longer needed", "ordered by mistake")


def cancel(request: Request, memory: Memory) -> Call | Ask | Tell:
    """Cancel pending orders as a whole."""
    orders = one_order(request, memory)
    if not orders:
        return _cancelled(request, memory)
    if request.reason == "none":
        return Tell(
            f"Then I can't cancel it: order {order_short(orders[0])} stays as it is.", "refused"
        )
    partial = _part_only(request, orders[0])
    if partial:
        return partial
    if request.reason not in REASONS:
        return _ask_reason(request, orders[0])
    arguments = {"order_id": orders[0]["order_id"], "reason": request.reason}
    return Call("cancel_pending_order", arguments, request)


def _part_only(request: Request, record: Json) -> Tell | None:
    """A single item cannot be cancelled out of an order."""
    named = [
        each
        for thing in request.things
        for each in matches(thing, record)
        if thing.noun or thing.item_id
    ]
    whole = "order" in request.text.split(" in ")[0].split(" from ")[0] or request.everything
    if not named or len(record["items"]) == len(named) or whole:
        return None
    return Tell(
        f"I can't cancel just the {joined(each['name'] for each in named)}: order "
        f"{order_short(record)} can only be cancelled as a whole. I could cancel the whole order, "
        "or change the item to another option of the same product.",
        "refused",
    )


def _ask_reason(request: Request, record: Json) -> Ask:
    text = (
        f"Why would you like to cancel order {order_short(record)}: is it **no longer needed**, "
        "or was it **ordered by mistake**?"
    )
    forbidden = None
    if request.reason == "other":
        text = (
            "I can only cancel an order for one of two reasons: it is **no longer needed**, or it "
            f"was **ordered by mistake**. Does one of them apply to order {order_short(record)}?"
        )
        forbidden = Call(
            "cancel_pending_order", {"order_id": record["order_id"], "reason": REASONS[0]}, request
        )
    return Ask(text, "reason", request, forbidden=forbidden, focus=record["order_id"])


def _cancelled(request: Request, memory: Memory) -> Tell:
    lines = []
    for order_id in request.written:
        record = memory.orders.get(order_id)
        if record is None:
            lines.append(f"Order {order_id} is cancelled.")
            continue
        paid = original_method(record)
        total = sum(each["price"] for each in record["items"])
        how = memory.methods.get(paid)
        lines.append(
            f"Order {order_short(record)} is cancelled; {money(total)} goes back to your "
            f"{_bare(method(how, paid))} {refund_time(how)}."
        )
    return Tell("\n".join(lines), "done")


def _bare(text: str) -> str:
    return text.split(" (balance")[0]


def give_back(request: Request, memory: Memory) -> Call | Ask | Tell:
    """Return items of delivered orders, one order at a time."""
    picked = _returned_items(request, memory)
    if picked is None:
        return _returned(request, memory)
    record, items, things = picked
    method_id = refund_method(request, memory, record)
    arguments = {
        "order_id": record["order_id"],
        "item_ids": [each["item_id"] for each in items],
        "payment_method_id": method_id,
    }
    return Call("return_delivered_order_items", arguments, request, things)


def _returned_items(
    request: Request, memory: Memory
) -> tuple[Json, list[Json], tuple[Thing, ...]] | None:
    whole = request.everything or not any(t.noun or t.item_id for t in request.things)
    if whole and _order_named(request):
        orders = _whole_order(request, memory)
        if not orders:
            return None
        kept = [each["item_id"] for t in request.excepted for each in matches(t, orders[0])]
        return orders[0], [i for i in orders[0]["items"] if i["item_id"] not in kept], ()
    if whole:
        return _ask_what(request, memory)
    if request.written and not [t for t in request.things if not t.settled]:
        return None
    targets = _first_order(locate(request, memory))
    return targets[0].order, [t.item for t in targets], tuple(t.thing for t in targets)


def _whole_order(request: Request, memory: Memory) -> list[Json]:
    """The order that is returned as a whole, whatever items were named besides."""
    try:
        return one_order(replace(request, things=[], text=""), memory)
    except Settled as settled:
        step = settled.step
        raise Settled(replace(step, request=request) if isinstance(step, Ask) else step) from None


def _order_named(request: Request) -> bool:
    return bool(
        request.orders
        or request.which in {"last", "first", "all"}
        or request.everything
        or request.written
    )


def _ask_what(request: Request, memory: Memory) -> tuple[Json, list[Json], tuple[Thing, ...]]:
    usable = [each for each in candidates(request, memory) if allowed(request, each)]
    if not usable:
        raise Settled(refuse_status(request, candidates(request, memory)))
    if len(usable) == 1 and len(usable[0]["items"]) == 1:
        return usable[0], list(usable[0]["items"]), ()
    thing = request.things[0] if request.things else Thing()
    lines = listed(
        f"{each['order_id']}: {joined(item(i) for i in each['items'])}" for each in usable
    )
    verb = VERBS.get(request.intent or Intent.RETURN, "change")
    raise Settled(Ask(f"Which items would you like to {verb}?\n\n{lines}", "what", request, thing))


def _first_order(targets: list[Target]) -> list[Target]:
    """The targets in the first target's order: one call can only be about one order."""
    return [each for each in targets if each.order["order_id"] == targets[0].order["order_id"]]


def _returned(request: Request, memory: Memory) -> Tell:
    lines = []
    for order_id in request.written:
        record = memory.orders.get(order_id) or {}
        ids = list(record.get("return_items") or [])
        items = [next((i for i in record["items"] if i["item_id"] == each), None) for each in ids]
        named = [each for each in items if each is not None]
        total = sum(each["price"] for each in named)
        back = str(record.get("return_payment_method_id") or "")
        how = memory.methods.get(back)
        lines.append(
            f"The return of {joined(each['name'] for each in named) or 'your items'} (order "
            f"{order_id}) is requested; {money(total)} goes to your {_bare(method(how, back))} "
            f"{refund_time(how)} after the return. "
            "You'll get an email on how to send the items back."
        )
    return Tell("\n".join(lines), "done")


def payment(request: Request, memory: Memory) -> Call | Ask | Tell:
    """Change what a pending order is paid with."""
    orders = one_order(request, memory)
    if not orders:
        return _repaid(request, memory)
    method_id = new_method(request, memory, orders[0])
    arguments = {"order_id": orders[0]["order_id"], "payment_method_id": method_id}
    return Call("modify_pending_order_payment", arguments, request)


def _repaid(request: Request, memory: Memory) -> Tell:
    lines = []
    for order_id in request.written:
        history = (memory.orders.get(order_id) or {}).get("payment_history") or []
        paid = next(
            (
                e["payment_method_id"]
                for e in reversed(history)
                if e["transaction_type"] == "payment"
            ),
            "",
        )
        old = next(
            (
                e["payment_method_id"]
                for e in reversed(history)
                if e["transaction_type"] == "refund"
            ),
            "",
        )
        how = memory.methods.get(old)
        lines.append(
            f"Order {order_id} is now paid with your "
            f"{_bare(method(memory.methods.get(paid), paid))}; what you paid before "
            f"goes back to your {_bare(method(how, old))} {refund_time(how)}."
        )
    return Tell("\n".join(lines), "done")
