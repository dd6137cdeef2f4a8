"""Mistakes that the clerk can make on purpose with orders and their items."""

from __future__ import annotations

from agent.clerk.domain_skills import Mistake, Step
from agent.clerk.mistakes import change, spoiled, too_early
from agent.clerk.retail.dialogue import RetailDialogue
from agent.clerk.retail.orders import order_ids
from agent.clerk.retail.payment_slots import ids_in
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Answer, Call

ITEMS, NEW, PAYMENT = "item_ids", "new_item_ids", "payment_method_id"


def _order(step: Call, dialogue: RetailDialogue) -> Json:
    nothing: Json = {"items": [], "payment_history": []}
    return dialogue.records.orders.get(str(step.arguments.get("order_id")), nothing)


def _wrong_item(step: Call, dialogue: RetailDialogue) -> Json:
    """Other available variants, or else other items."""
    ids = ids_in(step, ITEMS)
    if NEW in step.arguments:
        pairs = zip(step.arguments[NEW], ids, strict=True)
        return {NEW: [_other_variant(*pair, dialogue) for pair in pairs]}
    others = [e["item_id"] for e in _order(step, dialogue)["items"] if e["item_id"] not in ids]
    return {ITEMS: [*others[:1], *ids[1:]] if others else ids}


def _other_variant(new: str, old: str, dialogue: RetailDialogue) -> str:
    products = (each["variants"] for each in dialogue.records.products.values())
    variants: Json = next((each for each in products if new in each), {})
    others = (str(each["item_id"]) for each in variants.values() if each["available"])
    return next((each for each in others if each not in (new, old)), new)


def _wrong_scope(step: Call, dialogue: RetailDialogue) -> Json:
    """A return of the whole order; an exchange without the last of several items."""
    if NEW not in step.arguments:
        return {ITEMS: [each["item_id"] for each in _order(step, dialogue)["items"]]}
    fewer = {key: step.arguments[key][:-1] for key in (ITEMS, NEW)}
    return fewer if len(ids_in(step, ITEMS)) > 1 else {}


def _same_item(step: Step, dialogue: RetailDialogue) -> Step:
    """An exchange of items for the very same ones, even where it was refused."""
    call = step.forbidden if isinstance(step, Answer) else step
    same = call is not None and NEW in call.arguments
    return change(call, **{NEW: ids_in(call, ITEMS)}) if call is not None and same else step


def _wrong_payment(step: Call, dialogue: RetailDialogue) -> Json:
    """Another of the customer's payment methods, if possible one that the tool accepts.

    For a return that is the original method or a gift card. Every other change prefers a method
    that the order was not paid with and that is no gift card, as a balance may be too low.
    """
    paid = {str(each[PAYMENT]) for each in _order(step, dialogue)["payment_history"]}
    returns = step.name == "return_delivered_order_items"

    def unlikely(method_id: str) -> tuple[bool, bool]:
        is_card = "gift_card" in method_id
        return is_card or (method_id in paid) != returns, returns and not is_card

    others = [each for each in dialogue.records.methods if each != step.arguments[PAYMENT]]
    return {PAYMENT: min(others, key=unlikely)} if others else {}


def _named(words: str) -> list[Json]:
    return [{"order_id": each, "reason": "no longer needed"} for each in order_ids(words)]


RETAIL_MISTAKES: dict[str, Mistake] = {
    "wrong-item": spoiled(ITEMS, _wrong_item),
    "wrong-scope": spoiled(ITEMS, _wrong_scope),
    "same-item": _same_item,
    "wrong-payment": spoiled(PAYMENT, _wrong_payment),
    "before-identity": too_early("cancel_order", "cancel_pending_order", _named),
}
"""The mistakes of this domain only, by name."""
