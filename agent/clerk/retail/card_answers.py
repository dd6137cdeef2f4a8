"""Answers to questions about a card for a change of an order or of the profile."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from agent.clerk.card_questions.shared_answers import SHARED_TOPICS, is_yes_or_no, later, not_used
from agent.clerk.card_questions.waiting_card import WaitingCard, as_sentence
from agent.clerk.retail.intent_data import tells
from agent.clerk.retail.item_mentions import OrderItem, items_of, named_items
from agent.clerk.retail.payment_slots import kinds, name_method, original_method
from agent.clerk.retail.wording import address, item, money, order_short, refund_time
from agent.clerk.state.records import Json
from agent.clerk.understanding.tokens import has, tokens
from agent.clerk.wording import join_parts

CANCEL, OF_PROFILE = "cancel_pending_order", "modify_user_address"
_NO_MONEY = "As far as the card says, no money is moved by this."
_PLACED_ORDERS = "Orders already placed keep their address."
_STILL = {
    "modify_pending_order_payment": (
        "The order stays pending: its items and its address can still be changed, or it can be "
        "cancelled."
    ),
    "modify_pending_order_address": (
        "The order stays pending: it can still be changed again, or cancelled."
    ),
    "modify_pending_order_items": (
        "Once it has been delivered, items can be returned or exchanged."
    ),
    OF_PROFILE: "The default address can be changed again at any time.",
}
"""What will still be possible, by the tool."""


def _order(card: WaitingCard) -> Json | None:
    found: Json | None = card.records.orders.get(str(card.arguments.get("order_id")))
    return found


def _method(card: WaitingCard) -> str:
    """The id of the payment method that is charged or refunded."""
    order = _order(card)
    paid = original_method(order) if order else ""
    return str(card.arguments.get("payment_method_id") or paid)


def _named(card: WaitingCard) -> list[OrderItem]:
    """The items that the question mentions."""
    return named_items(card.question, items_of(card.records.orders.values()))


def _when(card: WaitingCard) -> str:
    words = tokens(card.question)
    if tells(words, "arriving") and not tells(words, "money"):
        return ""
    lines = card.after(r"\b(?:days?|at once|once they|immediately|no money)\b")
    method_id = _method(card)
    if lines or (card.moves_money and method_id not in card.records.methods):
        return as_sentence(lines)
    if not card.moves_money:
        return _NO_MONEY
    when = refund_time(card.records.methods[method_id])
    return f"You get the money back on your {name_method(card.records, method_id)} {when}."


def _payment(card: WaitingCard) -> str:
    if not card.moves_money:
        return _NO_MONEY
    method_id = _method(card)
    if not method_id:
        return ""
    named, asked = name_method(card.records, method_id), kinds(card.question)
    if not asked or not is_yes_or_no(card.question):
        return f"That is your {named}. {not_used(card, ('gift', 'other', 'paypal'))}".strip()
    return f"{'Yes' if {*asked} & {*kinds(named)} else 'No'}: it is your {named}."


def _contents(card: WaitingCard) -> str:
    """What the order holds, and whether the change is about all of it."""
    order = _order(card)
    if has(tokens(card.question), "profile", "default") and "address1" in card.arguments:
        return _address(card)
    if order is None:
        return ""
    parts = [f"{each['name']} ({money(each['price'])})" for each in order["items"]]
    told = f"Order {order['order_id']} holds: {join_parts(parts)}."
    given = card.arguments.get("item_ids")
    if not isinstance(given, list):
        return f"{told} This is about the whole order."
    names = [e["name"] for e in order["items"] if e["item_id"] in given]
    return f"{told} This is about the {join_parts(names)} only."


def _others(card: WaitingCard) -> str:
    """What else stays as it is."""
    if _named(card):
        return _keep(card)
    if card.tool == OF_PROFILE:
        return _PLACED_ORDERS
    order = card.arguments.get("order_id")
    return f"Only order {order} is changed. Your other orders and your profile stay as they are."


def _arrival(card: WaitingCard) -> str:
    """Whether the mentioned items, or else this order, are still delivered, and to where."""
    words = tokens(card.question)
    if tells(words, "asks when"):
        return ""
    if card.tool == OF_PROFILE:
        return _PLACED_ORDERS if has(words, "order", "orders", "still") else _address(card)
    orders = {str(each.order["order_id"]): each.order for each in _named(card)}
    own = _order(card)
    if not orders and own and (tells(words, "this order") or "address" in words):
        orders = {str(own["order_id"]): own}
    kept = [_keeps(card, each) for each in _named(card)]
    told = [_arrives(card, *each) for each in orders.items()]
    return " ".join(dict.fromkeys(filter(None, [*kept, *told])))


def _arrives(card: WaitingCard, order_id: str, order: Json) -> str:
    status = str(order["status"])
    goes = f" and goes to {address(order['address'])}" if status.startswith("pending") else ""
    if order_id != card.arguments.get("order_id"):
        return f"This changes nothing about order {order_id}, which is {status}{goes}."
    order_id = order_short(order)
    if card.tool == CANCEL:
        return f"Order {order_id} would be cancelled, and none of it would be shipped."
    if "address1" in card.arguments:
        goes = f" and goes to {address(card.arguments)}"
    goes = goes.removeprefix(" and ")
    return f"Order {order_id} {goes}." if goes else f"Order {order_id} is already {status}."


def _address(card: WaitingCard) -> str:
    """The address on the card, or else that of the order, and whether it is the default one."""
    order, default = _order(card), (card.records.user or {}).get("address")
    if card.tool == OF_PROFILE:
        return f"The new address would be {address(card.arguments)}. {_before(card)}"
    if order is None or card.tool == CANCEL:
        return _arrival(card)
    new = card.arguments if "address1" in card.arguments else order["address"]
    if default and address(new) == address(default):
        return f"It is your default address, {address(new)}."
    return f"It is {address(new)}, which is not your default address. {_before(card)}".strip()


def _before(card: WaitingCard) -> str:
    """The state that the change replaces: an address, a payment method, or items."""
    if "address1" in card.arguments:
        record = card.records.user if card.tool == OF_PROFILE else _order(card)
        return f"At the moment it is {address(record['address'])}." if record else ""
    order = _order(card)
    if card.tool == "modify_pending_order_payment" and order is not None:
        return f"It is paid with your {name_method(card.records, original_method(order))} now."
    return as_sentence(_item_lines(card))


def _item_lines(card: WaitingCard) -> list[str]:
    """The effects that say what an item is now and what it becomes."""
    return [line for line in card.after("→") if not line.startswith("order #")]


def _new_one(card: WaitingCard) -> str:
    """What the item becomes; if it stays the same item, what it is."""
    order, given = _order(card), card.arguments.get("item_ids")
    if _item_lines(card):
        return as_sentence(_item_lines(card))
    items = order["items"] if order else []
    meant = [e for e in items if not isinstance(given, list) or e["item_id"] in given]
    return as_sentence([item(each) for each in meant])


def _keep(card: WaitingCard) -> str:
    """Whether the mentioned items stay as they are; without any, what else does."""
    named = _named(card)
    if named:
        return " ".join(dict.fromkeys(filter(None, (_keeps(card, each) for each in named))))
    return _arrival(card) if "address1" in card.arguments else _others(card)


def _keeps(card: WaitingCard, thing: OrderItem) -> str:
    name, order_id = thing.item["name"], str(thing.order["order_id"])
    if order_id != card.arguments.get("order_id"):
        return f"This changes nothing about the {name} in order {order_id}."
    if card.tool == CANCEL:
        return f"Order {order_id} would be cancelled, including the {name}."
    given = card.arguments.get("item_ids")
    if not isinstance(given, list):
        return ""
    held = [str(each["item_id"]) for each in thing.order["items"]].count(thing.id)
    if not given.count(thing.id):
        return f"The {name} stays as it is."
    return f"The {name} is part of this." if given.count(thing.id) == held else ""


def _balance(card: WaitingCard) -> str:
    """The current balance of the gift cards, and how the change affects it."""
    methods = card.records.methods.values()
    held = [money(float(e["balance"])) for e in methods if e.get("source") == "gift_card"]
    if not held:
        return "There is no gift card on your profile."
    then = as_sentence(card.after("gift card")) or "This changes nothing about it."
    return f"Your gift card balance is {join_parts(held)} now. {then}"


CARD_TOPICS: Mapping[str, Callable[[WaitingCard], str]] = {
    **SHARED_TOPICS,
    "later": lambda card: later(card, _STILL),
    "when": _when,
    "payment": _payment,
    "contents": _contents,
    "others": _others,
    "keep": _keep,
    "arrival": _arrival,
    "address": _address,
    "before": _before,
    "new_one": _new_one,
    "balance": _balance,
}
