"""Exchanging items of a delivered order, or modifying items of a pending one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from agent.clerk.remembering import Json
from agent.clerk.retail.language import means, noun_pattern, pattern
from agent.clerk.retail.locating import Target, describe, locate
from agent.clerk.retail.matching import wishes_of
from agent.clerk.retail.memory import Memory
from agent.clerk.retail.options import Found, choose, fulfilled
from agent.clerk.retail.paying import choose_method
from agent.clerk.retail.reading import all_orders
from agent.clerk.retail.requests import Request, Thing
from agent.clerk.retail.values import Variant
from agent.clerk.retail.wording import item, method, money, options
from agent.clerk.steps import Ask, Call, Choice, Settled, Tell
from agent.clerk.wording import joined, listed, numbered

_CLOSEST = 6
"""Variants that are offered where what was wished cannot be had."""


@dataclass(frozen=True, slots=True)
class Pair:
    """An item and the variant it becomes."""

    thing: Thing
    old: Json
    new: Json


def swap(request: Request, memory: Memory) -> Call | Ask | Tell:
    """Exchange or modify, one order at a time, all items of an order in one call."""
    if request.written and not [t for t in request.things if not t.settled]:
        return _swapped(request, memory)
    if not request.things:
        return Ask(
            "What would you like to change? I can change the items, the address or the payment "
            "method of a pending order, and exchange items of a delivered one.",
            "what",
            request,
        )
    targets = locate(request, memory)
    if not targets:
        return _swapped(request, memory)
    record = targets[0].order
    pairs = [_pair(request, each, memory) for each in targets if each.order is record]
    found = [each for each in pairs if each is not None]
    if not found:
        return _left(request, targets, record)
    return _call(
        request, memory, record, found, tuple(t.thing for t in targets if t.order is record)
    )


def _call(
    request: Request, memory: Memory, record: Json, pairs: list[Pair], things: tuple[Thing, ...]
) -> Call:
    due = sum(each.new["price"] - each.old["price"] for each in pairs)
    pending = record["status"] == "pending"
    arguments = {
        "order_id": record["order_id"],
        "item_ids": [each.old["item_id"] for each in pairs],
        "new_item_ids": [each.new["item_id"] for each in pairs],
        "payment_method_id": choose_method(request, memory, record, round(due, 2)),
    }
    name = "modify_pending_order_items" if pending else "exchange_delivered_order_items"
    return Call(name, arguments, request, things)


def _left(request: Request, targets: list[Target], record: Json) -> Tell:
    """Nothing can become what was wished, and the customer said to leave it then."""
    names = joined(each.item["name"] for each in targets if each.order is record)
    return Tell(
        f"What you asked for is not available for the {names}, so I've left it as it is.", "refused"
    )


def variants_of(product_id: str, memory: Memory) -> Json:
    """A product as last read; Settled with the look-up while it was not."""
    found = memory.products.get(product_id)
    if found is None:
        call = Call("get_product_details", {"product_id": product_id})
        if any(
            key.startswith(f'get_product_details:{{"product_id": "{product_id}"')
            for key in memory.failed
        ):
            raise Settled(Tell("I can't open that product right now.", "refused"))
        raise Settled(call)
    return found


def _pair(request: Request, target: Target, memory: Memory) -> Pair | None:
    """What an item becomes; None where it is to be left out; Settled with a question if unclear."""
    thing, old = target.thing, target.item
    product = variants_of(old["product_id"], memory)
    variants = list(product["variants"].values())
    wishes = [_borrowed(each, target, memory) for each in wishes_of(thing, old)]
    _same_type(request, target, wishes[0])
    found = choose(wishes[0], variants, old)
    for wish in wishes[1:]:
        if len(found.choices) == 1:
            break
        later = choose(f"{wishes[0]}\n{wish}", variants, old)
        found = later if later.choices or later.near else found
    if len(found.choices) == 1:
        return Pair(thing, old, dict(found.choices[0]))
    if not found.choices and (thing.may_drop or (found.same and thing.every)):
        return None
    raise Settled(_unclear(request, target, found, variants))


def _borrowed(wish: str, target: Target, memory: Memory) -> str:
    """Read "the same type as the one I already have" as the value of that other item."""
    hit = pattern("as_other").search(wish)
    if hit is None:
        return wish
    others = [
        each
        for record in all_orders(memory)
        for each in record["items"]
        if each["product_id"] == target.item["product_id"]
        and each["item_id"] != target.item["item_id"]
    ]
    values = [
        str(v) for o in others[:1] for k, v in o["options"].items() if k.lower() in hit.group(1)
    ]
    return f"{wish[: hit.start()]} {' '.join(values)} {wish[hit.end() :]}" if values else wish


def _same_type(request: Request, target: Target, wish: str) -> None:
    """An item only becomes another variant of the same product."""
    for hit in noun_pattern().finditer(wish):
        noun, name = hit.group(), target.item["name"]
        if means(noun, name) or any(
            str(v).lower() in noun or noun in str(v).lower()
            for v in target.item["options"].values()
        ):
            continue
        before = wish[: hit.start()]
        if (
            not before.rstrip().endswith(
                (" a", " an", "for", "to", " the", "into", " one", " some")
            )
            and before.strip()
        ):
            continue
        if noun in " ".join(target.item["options"]).lower() or noun in {"light", "lights", "desk"}:
            continue
        raise Settled(
            Tell(
                f"I can't change the {name} into a {noun}: an item can only be swapped for another "
                "option of the same product.",
                "refused",
            )
        )


def _unclear(request: Request, target: Target, found: Found, variants: list[Json]) -> Ask | Tell:
    """Why a wish does not name one variant, and what can be had."""
    old, name = target.item, target.item["name"]
    open_ = [v for v in variants if v["available"] and v["item_id"] != old["item_id"]]
    if found.same:
        return _same(request, target)
    if not open_:
        return Tell(f"No other option of the {name} is available at the moment.", "refused")
    if not found.understood:
        text = f"Your {item(old)} can be changed for one of these. Which would you like?"
        return _offer(request, target, open_, text)
    if found.choices:
        text = f"There is more than one {name} like that. Which one would you like?"
        return _offer(request, target, found.choices, text)
    impossible = request.otherwise or request.give_up
    if found.near and not impossible:
        text = f"There is no {name} with everything else the same. The closest ones available are:"
        return _offer(request, target, found.near, text)
    gone = (
        f"{options(found.sold_out[0])} is sold out" if found.sold_out else "no such option exists"
    )
    text = f"I can't offer that {name} ({gone})."
    if impossible:
        return Tell(text, "refused")
    closest = _closest_first(open_, target)[:_CLOSEST]
    return _offer(request, target, closest, f"{text} These come closest; would you like one?")


def _same(request: Request, target: Target) -> Tell:
    """An exchange for the very same item, which the tool would do and policy forbids."""
    old, record = target.item, target.order
    forbidden = None
    if record["status"] == "delivered":
        history = record["payment_history"]
        arguments = {
            "order_id": record["order_id"],
            "item_ids": [old["item_id"]],
            "new_item_ids": [old["item_id"]],
            "payment_method_id": history[0]["payment_method_id"] if history else "",
        }
        forbidden = Call("exchange_delivered_order_items", arguments, request, (target.thing,))
    return Tell(
        f"I can't exchange the {item(old)} for the very same item: it has to be a different option "
        f"of the {old['name']}. I can return it instead, or exchange it for another option.",
        "refused",
        forbidden,
    )


def _likeness(variant: Variant, old: Json) -> int:
    return sum(str(old["options"].get(k)) == str(v) for k, v in variant["options"].items())


def _closest_first(variants: Iterable[Variant], target: Target) -> list[Variant]:
    """Variants by how much of the wish they fulfil, then by likeness to the item, then by price."""
    every, old = list(variants), target.item
    wish = wishes_of(target.thing, old)[0]
    return sorted(
        every, key=lambda v: (-fulfilled(wish, v, every, old), -_likeness(v, old), v["price"])
    )


def _offer(request: Request, target: Target, variants: Iterable[Variant], text: str) -> Ask:
    """Ask which of these variants it should be, the closest first."""
    variants = _closest_first(variants, target)
    choices = tuple(
        Choice(v["item_id"], describe(v), dict(v["options"]), v["price"]) for v in variants
    )
    return Ask(
        f"{text}\n\n{numbered(each.words for each in choices)}",
        "wish",
        request,
        target.thing,
        choices,
        focus=target.order["order_id"],
    )


def _swapped(request: Request, memory: Memory) -> Tell:
    lines = []
    for order_id in request.written:
        record = memory.orders.get(order_id) or {}
        if record.get("exchange_new_items"):
            diff = float(record.get("exchange_price_difference") or 0)
            lines.append(
                f"The exchange in order {order_id} is requested; "
                f"{_money_moves(diff, record, memory)}. You'll get an email on how to "
                "send the old items back; there is no need to place a new order."
            )
        else:
            now = listed(item(each) for each in record.get("items", []))
            lines.append(f"Order {order_id} is changed. It now has:\n\n{now}")
    return Tell("\n".join(lines) or "That is done.", "done")


def _money_moves(diff: float, record: Json, memory: Memory) -> str:
    chosen = str(record.get("exchange_payment_method_id") or "")
    how = method(memory.methods.get(chosen), chosen).split(" (balance")[0]
    if diff > 0.005:
        return f"the price difference of {money(diff)} will be charged to your {how}"
    if diff < -0.005:
        return f"the price difference of {money(-diff)} will be refunded to your {how}"
    return "there is no price difference"
