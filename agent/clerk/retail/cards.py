"""What can be told about a card that waits for a change of an order."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from agent.clerk.card_questions import TOPICS, Waiting, sentence
from agent.clerk.remembering import Json
from agent.clerk.retail.manner import manner_data, tells
from agent.clerk.retail.things import Owned, items_of, named_items
from agent.clerk.retail.wording import address, method, money, refund_time
from agent.clerk.understanding.tokens import has, tokens
from agent.clerk.wording import join_parts

CANCEL, OF_PROFILE = "cancel_pending_order", "modify_user_address"
_NO_MONEY = "No money moves by this, as far as the card says."
_PLACED_ORDERS = "Orders already placed keep their address."
_WHEN, _ARRIVES = (tuple(manner_data()["asked_of_cards"][each]) for each in ("when", "arrival"))
_UP = ("up", "more", "rise", "increase", "higher", "dearer")
_DOWN = ("down", "less", "lower", "cheaper")
_TOUCHES = ("change", "affect", "touch", "move", "update", "too", "also", "as well")


def _method(card: Waiting) -> tuple[str, Json | None]:
    """The payment method that money goes to or comes from, with its record."""
    chosen = str(card.arguments.get("payment_method_id") or "")
    if not chosen:
        record = card.memory.orders.get(str(card.arguments.get("order_id")), {})
        history = record.get("payment_history") or []
        chosen = str(history[0]["payment_method_id"]) if history else ""
    return chosen, card.memory.methods.get(chosen)


def _when(card: Waiting) -> str:
    words = tokens(card.question)
    if tells(words, "arriving") and not tells(words, "money"):
        return ""
    lines = card.after(r"\b(?:days?|at once|once they|immediately|no money)\b")
    how = _method(card)[1]
    if not card.moves_money and not lines:
        return _NO_MONEY
    if lines or how is None:
        return sentence(lines)
    return f"Money comes back to your {_name(card)} {refund_time(how)}."


def _name(card: Waiting) -> str:
    chosen, how = _method(card)
    return method(how, chosen)


def _payment(card: Waiting) -> str:
    if not card.moves_money:
        return _NO_MONEY
    return f"That is your {_name(card)}." if _method(card)[0] else ""


def _arrival(card: Waiting) -> str:
    """Whether a thing that is named, or else this order, is still delivered, and to where."""
    words = tokens(card.question)
    if has(words, *_WHEN):
        return ""
    if card.tool == OF_PROFILE:
        new = f"The new address would be {address(card.arguments)}."
        return _PLACED_ORDERS if has(words, "order", "orders", "still") else new
    named = named_items(card.question, items_of(card.memory.orders.values()))
    orders = list(dict.fromkeys(str(each.order["order_id"]) for each in named))
    if not orders and (tells(words, "this order") or "address" in words):
        orders = [str(card.arguments.get("order_id"))]
    return " ".join(filter(None, (_arrives(card, each) for each in orders)))


def _arrives(card: Waiting, order_id: str) -> str:
    record = card.memory.orders.get(order_id)
    if record is None:
        return ""
    status, own = str(record["status"]), order_id == card.arguments.get("order_id")
    goes = f" and goes to {address(record['address'])}" if status == "pending" else ""
    if not own:
        return f"This changes nothing about order {order_id}, which is {status}{goes}."
    if card.tool == CANCEL:
        return f"No: order {order_id} would be cancelled, and nothing of it is shipped."
    if "address1" in card.arguments:
        goes = f" and goes to {address(card.arguments)}"
    return f"Order {order_id} stays{goes}." if goes else f"Order {order_id} is {status} already."


def _record(card: Waiting) -> Json | None:
    found: Json | None = card.memory.orders.get(str(card.arguments.get("order_id")))
    return found


def _before(card: Waiting) -> str:
    """What is replaced: an address as it is now, or the things that would be others."""
    if "address1" in card.arguments:
        record = card.memory.user if card.tool == OF_PROFILE else _record(card)
        return f"Until now it is {address(record['address'])}." if record else ""
    changed = (line for line in card.after("→") if not line.startswith("order #"))
    return sentence([*changed])


def _keep(card: Waiting) -> str:
    """Whether things that are named stay as they are."""
    named = named_items(card.question, items_of(card.memory.orders.values()))
    return " ".join(dict.fromkeys(filter(None, (_keeps(card, each) for each in named))))


def _keeps(card: Waiting, thing: Owned) -> str:
    name, order_id = thing.item["name"], str(thing.order["order_id"])
    if order_id != str(card.arguments.get("order_id") or ""):
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
    if "$" not in told:
        return f"{'Yes' if has(words, 'stay', 'same') else 'No'}: {_same_total(told)}"
    moved = "down" if has(tokens(told), "back", "less") else "up"
    ways = {"up": _UP, "down": _DOWN}
    asked = [way for way, cues in ways.items() if has(words, *cues)]
    yes = not has(words, "stay", "same") and (not asked or moved in asked)
    return f"{'Yes' if yes else 'No'}: {told}."


def _same_total(told: str) -> str:
    return f"{told}." if re.search(r"\bprice\b|\bno money\b", told) else "no money moves by this."


def _balance(card: Waiting) -> str:
    """What is on the gift card now, and what this makes of it."""
    held = [e for e in card.memory.methods.values() if e.get("source") == "gift_card"]
    if not held:
        return "There is no gift card on your profile."
    now = join_parts(money(float(each["balance"])) for each in held)
    kept = "" if card.after("gift card") else " This changes nothing about it."
    return (
        f"On your gift card there is {now} now.{kept} {sentence(card.after('gift card'))}".strip()
    )


def _orders(card: Waiting) -> str:
    """That a new default address leaves the orders alone, where they are asked about."""
    words = tokens(card.question)
    asks_for_place = has(words, *_ARRIVES)
    if card.tool != OF_PROFILE or asks_for_place or not has(words, *_TOUCHES):
        return ""
    return f"No: {_PLACED_ORDERS[:1].lower()}{_PLACED_ORDERS[1:]}"


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

ASKED: Mapping[str, tuple[str, ...]] = {
    topic: tuple(words) for topic, words in manner_data()["asked_of_cards"].items()
}
"""Words of a question about a card, by what it is about."""
