"""What can be told about a card that waits for a change of an order."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from agent.clerk.card_questions import TOPICS, Waiting, sentence
from agent.clerk.retail.manner import DATA, tells
from agent.clerk.retail.paying import name_method, original_method
from agent.clerk.retail.things import Owned, items_of, named_items
from agent.clerk.retail.wording import address, money, refund_time
from agent.clerk.state.records import Json
from agent.clerk.understanding.tokens import has, tokens
from agent.clerk.wording import join_parts

CANCEL, OF_PROFILE = "cancel_pending_order", "modify_user_address"
_NO_MONEY = "No money moves by this, as far as the card says."
_PLACED_ORDERS = "orders already placed keep their address."

ASKED: Mapping[str, tuple[str, ...]] = {
    topic: tuple(words) for topic, words in DATA["asked_of_cards"].items()
}
"""Words of a question about a card, by what it is about."""


def _order(card: Waiting) -> Json | None:
    found: Json | None = card.memory.orders.get(str(card.arguments.get("order_id")))
    return found


def _method(card: Waiting) -> str:
    """The payment method that money goes to or comes from."""
    order = _order(card)
    paid = original_method(order) if order else ""
    return str(card.arguments.get("payment_method_id") or paid)


def _named(card: Waiting) -> list[Owned]:
    """The things that a question names."""
    return named_items(card.question, items_of(card.memory.orders.values()))


def _when(card: Waiting) -> str:
    words, method_id = tokens(card.question), _method(card)
    if tells(words, "arriving") and not tells(words, "money"):
        return ""
    lines = card.after(r"\b(?:days?|at once|once they|immediately|no money)\b")
    if lines or (card.moves_money and method_id not in card.memory.methods):
        return sentence(lines)
    if not card.moves_money:
        return _NO_MONEY
    when = refund_time(card.memory.methods[method_id])
    return f"Money comes back to your {name_method(card.memory, method_id)} {when}."


def _payment(card: Waiting) -> str:
    if not card.moves_money:
        return _NO_MONEY
    method_id = _method(card)
    return f"That is your {name_method(card.memory, method_id)}." if method_id else ""


def _arrival(card: Waiting) -> str:
    """Whether a thing that is named, or else this order, is still delivered, and to where."""
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
    return " ".join(_arrives(card, *each) for each in orders.items())


def _arrives(card: Waiting, order_id: str, order: Json) -> str:
    status = str(order["status"])
    goes = f" and goes to {address(order['address'])}" if status == "pending" else ""
    if order_id != card.arguments.get("order_id"):
        return f"This changes nothing about order {order_id}, which is {status}{goes}."
    if card.tool == CANCEL:
        return f"No: order {order_id} would be cancelled, and nothing of it is shipped."
    if "address1" in card.arguments:
        goes = f" and goes to {address(card.arguments)}"
    return f"Order {order_id} stays{goes}." if goes else f"Order {order_id} is {status} already."


def _before(card: Waiting) -> str:
    """What is replaced: an address as it is now, or the things that would be others."""
    if "address1" in card.arguments:
        record = card.memory.user if card.tool == OF_PROFILE else _order(card)
        return f"Until now it is {address(record['address'])}." if record else ""
    return sentence([line for line in card.after("→") if not line.startswith("order #")])


def _keep(card: Waiting) -> str:
    """Whether things that are named stay as they are."""
    return " ".join(dict.fromkeys(filter(None, (_keeps(card, each) for each in _named(card)))))


def _keeps(card: Waiting, thing: Owned) -> str:
    name, order_id = thing.item["name"], str(thing.order["order_id"])
    if order_id != card.arguments.get("order_id"):
        return f"This changes nothing about the {name} in order {order_id}."
    if card.tool == CANCEL:
        return f"No: order {order_id} would be cancelled, the {name} with it."
    given = card.arguments.get("item_ids")
    if not isinstance(given, list):
        return ""
    held = [str(each["item_id"]) for each in thing.order["items"]].count(thing.id)
    if not given.count(thing.id):
        return f"Yes: the {name} stays as it is."
    return f"No: the {name} is part of this." if given.count(thing.id) == held else ""


def _total(card: Waiting) -> str:
    """Whether more or less is paid than before, yes or no, with the card's own figure."""
    words, told = tokens(card.question), card.sentence.rpartition("; ")[2].rstrip(".")
    same = has(words, "stay", "same")
    if "$" not in told:
        unmoved = re.search(r"\bprice\b|\bno money\b", told)
        return f"{'Yes' if same else 'No'}: {told if unmoved else 'no money moves by this'}."
    moved = "goes down" if has(tokens(told), "back", "less") else "goes up"
    asked = [way for way in ("goes up", "goes down") if tells(words, way)]
    return f"{'No' if same or (asked and moved not in asked) else 'Yes'}: {told}."


def _balance(card: Waiting) -> str:
    """What is on the gift card now, and what this makes of it."""
    methods = card.memory.methods.values()
    held = [money(float(e["balance"])) for e in methods if e.get("source") == "gift_card"]
    if not held:
        return "There is no gift card on your profile."
    then = sentence(card.after("gift card")) or "This changes nothing about it."
    return f"On your gift card there is {join_parts(held)} now. {then}"


def _orders(card: Waiting) -> str:
    """That a new default address leaves the orders alone, where they are asked about."""
    words = tokens(card.question)
    touches = tells(words, "touches") and not has(words, *ASKED["arrival"])
    return f"No: {_PLACED_ORDERS}" if card.tool == OF_PROFILE and touches else ""


CARD_TOPICS: Mapping[str, Callable[[Waiting], str]] = {
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
