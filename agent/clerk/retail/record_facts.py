"""Facts from the records of a customer of the store, each a sentence that can be an answer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from math import prod

from agent.clerk.retail.answers import refund_made
from agent.clerk.retail.dialogue import RetailDialogue
from agent.clerk.retail.item_mentions import OrderItem
from agent.clerk.retail.known_records import RetailRecords
from agent.clerk.retail.orders import order_ids
from agent.clerk.retail.payment_slots import current_method, name_method
from agent.clerk.retail.wording import (
    address,
    item,
    method,
    money,
    options,
    order_short,
    refund_time,
    status_words,
)
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Settled
from agent.clerk.wording import join_parts

_MODIFIED = "pending (item modified)"

_ACTIVE = ("", "cancelled", "processed", "delivered", "pending")
"""The statuses of orders, those last in which most can still be done; others come first."""

_STATES = {
    "pending": "is still pending: it has not been sent yet",
    "processed": "is on its way to you",
    "delivered": "has been delivered",
    "cancelled": "is cancelled",
    "return requested": "has been delivered, and a return from it is requested",
    "exchange requested": "has been delivered, and an exchange from it is requested",
    _MODIFIED: "is pending, and its items have been changed once",
}


def names_in(text: str, dialogue: RetailDialogue) -> tuple[set[str], set[str]]:
    """The items and orders that a text names, and all that there are."""
    records = dialogue.records
    named = {str(each.item["name"]) for each in records.find_named(text)}
    known = {str(each.item["name"]) for each in records.things}
    return named | {*order_ids(text)}, known | {*records.order_ids}


def tell_records(records: RetailRecords) -> Iterator[str]:
    """Yield what is known of the orders that were read, of the profile, and of what is sold."""
    for order in records.orders.values():
        yield from _tell_order(order, records)
    yield from _tell_orders(records)
    yield "I can't see on which day an order was placed: my records have no order dates."
    yield from _tell_profile(records)
    things = sorted(records.things, key=lambda each: _ACTIVE.index(_base(each.order)))
    own = {str(each.item["product_id"]): each for each in things}
    for thing in own.values():
        yield from _tell_variants(thing, records)
    for key, product in records.products.items():
        if key not in own:
            yield from _tell_product(product)
        yield from _tell_range(product)


def _base(order: Json) -> str:
    """The status of an order without what is said in brackets."""
    status = str(order["status"]).split(" (")[0]
    return status if status in _ACTIVE else ""


def _tell_order(order: Json, records: RetailRecords) -> Iterator[str]:
    name, status = order_short(order), str(order["status"])
    yield f"Order {name} {_STATES.get(status, f'has the status {status_words(order)}')}."
    if status == _MODIFIED:
        yield f"Nothing in order {name} can be changed or cancelled any more until it is delivered."
    if status != "cancelled":
        yield from _tell_delivery(order, records)
    how = name_method(records, current_method(order)).split(" (")[0]
    total = sum(float(each["price"]) for each in order["items"])
    if len(order["items"]) > 1:
        each = join_parts(f"{one['name']} {money(one['price'])}" for one in order["items"])
        yield f"Order {order['order_id']} comes to {money(total)} in all: {each}."
    yield f"Order {name} was paid with your {how}."
    if status == "pending" and len(order["payment_history"]) == 1:
        yield from _tell_cancelling(order, total, records)
    with suppress(Settled):  # an exchange is told of once its product was looked up
        yield refund_made(order, records)
    for one in order["items"] if status == "delivered" else ():
        back = money(one["price"])
        yield f"If you return the {item(one)} of order {order['order_id']}, you get {back} back."
    for one in order["items"]:
        yield f"You paid {money(one['price'])} for the {item(one)} in order {order['order_id']}."


def _tell_cancelling(order: Json, total: float, records: RetailRecords) -> Iterator[str]:
    """Yield what cancelling a pending order would bring back, and which gift card is too small."""
    name, paid = order_short(order), current_method(order)
    how = name_method(records, paid).split(" (")[0]
    when = refund_time(records.methods.get(paid))
    yield f"If you cancel order {name}, you get {money(total)} back to your {how}, {when}."
    for key, each in records.methods.items():
        if (
            key != paid
            and not records.changed_gift_card
            and float(each.get("balance", total)) < total
        ):
            yield (
                f"Your gift card, with {money(each['balance'])} on it, can't pay for order {name}: "
                f"it comes to {money(total)}."
            )


def _tell_delivery(order: Json, records: RetailRecords) -> Iterator[str]:
    name, waits = order_short(order), str(order["status"]).startswith(("pending", "processed"))
    if waits:
        yield f"I can't see when order {name} will arrive: there is no delivery date in my records."
    default = (records.user or {}).get("address") == order["address"]
    which = "your default address" if default else "not your default address"
    goes, now = ("goes", " at the moment") if waits else ("went", "")
    yield f"Order {name} {goes} to {address(order['address'])}{now}, which is {which}."
    ids = [number for each in order["fulfillments"] for number in each["tracking_id"]]
    numbers = "numbers of" if len(ids) > 1 else "number of"
    if ids:
        are = "are" if len(ids) > 1 else "is"
        yield f"The tracking {numbers} order {name} {are} {join_parts(ids)}."
    elif waits:
        yield f"There is no tracking number for order {name} yet."


def _tell_orders(records: RetailRecords) -> Iterator[str]:
    known = [records.orders[each] for each in records.order_ids if each in records.orders]
    if len(known) == len(records.order_ids) and known:
        listed = join_parts(f"{order_short(e)}, {status_words(e)}" for e in known)
        yield f"You have {len(known)} order{'s' * (len(known) > 1)}: {listed}."
        yield "It is no problem to have no order number at hand: I see all of yours."
        pending = [each for each in known if str(each["status"]).startswith("pending")]
        if len(known) > 1:
            listed = join_parts(map(order_short, pending))
            yield f"Still pending: {listed}." if pending else "None of your orders is pending."


def _tell_profile(records: RetailRecords) -> Iterator[str]:
    user = records.user or {}
    if not user:
        return
    yield f"Your default address is {address(user['address'])}."
    yield f"The email address in your profile is {user.get('email', 'not on file')}."
    known = not records.changed_gift_card
    methods = join_parts(method(each, balance=known) for each in records.methods.values())
    yield f"The payment methods in your profile: {methods}."
    for key, each in records.methods.items():
        how, when = method(each, key, balance=False), refund_time(each)
        yield f"Money that goes back to your {how} arrives there {when}."
    cards = [each for each in records.methods.values() if each.get("source") == "gift_card"]
    for each in cards if not records.changed_gift_card else ():
        yield f"There is {money(each['balance'])} on your gift card at the moment."
    if not cards:
        yield "There is no gift card in your profile."


def _tell_product(product: Json) -> Iterator[str]:
    """Yield which variants there are of a product that the customer never ordered."""
    for each in product.get("variants", {}).values():
        state = "is in stock" if each["available"] else "is not available at the moment"
        yield f"The {product['name']} in {options(each)} {state}; it costs {money(each['price'])}."


def _tell_range(product: Json) -> Iterator[str]:
    """Yield which options a product comes in, and which of its variants is the cheapest."""
    sold = [each for each in product.get("variants", {}).values() if each["available"]]
    values: dict[str, dict[str, None]] = {}
    for each in sold:
        for option, value in each["options"].items():
            values.setdefault(option, {})[str(value)] = None
    listed = "; ".join(f"{option}: {join_parts(known, 'or')}" for option, known in values.items())
    others = {
        f"{option} {value}": None
        for each in product.get("variants", {}).values()
        for option, value in each["options"].items()
        if str(value) not in values.get(option, ())
    }
    if others:
        yield f"The {product['name']} is not in stock at the moment in {join_parts(others, 'or')}."
    if len(sold) > 1:
        every = prod(map(len, values.values())) == len(sold)
        lowest, highest = (pick(sold, key=lambda e: float(e["price"])) for pick in (min, max))
        some = "" if every else ", but not in every combination"
        yield f"The {product['name']} can be had in {listed}{some}."
        yield (
            f"The cheapest {product['name']} in stock is {options(lowest)} for "
            f"{money(lowest['price'])}, the dearest {options(highest)} for "
            f"{money(highest['price'])}."
        )


def _tell_variants(thing: OrderItem, records: RetailRecords) -> Iterator[str]:
    """Yield what other variants of an item cost, if the product was looked up."""
    own, product = thing.item, records.products.get(str(thing.item["product_id"]), {})
    for other in product.get("variants", {}).values():
        state, price = "is in stock", money(other["price"])
        if not other["available"]:
            state = "is not available at the moment"
        if other["item_id"] == own["item_id"]:
            order = thing.order["order_id"]
            yield f"The {item(own)}, the one in order {order}, costs {price} now and {state}."
            continue
        due = round(float(other["price"]) - float(own["price"]), 2)
        than = f"{money(abs(due))} {'more' if due > 0 else 'less'} than" if due else "the same as"
        which = f"the one in order {thing.order['order_id']}"
        name = f"The {own['name']} in {options(other)}"
        yield f"{name} {state}; it costs {price}, {than} {which}."
