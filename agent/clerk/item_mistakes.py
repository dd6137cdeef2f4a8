"""Mistakes that can be made with orders and their items."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from agent.clerk.remembering import Json
from agent.clerk.steps import Answer, Call
from agent.clerk.talk import Talk


def wrong_item(step: Call | Answer, talk: Talk) -> Call | Answer:
    """Put another available variant, or another item, into the change."""
    if not isinstance(step, Call):
        return step
    arguments = dict(step.arguments)
    if "new_item_ids" in arguments:
        arguments["new_item_ids"] = [
            _other_variant(new, old, talk)
            for new, old in zip(arguments["new_item_ids"], arguments["item_ids"], strict=True)
        ]
    elif "item_ids" in arguments:
        record = talk.memory.orders.get(str(arguments["order_id"]), {})
        arguments["item_ids"] = _other_items(list(arguments["item_ids"]), record)
    return replace(step, arguments=arguments)


def _other_variant(new: str, old: str, talk: Talk) -> str:
    for product in talk.memory.products.values():
        variants = product["variants"].values()
        if any(each["item_id"] == new for each in variants):
            others = [
                v["item_id"] for v in variants if v["available"] and v["item_id"] not in (new, old)
            ]
            return str(others[0]) if others else new
    return new


def _other_items(ids: list[str], record: Json) -> list[str]:
    others = [each["item_id"] for each in record.get("items", []) if each["item_id"] not in ids]
    return [str(others[0]), *ids[1:]] if others else ids


def wrong_payment(step: Call | Answer, talk: Talk) -> Call | Answer:
    """Use another of the customer's payment methods."""
    chosen = step.arguments.get("payment_method_id") if isinstance(step, Call) else None
    others = [each for each in talk.memory.methods if each != chosen]
    if not isinstance(step, Call) or chosen is None or not others:
        return step
    return replace(step, arguments={**step.arguments, "payment_method_id": others[0]})


ITEM_MISTAKES: dict[str, Callable[[Call | Answer, Any], Call | Answer]] = {
    "wrong-item": wrong_item,
    "wrong-payment": wrong_payment,
}
