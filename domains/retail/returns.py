"""Returning items of a delivered order: the tool, and what its card says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from domains.core.changes import Record
from domains.core.draft import Draft
from domains.core.tool import Arguments, Check, Effect, Finding, ToolError, WriteDeclaration, writes
from domains.retail import checks, effects, evidence, store, wording
from domains.retail.look_ups import OrderId


def _refund_goes(draft: Draft, arguments: Arguments) -> Finding:
    order, user = checks.order_of(draft, arguments), checks.owner_of(draft, arguments)
    method_id = arguments["payment_method_id"]
    method = store.get_payment_method(draft, user["user_id"], method_id)
    if method["source"] == "gift_card":
        return Finding(True, "a gift card")
    original = _method_paid_with(order)
    paid_with = wording.by_method(user, original)
    return Finding(method_id == original, f"the order was paid with {paid_with}")


def _method_paid_with(order: Record) -> str:
    return str(order["payment_history"][0]["payment_method_id"])


def _items(order: Record, item_ids: list[str]) -> list[Record]:
    return [store.get_item(order, each) for each in item_ids]


def _sentence(draft: Draft, arguments: Arguments) -> str:
    order, user = checks.order_of(draft, arguments), checks.owner_of(draft, arguments)
    items = _items(order, arguments["item_ids"])
    method = wording.by_method(user, arguments["payment_method_id"])
    worth = wording.money(sum(item["price"] for item in items))
    called = wording.listing([f"the {wording.item(item)}" for item in items])
    return f"Return {called} from {wording.order(order)}; {worth} to go back to {method}."


def _worth(items: list[Record]) -> str:
    """What the returned items are worth: ``$20.00 + $5.50 = $25.50``."""
    total = wording.money(sum(item["price"] for item in items))
    prices = " + ".join(wording.money(item["price"]) for item in items)
    return f"{prices} = {total}" if len(items) > 1 else total


def _effects(draft: Draft, arguments: Arguments, changes: effects.Changes) -> list[Effect]:
    return [*effects.status(changes), *_request_effects(draft, changes)]


def _request_effects(draft: Draft, changes: effects.Changes) -> Iterator[Effect]:
    for change, _, after in effects.changed_records(changes, "orders"):
        items = _items(after, after["return_items"])
        named = wording.listing([wording.item(item) for item in items])
        user, method_id = store.get_user(draft, after["user_id"]), after["return_payment_method_id"]
        paid = effects.original_method_clause(user, method_id, effects.payers(after))
        method = f"{wording.by_method(user, method_id)}{paid}"
        refund = (
            f"refund {_worth(items)} to {method}, once they are back (no money moves until then)"
        )
        yield effects.about(change, f"to send back: {named}", "return_items")
        yield effects.about(change, refund, "return_payment_method_id")
        yield from effects.not_used(user, (method_id,))


@writes(
    WriteDeclaration(
        sentence=_sentence,
        effects=_effects,
        checks=(
            checks.status_is("delivered"),
            checks.METHOD_ON_FILE,
            Check("The refund goes to the original method or a gift card", "tool", _refund_goes),
            checks.ITEMS_IN_ORDER,
            checks.SOME_ITEMS,
        ),
        questions=checks.ask_if_all_named("return"),
        stays=checks.stays,
        closes=lambda *_: ("nothing in this order can be exchanged or returned after this",),
        guards=(*evidence.OF_ITEMS, *evidence.PAID),
    )
)
def return_delivered_order_items(
    draft: Draft,
    order_id: OrderId,
    item_ids: Annotated[list[str], "Item ids to return; an id may stand twice if held twice."],
    payment_method_id: Annotated[
        str, "Where the refund goes: the method that paid for the order, or a gift card."
    ],
) -> Record:
    """Ask for items of a delivered order to be taken back and refunded.

    The customer must have confirmed the items and where the refund goes beforehand.
    """
    order = store.get_order(draft, order_id)
    if order["status"] != "delivered":
        raise ToolError("Non-delivered order cannot be returned")
    method = store.get_payment_method(draft, order["user_id"], payment_method_id)
    if method["source"] != "gift_card" and payment_method_id != _method_paid_with(order):
        raise ToolError("Payment method should be the original payment method")
    if store.missing_item(order, item_ids) is not None:
        raise ToolError("Some item not found")
    order = draft.edit("orders", order_id)
    order["status"] = "return requested"
    order["return_items"] = sorted(item_ids)
    order["return_payment_method_id"] = payment_method_id
    return order
