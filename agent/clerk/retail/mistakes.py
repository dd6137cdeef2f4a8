"""Mistakes that the clerk can make on purpose with orders and their items."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from agent.clerk.domain_skills import Mistake, NextStep
from agent.clerk.retail.dialogue import RetailDialogue
from agent.clerk.retail.intent_data import ACTS
from agent.clerk.retail.known_records import WRITES
from agent.clerk.retail.orders import order_ids
from agent.clerk.retail.payment_slots import ids_in
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Answer, Call

Step = Call | Answer
ITEMS, NEW = "item_ids", "new_item_ids"


def _change(step: Call, **arguments: Any) -> Call:
    return replace(step, arguments={**step.arguments, **arguments})


def _order(step: Call, dialogue: RetailDialogue) -> Json:
    nothing: Json = {"items": [], "payment_history": []}
    return dialogue.records.orders.get(str(step.arguments.get("order_id")), nothing)


def wrong_item(step: Step, dialogue: RetailDialogue, _: NextStep) -> Step:
    """Put another available variant, or another item, into the change."""
    if not isinstance(step, Call) or not (ids := ids_in(step, ITEMS)):
        return step
    if NEW in step.arguments:
        pairs = zip(step.arguments[NEW], ids, strict=True)
        return _change(step, **{NEW: [_other_variant(*pair, dialogue) for pair in pairs]})
    others = [e["item_id"] for e in _order(step, dialogue)["items"] if e["item_id"] not in ids]
    return _change(step, **{ITEMS: [*others[:1], *ids[1:]] if others else ids})


def _other_variant(new: str, old: str, dialogue: RetailDialogue) -> str:
    products = (each["variants"] for each in dialogue.records.products.values())
    variants: Json = next((each for each in products if new in each), {})
    others = (str(each["item_id"]) for each in variants.values() if each["available"])
    return next((each for each in others if each not in (new, old)), new)


def wrong_scope(step: Step, dialogue: RetailDialogue, _: NextStep) -> Step:
    """Return a whole order instead of some items; leave one of several items out of an exchange."""
    if not isinstance(step, Call) or not (ids := ids_in(step, ITEMS)):
        return step
    if NEW not in step.arguments:
        return _change(step, **{ITEMS: [e["item_id"] for e in _order(step, dialogue)["items"]]})
    fewer = {key: step.arguments[key][:-1] for key in (ITEMS, NEW)}
    return _change(step, **fewer) if len(ids) > 1 else step


def same_item(step: Step, dialogue: RetailDialogue, _: NextStep) -> Step:
    """Exchange items for the very same ones."""
    call = step.forbidden if isinstance(step, Answer) else step
    same = call is not None and NEW in call.arguments
    return _change(call, **{NEW: ids_in(call, ITEMS)}) if call is not None and same else step


def wrong_payment(step: Step, dialogue: RetailDialogue, _: NextStep) -> Step:
    """Use another of the customer's payment methods, if possible one that the tool accepts.

    For a return that is the original method or a gift card. Every other change prefers a method
    that the order was not paid with and that is no gift card, as a balance may be too low.
    """
    chosen = step.arguments.get("payment_method_id") if isinstance(step, Call) else None
    if not isinstance(step, Call) or chosen is None:
        return step
    paid = {str(each["payment_method_id"]) for each in _order(step, dialogue)["payment_history"]}
    returns = step.name == "return_delivered_order_items"

    def unlikely(method_id: str) -> tuple[bool, bool]:
        is_card = "gift_card" in method_id
        return is_card or (method_id in paid) != returns, returns and not is_card

    others = sorted((each for each in dialogue.records.methods if each != chosen), key=unlikely)
    return _change(step, payment_method_id=others[0]) if others else step


def wrong_order(step: Step, dialogue: RetailDialogue, again_from: NextStep) -> Step:
    """Make the last of several requested changes first."""
    acts = [each for each in dialogue.open_tasks if each.intent in ACTS and not each.what_if]
    if not isinstance(step, Call) or step.name not in WRITES or len(acts) < 2:
        return step
    later = [each for each in acts if each is not step.task]
    again = again_from(replace(dialogue, tasks=later[-1:]), "")
    return again if isinstance(again, Call) else step


def lost_fallback(step: Step, dialogue: RetailDialogue, again_from: NextStep) -> Step:
    """Do something other than the fallback that the customer gave for an impossible request."""
    plain = [replace(each, alternatives=[], fallback_tasks=[]) for each in dialogue.open_tasks]
    forgotten = again_from(replace(dialogue, tasks=plain), "")
    if not isinstance(step, Call) or step.name not in WRITES or forgotten == step:
        return step
    if isinstance(forgotten, Call) and forgotten.key == step.key:
        return step
    spoil = wrong_item if ITEMS in step.arguments else wrong_payment
    instead = spoil(step, dialogue, again_from)
    return instead if instead != step else forgotten


def before_identity(step: Step, dialogue: RetailDialogue, _: NextStep) -> Step:
    """Cancel an order that the customer mentions before they are identified."""
    cancels = (each.all_words for each in dialogue.open_tasks if each.intent == "cancel_order")
    named = [order_id for words in cancels for order_id in order_ids(words)]
    if dialogue.records.user is not None or isinstance(step, Call) or not named or dialogue.changes:
        return step
    return Call("cancel_pending_order", {"order_id": named[0], "reason": "no longer needed"})


RETAIL_MISTAKES: dict[str, Mistake] = {
    each.__name__.replace("_", "-"): each
    for each in (
        wrong_item,
        wrong_scope,
        same_item,
        wrong_payment,
        wrong_order,
        lost_fallback,
        before_identity,
    )
}
"""The mistakes by name."""
