"""Mistakes that can be made with orders and their items."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from agent.clerk.remembering import Json
from agent.clerk.retail.manner import ACTS
from agent.clerk.retail.memory import WRITES
from agent.clerk.retail.orders import order_ids
from agent.clerk.retail.talk import Talk
from agent.clerk.steps import Answer, Call
from agent.clerk.task import Task
from agent.clerk.trade import Mistake, NextStep

Step = Call | Answer


def _change(step: Call, **arguments: Any) -> Call:
    return replace(step, arguments={**step.arguments, **arguments})


def wrong_item(step: Step, talk: Talk, _: NextStep) -> Step:
    """Put another available variant, or another item, into the change."""
    if not isinstance(step, Call):
        return step
    arguments = step.arguments
    if "new_item_ids" in arguments:
        pairs = zip(arguments["new_item_ids"], arguments["item_ids"], strict=True)
        return _change(step, new_item_ids=[_other_variant(*pair, talk) for pair in pairs])
    if "item_ids" in arguments:
        return _change(step, item_ids=_other_items(list(arguments["item_ids"]), _order(step, talk)))
    return step


def _order(step: Call, talk: Talk) -> Json:
    return talk.memory.orders.get(str(step.arguments.get("order_id")), {})


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


def wrong_scope(step: Step, talk: Talk, _: NextStep) -> Step:
    """Give back a whole order for an item of it; of several items to swap, leave one out."""
    if not isinstance(step, Call) or "item_ids" not in step.arguments:
        return step
    if "new_item_ids" not in step.arguments:
        every = [str(each["item_id"]) for each in _order(step, talk).get("items", [])]
        return _change(step, item_ids=every)
    if len(step.arguments["item_ids"]) < 2:
        return step
    fewer = {key: step.arguments[key][:-1] for key in ("item_ids", "new_item_ids")}
    return _change(step, **fewer)


def same_item(step: Step, talk: Talk, _: NextStep) -> Step:
    """Exchange items for the very same ones."""
    call = step.forbidden if isinstance(step, Answer) else step
    if call is None or "new_item_ids" not in call.arguments:
        return step
    return _change(call, new_item_ids=list(call.arguments["item_ids"]))


def wrong_payment(step: Step, talk: Talk, _: NextStep) -> Step:
    """Use another of the customer's payment methods."""
    chosen = step.arguments.get("payment_method_id") if isinstance(step, Call) else None
    others = [each for each in talk.memory.methods if each != chosen]
    if not isinstance(step, Call) or chosen is None or not others:
        return step
    return _change(step, payment_method_id=_likeliest(others, step, talk))


def _likeliest(others: list[str], step: Call, talk: Talk) -> str:
    """The method that the tool takes best: one that the order was not paid with, nor a gift card.

    A return's money goes to a gift card, or back where it came from.
    """
    history = _order(step, talk).get("payment_history") or []
    paid = {str(each["payment_method_id"]) for each in history}
    returns = step.name == "return_delivered_order_items"
    wanted = [key for key in others if (key in paid) == returns and "gift_card" not in key]
    return next(iter(wanted), next((k for k in others if returns and "gift_card" in k), others[0]))


def wrong_order(step: Step, talk: Talk, again_from: NextStep) -> Step:
    """Take the last of several changes first."""
    acts = [each for each in talk.open if each.intent in ACTS and not each.what_if]
    if not isinstance(step, Call) or step.name not in WRITES or len(acts) < 2:
        return step
    later = [each for each in acts if each is not step.request]
    again = again_from(replace(talk, requests=later[-1:]), "")
    return again if isinstance(again, Call) else step


def lost_fallback(step: Step, talk: Talk, again_from: NextStep) -> Step:
    """Do something else than what the customer said to do where their wish is not possible."""
    forgotten = again_from(
        replace(talk, requests=[_without_fallbacks(each) for each in talk.open]), ""
    )
    if not isinstance(step, Call) or step.name not in WRITES or forgotten == step:
        return step
    if isinstance(forgotten, Call) and forgotten.key == step.key:
        return step
    instead = (
        wrong_item(step, talk, again_from)
        if "item_ids" in step.arguments
        else wrong_payment(step, talk, again_from)
    )
    return instead if instead != step else forgotten


def _without_fallbacks(task: Task) -> Task:
    return replace(task, alternatives=[], otherwise=[])


def before_identity(step: Step, talk: Talk, _: NextStep) -> Step:
    """Cancel an order that was named before anybody knows who is asking."""
    named = [
        order_ids(each.all_words)[0]
        for each in talk.open
        if each.intent == "cancel_order" and order_ids(each.all_words)
    ]
    if talk.memory.user is not None or isinstance(step, Call) or not named or talk.changes:
        return step
    return Call("cancel_pending_order", {"order_id": named[0], "reason": "no longer needed"})


RETAIL_MISTAKES: dict[str, Mistake] = {
    "wrong-item": wrong_item,
    "wrong-scope": wrong_scope,
    "same-item": same_item,
    "wrong-payment": wrong_payment,
    "wrong-order": wrong_order,
    "lost-fallback": lost_fallback,
    "before-identity": before_identity,
}
