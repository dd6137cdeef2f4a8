"""Mistakes that the clerk makes when it is told to, so that a demo shows them being caught."""

from __future__ import annotations

from dataclasses import replace

from agent.chat import Message
from agent.clerk.folding import REMINDER, text_of
from agent.clerk.memory import Json
from agent.clerk.planning import next_step
from agent.clerk.steps import Answer, Call
from agent.clerk.talk import Talk

MISTAKES: dict[str, str] = {
    "wrong-item": "puts another available variant, or another item, into the change",
    "wrong-payment": "uses another of the customer's payment methods",
    "skips-last-request": "forgets the last of several requests",
    "forgets-policy": "tries what the policy forbids but the tools would do",
}
"""Names of the mistakes and what each does."""


def mistaken(
    mistake: str, step: Call | Answer, talk: Talk, messages: list[Message]
) -> Call | Answer:
    """The step with the named mistake in it, where it offers an opportunity."""
    if mistake == "forgets-policy":
        return _against_policy(step, messages)
    if mistake == "skips-last-request":
        return _skipping(step, talk)
    if not isinstance(step, Call):
        return step
    return _wrong_item(step, talk) if mistake == "wrong-item" else _wrong_payment(step, talk)


def _against_policy(step: Call | Answer, messages: list[Message]) -> Call | Answer:
    """Heeds a reminder that came after the customer's last words."""
    for message in reversed(messages):
        text = text_of(message)
        if text.startswith(REMINDER):
            return step
        if message.get("role") in {"user", "assistant"}:
            break
    return step.forbidden if isinstance(step, Answer) and step.forbidden else step


def _skipping(step: Call | Answer, talk: Talk) -> Call | Answer:
    """Drops the last request while others came before it."""
    if len(talk.requests) < 2 or talk.requests[-1].closed:
        return step
    shorter = replace(talk, requests=talk.requests[:-1])
    return next_step(shorter)


def _wrong_item(step: Call, talk: Talk) -> Call:
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


def _wrong_payment(step: Call, talk: Talk) -> Call:
    chosen = step.arguments.get("payment_method_id")
    others = [each for each in talk.memory.methods if each != chosen]
    if chosen is None or not others:
        return step
    return replace(step, arguments={**step.arguments, "payment_method_id": others[0]})
