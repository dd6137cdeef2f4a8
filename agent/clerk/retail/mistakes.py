"""Mistakes that can be made with orders and their items."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from agent.clerk.retail.manner import ACTS
from agent.clerk.retail.memory import WRITES
from agent.clerk.retail.orders import order_ids
from agent.clerk.retail.talk import Talk
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Answer, Call
from agent.clerk.trade import Mistake, NextStep

Step = Call | Answer


def _change(step: Call, **arguments: Any) -> Call:
    return replace(step, arguments={**step.arguments, **arguments})


def wrong_item(step: Step, talk: Talk, _: NextStep) -> Step:
    """Put another available variant, or another item, into the change."""
    if not isinstance(step, Call) or "item_ids" not in step.arguments:
        return step
    ids: list[str] = list(step.arguments["item_ids"])
    if "new_item_ids" in step.arguments:
        pairs = zip(step.arguments["new_item_ids"], ids, strict=True)
        return _change(step, new_item_ids=[_other_variant(*pair, talk) for pair in pairs])
    others = [each for each in _items(step, talk) if each not in ids]
    return _change(step, item_ids=[others[0], *ids[1:]] if others else ids)


def _order(step: Call, talk: Talk) -> Json:
    return talk.memory.orders.get(str(step.arguments.get("order_id")), {})


def _items(step: Call, talk: Talk) -> list[str]:
    return [str(each["item_id"]) for each in _order(step, talk).get("items", [])]


def _other_variant(new: str, old: str, talk: Talk) -> str:
    products = (each["variants"] for each in talk.memory.products.values())
    variants = next((each.values() for each in products if new in each), ())
    others = (str(each["item_id"]) for each in variants if each["available"])
    return next((each for each in others if each not in (new, old)), new)


def wrong_scope(step: Step, talk: Talk, _: NextStep) -> Step:
    """Give back a whole order for an item of it; of several items to swap, leave one out."""
    if not isinstance(step, Call) or "item_ids" not in step.arguments:
        return step
    if "new_item_ids" not in step.arguments:
        return _change(step, item_ids=_items(step, talk))
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
    """Use another of the customer's payment methods, one that the tool takes if there is one.

    A return's money goes back where it came from, or to a gift card; else a method is wanted that
    the order was not paid with, and that covers it.
    """
    chosen = step.arguments.get("payment_method_id") if isinstance(step, Call) else None
    if not isinstance(step, Call) or chosen is None:
        return step
    history = _order(step, talk).get("payment_history") or []
    paid = {str(each["payment_method_id"]) for each in history}
    returns = step.name == "return_delivered_order_items"

    def unlikely(method_id: str) -> tuple[bool, bool]:
        is_card = "gift_card" in method_id
        return is_card or (method_id in paid) != returns, returns and not is_card

    others = sorted((each for each in talk.memory.methods if each != chosen), key=unlikely)
    return _change(step, payment_method_id=others[0]) if others else step


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
    plain = [replace(each, alternatives=[], otherwise=[]) for each in talk.open]
    forgotten = again_from(replace(talk, requests=plain), "")
    if not isinstance(step, Call) or step.name not in WRITES or forgotten == step:
        return step
    if isinstance(forgotten, Call) and forgotten.key == step.key:
        return step
    spoil = wrong_item if "item_ids" in step.arguments else wrong_payment
    instead = spoil(step, talk, again_from)
    return instead if instead != step else forgotten


def before_identity(step: Step, talk: Talk, _: NextStep) -> Step:
    """Cancel an order that was named before anybody knows who is asking."""
    cancels = (each.all_words for each in talk.open if each.intent == "cancel_order")
    named = [order_id for words in cancels for order_id in order_ids(words)]
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
