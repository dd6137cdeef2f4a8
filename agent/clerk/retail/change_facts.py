"""Facts about a change at the store, proposed or made, each a sentence that can be an answer."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from agent.clerk.questions.state_facts import SENDS_BACK, UNTOUCHED
from agent.clerk.retail.known_records import RetailRecords
from agent.clerk.retail.money_facts import CANCEL, EXCHANGE, MODIFY, MOVE, REPAY, RETURN, tell_money
from agent.clerk.retail.payment_slots import LEAST, ids_in
from agent.clerk.retail.wording import (
    address,
    item,
    money,
    options,
    order_short,
    status_words,
)
from agent.clerk.state.records import Json, RecordedCall
from agent.clerk.state.steps import Call
from agent.clerk.wording import join_parts

OF_PROFILE = "modify_user_address"

_FINAL = {CANCEL: "The cancellation", RETURN: "The return", EXCHANGE: "The exchange"}
"""What is final once it was made."""

_NO_DELIVERY = (
    "Whether this changes when order {} arrives I can't tell: there is no delivery date in my "
    "records."
)


def tell_change(change: Call | RecordedCall, records: RetailRecords, made: bool) -> Iterator[str]:
    """Yield what a change that is proposed, or was ``made``, does and what it leaves as it is."""
    order = records.original_orders.get(str(change.arguments.get("order_id")))
    if change.name == OF_PROFILE:
        yield from _tell_default_address(change, records)
    elif order is not None:
        yield from _tell_items(change, order, records, made=made)
        yield from _tell_address(change, order, records, made=made)
        yield from tell_money(change, order, records, made=made)
    if not made:
        yield from _tell_others(change, records)


def _tell_default_address(change: Call | RecordedCall, records: RetailRecords) -> Iterator[str]:
    before = (records.original_user or records.user or {}).get("address")
    yield f"Your new default address is {address(change.arguments)}."
    if before:
        yield f"Your default address was {address(before)} before this."
    yield "Only the default address in your profile is changed: email and payment methods stay."
    waiting = [e for e in records.orders.values() if str(e["status"]).startswith("pending")]
    for each in waiting:
        where = address(each["address"])
        yield f"This does not move order {order_short(each)}: it still goes to {where}."
        yield (
            f"Order {order_short(each)} can be sent to the new address too, as it is pending: "
            "that is a change of its own, so tell me if you want it."
        )
    yield "Orders that are already placed keep the address that they have."


def _tell_items(
    change: Call | RecordedCall, order: Json, records: RetailRecords, *, made: bool
) -> Iterator[str]:
    ids, name, key = ids_in(change, "item_ids"), order_short(order), order["order_id"]
    meant = [each for each in order["items"] if not ids or each["item_id"] in ids]
    kept = [each for each in order["items"] if ids and each["item_id"] not in ids]
    if change.name == CANCEL:
        yield f"None of order {name} is sent once it is cancelled: that covers the whole order."
        yield "A cancellation covers the whole order: no single item can be kept or cancelled."
    if change.name in {RETURN, EXCHANGE}:
        yield from _tell_giving_back(change.name, meant, made=made)
    for old, new in zip(meant, ids_in(change, "new_item_ids"), strict=False):
        yield from _tell_swap(old, new, records, made=made)
    if change.name == MODIFY:
        yield "There is nothing to send back: the order has not been sent yet."
    if change.name in {MODIFY, MOVE, REPAY}:
        yield _NO_DELIVERY.format(name)
    for each in kept:
        yield f"The {item(each)} of order {key} is not part of this: it stays as it is."
        yield from _tell_last_chance(change.name, each["name"], made=made)
    if not kept:
        things = join_parts(f"the {each['name']}" for each in meant)
        yield f"That is everything in order {key}: nothing is in it but {things}."
    if made and change.name in _FINAL:
        yield f"{_FINAL[change.name]} of order {name} can't be undone or changed any more."


def _tell_giving_back(tool: str, meant: list[Json], *, made: bool) -> Iterator[str]:
    """Yield what has to be sent back, and how that goes."""
    if tool == RETURN:
        yield f"You send back the {join_parts(map(item, meant))}."
    yield SENDS_BACK
    yield "There is no deadline in my rules for sending it back."
    if tool == EXCHANGE:
        for each in meant if not made else ():
            yield f"If you return the {each['name']} instead, you get {money(each['price'])} back."
        yield "I can't see when the new one is sent, or whether the old one has to be back first."
        yield "You don't have to place a new order: the exchange covers both ways."


def _tell_last_chance(tool: str, name: str, *, made: bool) -> Iterator[str]:
    """Yield what becomes impossible for an item that is no part of a change."""
    if tool in {RETURN, EXCHANGE}:
        now = "" if made else ", so it would have to be included now"
        yield (
            f"After this the {name} can't be returned or exchanged any more: everything of an "
            f"order goes together{now}."
        )
    elif tool == MODIFY:
        yield (
            f"After this the {name} can't be changed while the order is pending, as items are "
            "changed only once; after delivery it can be exchanged or returned."
        )


def _tell_swap(old: Json, new_id: str, records: RetailRecords, *, made: bool) -> Iterator[str]:
    product = records.products.get(str(old["product_id"]), {})
    new = product.get("variants", {}).get(new_id)
    if new is None:
        return
    same = {k: v for k, v in new["options"].items() if old["options"].get(k) == v}
    other = {k: v for k, v in new["options"].items() if k not in same}
    changed = join_parts(f"{k} {old['options'].get(k)} becomes {v}" for k, v in other.items())
    yield f"The {old['name']}: {changed}."
    if same:
        stays = join_parts(f"{k} {v}" for k, v in same.items())
        yield f"On the {old['name']} this stays the same: {stays}."
    yield f"What you get as the new {old['name']}: {options(new)}."
    if not made:
        yield from _tell_alternatives(old, new, product)
    due = round(float(new["price"]) - float(old["price"]), 2)
    prices = f"costs {money(new['price'])} and you paid {money(old['price'])} for the old one"
    if abs(due) <= LEAST:
        yield f"The new {old['name']} {prices}, so the price stays the same."
    else:
        pays = f"you pay {money(due)} more" if due > 0 else f"you get {money(-due)} back"
        yield f"The new {old['name']} {prices}, so {pays}."


def _tell_alternatives(old: Json, new: Json, product: Json) -> Iterator[str]:
    """Yield what other variants cost that differ from the new one in one option only."""
    for other in product.get("variants", {}).values():
        differs = [k for k, v in other["options"].items() if new["options"].get(k) != v]
        if len(differs) != 1 or other["options"] == old["options"]:
            continue
        value = other["options"][differs[0]]
        with_ = f"With {differs[0]} {value} instead, so as {options(other)}"
        if not other["available"]:
            yield f"{with_}, the new {old['name']} is not available at the moment."
            continue
        due = round(float(other["price"]) - float(old["price"]), 2)
        more = f"{money(abs(due))} {'more' if due > 0 else 'less'} than" if due else "the same as"
        yield f"{with_}, the new {old['name']} costs {money(other['price'])}, {more} you paid."


def _tell_address(
    change: Call | RecordedCall, order: Json, records: RetailRecords, *, made: bool
) -> Iterator[str]:
    default = (records.user or {}).get("address")
    now = records.orders.get(str(order["order_id"]), order)
    name, here = order_short(order), address((order if made else now)["address"])
    if change.name == MOVE:
        yield f"With this, order {name} goes to {address(change.arguments)}."
        yield f"Before this, order {name} was to go to {here}."
        if len(order["items"]) > 1:
            things = join_parts(f"the {each['name']}" for each in order["items"])
            yield f"All of the order goes to that address: {things}."
        if default:
            yield f"Your default address is not changed by this: it stays {address(default)}."
    elif change.name in {MODIFY, REPAY}:
        yield f"The address stays as it is: order {name} goes to {address(now['address'])}."


def tell_untouched(changed: Collection[str], records: RetailRecords) -> Iterator[str]:
    """Yield which orders stand as they did before this conversation."""
    for key, each in records.orders.items():
        if key not in changed:
            state = status_words(each)
            yield f"{UNTOUCHED} order {order_short(each)}: it is {state}."


def _tell_others(change: Call | RecordedCall, records: RetailRecords) -> Iterator[str]:
    """Yield what becomes of the other orders: nothing."""
    own = change.arguments.get("order_id")
    others = [each for key, each in records.orders.items() if key != own]
    for each in others if change.name != OF_PROFILE else ():
        held = join_parts(item(one) for one in each["items"])
        where = f"order {each['order_id']} ({held}), which is {status_words(each)}"
        yield f"This changes nothing about {where}."
    if change.name != OF_PROFILE:
        yield "Your other orders and your profile stay as they are."
