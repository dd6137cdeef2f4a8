"""Answers to questions about a card for a change of an order or of the profile."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from agent.clerk.card_questions import TOPICS, WaitingCard, sentence
from agent.clerk.retail.intent_data import DATA, tells
from agent.clerk.retail.item_mentions import OrderItem, items_of, named_items
from agent.clerk.retail.payment_slots import name_method, original_method
from agent.clerk.retail.wording import address, money, refund_time
from agent.clerk.state.records import Json
from agent.clerk.understanding.tokens import has, tokens
from agent.clerk.wording import join_parts

CANCEL, OF_PROFILE = "cancel_pending_order", "modify_user_address"
_NO_MONEY = "As far as the card says, no money is moved by this."
_PLACED_ORDERS = "orders already placed keep their address."

ASKED: Mapping[str, tuple[str, ...]] = {
    topic: tuple(words) for topic, words in DATA["asked_of_cards"].items()
}
"""Phrases that mark a question about a card, by topic."""


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
    words, method_id = tokens(card.question), _method(card)
    if tells(words, "arriving") and not tells(words, "money"):
        return ""
    lines = card.after(r"\b(?:days?|at once|once they|immediately|no money)\b")
    if lines or (card.moves_money and method_id not in card.records.methods):
        return sentence(lines)
    if not card.moves_money:
        return _NO_MONEY
    when = refund_time(card.records.methods[method_id])
    return f"You get the money back on your {name_method(card.records, method_id)} {when}."


def _payment(card: WaitingCard) -> str:
    if not card.moves_money:
        return _NO_MONEY
    method_id = _method(card)
    return f"That is your {name_method(card.records, method_id)}." if method_id else ""


def _arrival(card: WaitingCard) -> str:
    """Whether the mentioned items, or else this order, are still delivered, and to where."""
    words = tokens(card.question)
    if has(words, *ASKED["when"]):
        return ""
    if card.tool == OF_PROFILE:
        new = f"The new address would be {address(card.arguments)}."
        return _PLACED_ORDERS.capitalize() if has(words, "order", "orders", "still") else new
    orders = {str(each.order["order_id"]): each.order for each in _named(card)}
    own = _order(card)
    if not orders and own and (tells(words, "this order") or "address" in words):
        orders = {str(own["order_id"]): own}
    told = [_arrives(card, *each) for each in orders.items()]
    return " ".join([_keep(card), *told]).strip()


def _arrives(card: WaitingCard, order_id: str, order: Json) -> str:
    status = str(order["status"])
    goes = f" and goes to {address(order['address'])}" if status.startswith("pending") else ""
    if order_id != card.arguments.get("order_id"):
        return f"This changes nothing about order {order_id}, which is {status}{goes}."
    if card.tool == CANCEL:
        return f"No: order {order_id} would be cancelled, and none of it would be shipped."
    if "address1" in card.arguments:
        goes = f" and goes to {address(card.arguments)}"
    return f"Order {order_id} stays{goes}." if goes else f"Order {order_id} is already {status}."


def _before(card: WaitingCard) -> str:
    """The state that the change replaces: the current address, or the items to be exchanged."""
    if "address1" in card.arguments:
        record = card.records.user if card.tool == OF_PROFILE else _order(card)
        return f"At the moment it is {address(record['address'])}." if record else ""
    return sentence([line for line in card.after("→") if not line.startswith("order #")])


def _keep(card: WaitingCard) -> str:
    """Whether the mentioned items stay as they are."""
    return " ".join(dict.fromkeys(filter(None, (_keeps(card, each) for each in _named(card)))))


def _keeps(card: WaitingCard, thing: OrderItem) -> str:
    name, order_id = thing.item["name"], str(thing.order["order_id"])
    if order_id != card.arguments.get("order_id"):
        return f"This changes nothing about the {name} in order {order_id}."
    if card.tool == CANCEL:
        return f"No: order {order_id} would be cancelled, including the {name}."
    given = card.arguments.get("item_ids")
    if not isinstance(given, list):
        return ""
    held = [str(each["item_id"]) for each in thing.order["items"]].count(thing.id)
    if not given.count(thing.id):
        return f"Yes: the {name} stays as it is."
    return f"No: the {name} is part of this." if given.count(thing.id) == held else ""


def _total(card: WaitingCard) -> str:
    """A yes or no on whether the total goes up, down or stays, with the amount on the card."""
    words, told = tokens(card.question), card.sentence.rpartition("; ")[2].rstrip(".")
    same = has(words, "stay", "same")
    if "$" not in told:
        unmoved = re.search(r"\bprice\b|\bno money\b", told)
        return f"{'Yes' if same else 'No'}: {told if unmoved else 'no money is moved by this'}."
    moved = "goes down" if has(tokens(told), "back", "less") else "goes up"
    asked = [way for way in ("goes up", "goes down") if tells(words, way)]
    return f"{'No' if same or (asked and moved not in asked) else 'Yes'}: {told}."


def _balance(card: WaitingCard) -> str:
    """The current balance of the gift cards, and how the change affects it."""
    methods = card.records.methods.values()
    held = [money(float(e["balance"])) for e in methods if e.get("source") == "gift_card"]
    if not held:
        return "There is no gift card on your profile."
    then = sentence(card.after("gift card")) or "This changes nothing about it."
    return f"Your gift card balance is {join_parts(held)} now. {then}"


def _orders(card: WaitingCard) -> str:
    """The reply that a new default address leaves orders alone, if the question is about them."""
    words = tokens(card.question)
    touches = tells(words, "touches") and not has(words, *ASKED["arrival"])
    return f"No: {_PLACED_ORDERS}" if card.tool == OF_PROFILE and touches else ""


CARD_TOPICS: Mapping[str, Callable[[WaitingCard], str]] = {
    **TOPICS,
    "when": _when,
    "payment": _payment,
    "arrival": _arrival,
    "before": _before,
    "keep": _keep,
    "total": _total,
    "balance": _balance,
    "orders": _orders,
}
