"""Answers to questions about a proposal that waits on a card; words only."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from agent.chat import Message
from agent.clerk.folding import calls_of, fold, text_of
from agent.clerk.language import corrected, plain
from agent.clerk.memory import WRITES, Asked, Json, Memory
from agent.clerk.wording import address, item, joined, method, money, refund_time

_DECIDE = "You can approve it, reject it, or say what should be different."


def answer_about_card(messages: list[Message]) -> str:
    """What is known about the waiting proposal that the last message asks for."""
    call = _waiting(messages)
    question = next(
        (text_of(each) for each in reversed(messages) if each.get("role") == "user"), ""
    )
    memory = fold([each for each in messages if each.get("role") != "user"]).memory
    if call is None:
        return f"I can't change anything right now. {_DECIDE}"
    text = corrected(plain(question))
    found = [say(call.arguments, memory) for asked, say in _TOPICS if re.search(asked, text)]
    known = [each for each in found if each]
    return " ".join([*(known or [summary(call, memory)]), _DECIDE])


def _waiting(messages: list[Message]) -> Asked | None:
    """The last write that was proposed."""
    for message in reversed(messages):
        for call in calls_of(message):
            if call.name in WRITES:
                return call
    return None


def summary(call: Asked, memory: Memory) -> str:
    """The proposal in words."""
    said = _KINDS.get(call.name, "change the record")
    parts = [
        _items(call.arguments, memory),
        _payment(call.arguments, memory),
        _place(call.arguments, memory),
    ]
    order = call.arguments.get("order_id")
    where = f" in order {order}" if order else ""
    return " ".join([f"This would {said}{where}.", *(each for each in parts if each)])


_KINDS = {
    "cancel_pending_order": "cancel the whole order",
    "return_delivered_order_items": "return items",
    "exchange_delivered_order_items": "exchange items",
    "modify_pending_order_items": "change items",
    "modify_pending_order_address": "change the shipping address",
    "modify_pending_order_payment": "change the payment method",
    "modify_user_address": "change your default address",
}


def _record(arguments: Mapping[str, Any], memory: Memory) -> Json:
    return memory.orders.get(str(arguments.get("order_id")), {})


def _ids(arguments: Mapping[str, Any], key: str) -> list[str]:
    value = arguments.get(key)
    return [str(each) for each in value] if isinstance(value, list) else []


def _old(arguments: Mapping[str, Any], memory: Memory) -> list[Json]:
    known = {each["item_id"]: each for each in _record(arguments, memory).get("items", [])}
    ids = _ids(arguments, "item_ids") if "item_ids" in arguments else list(known)
    return [known[each] for each in ids if each in known]


def _new(arguments: Mapping[str, Any], memory: Memory) -> list[Json]:
    known = {
        v["item_id"]: {**v, "name": product["name"]}
        for product in memory.products.values()
        for v in product["variants"].values()
    }
    return [known[each] for each in _ids(arguments, "new_item_ids") if each in known]


def _items(arguments: Mapping[str, Any], memory: Memory) -> str:
    old, new = _old(arguments, memory), _new(arguments, memory)
    if new and len(new) == len(old):
        pairs = (
            f"{item(a)} at {money(a['price'])} becomes {item(b)} at {money(b['price'])}"
            for a, b in zip(old, new, strict=True)
        )
        return f"{joined(pairs)}."
    named = joined(f"{item(each)} at {money(each['price'])}" for each in old)
    return f"It is about: {named}." if named else ""


def _difference(arguments: Mapping[str, Any], memory: Memory) -> str:
    old, new = _old(arguments, memory), _new(arguments, memory)
    if new and len(new) == len(old):
        due = sum(each["price"] for each in new) - sum(each["price"] for each in old)
        verb = "you pay" if due > 0.004 else "you get back"
        return (
            f"The price difference is {money(abs(due))}: {verb} {money(abs(due))}."
            if abs(due) > 0.004
            else "The price stays the same."
        )
    return f"The amount is {money(sum(each['price'] for each in old))}." if old else ""


def _payment(arguments: Mapping[str, Any], memory: Memory) -> str:
    chosen = str(arguments.get("payment_method_id") or "")
    if not chosen:
        history = _record(arguments, memory).get("payment_history") or []
        chosen = str(history[0]["payment_method_id"]) if history else ""
    return (
        f"The payment method is your {method(memory.methods.get(chosen), chosen)}."
        if chosen
        else ""
    )


def _when(arguments: Mapping[str, Any], memory: Memory) -> str:
    chosen = str(arguments.get("payment_method_id") or "")
    if not chosen:
        history = _record(arguments, memory).get("payment_history") or []
        chosen = str(history[0]["payment_method_id"]) if history else ""
    return f"Money comes back {refund_time(memory.methods.get(chosen))}." if chosen else ""


def _place(arguments: Mapping[str, Any], memory: Memory) -> str:
    return f"The address would be {address(arguments)}." if "address1" in arguments else ""


def _again(arguments: Mapping[str, Any], memory: Memory) -> str:
    if "new_item_ids" in arguments or "item_ids" in arguments:
        return "Items of an order can be changed, exchanged or returned once only, so please make sure that everything is in it."
    return ""


_TOPICS = (
    (
        r"\b(?:how much|price|cost|difference|total|amount|pay more|charged?|expensive|cheaper)\b",
        _difference,
    ),
    (r"\b(?:when|how long|how soon|days)\b", _when),
    (r"\b(?:pay|payment|card|paypal|method|refund(?:ed)? to)\b", _payment),
    (r"\b(?:which|what (?:item|one|exactly|is|are|would|will)|item|colou?r|size|option)\b", _items),
    (r"\b(?:address|where|ship)\b", _place),
    (r"\b(?:later|again|undo|another change|after(?:wards)?|change my mind)\b", _again),
)
