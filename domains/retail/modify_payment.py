"""Changing how a pending order is paid: the tool, and what its card says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from domains.core.changes import Record
from domains.core.draft import Draft
from domains.core.tool import Arguments, Check, Effect, Finding, ToolError, WriteDeclaration, writes
from domains.retail import checks, effects, evidence, money, store, wording
from domains.retail.look_ups import OrderId


def _only_payment(order: Record) -> Record:
    """The order's only payment; raises ToolError unless there is exactly one."""
    history = order["payment_history"]
    if len(history) != 1 or history[0]["transaction_type"] != "payment":
        raise ToolError("There should be exactly one payment for a pending order")
    return dict(history[0])


def _one_payment(draft: Draft, arguments: Arguments) -> Finding:
    user, paid = checks.owner_of(draft, arguments), _only_payment(checks.order_of(draft, arguments))
    store.get_payment_method(draft, user["user_id"], paid["payment_method_id"])
    method = wording.by_method(user, paid["payment_method_id"])
    return Finding(True, f"{wording.money(paid['amount'])} with {method}")


def _another_method(draft: Draft, arguments: Arguments) -> Finding:
    paid = _only_payment(checks.order_of(draft, arguments))["payment_method_id"]
    same = paid == arguments["payment_method_id"]
    return Finding(not same, "it is the same method" if same else "it is a different method")


def _amount(draft: Draft, arguments: Arguments) -> float:
    return float(_only_payment(checks.order_of(draft, arguments))["amount"])


def _sentence(draft: Draft, arguments: Arguments) -> str:
    order, user = checks.order_of(draft, arguments), checks.owner_of(draft, arguments)
    paid = _only_payment(order)
    new = wording.by_method(user, arguments["payment_method_id"], balance=True)
    old = wording.by_method(user, paid["payment_method_id"])
    amount = wording.money(paid["amount"])
    held = wording.order_and_items(order)
    return f"Pay the {amount} for {held} with {new} instead of {old}."


def _effects(draft: Draft, arguments: Arguments, changes: effects.Changes) -> list[Effect]:
    return [
        *effects.payments(draft, changes),
        *effects.gift_cards(changes),
        *_other_methods(draft, changes),
    ]


def _other_methods(draft: Draft, changes: effects.Changes) -> Iterator[Effect]:
    for _, _, after in effects.changed_records(changes, "orders"):
        used = [row["payment_method_id"] for row in after["payment_history"]]
        yield from effects.not_used(store.get_user(draft, after["user_id"]), used)


@writes(
    WriteDeclaration(
        sentence=_sentence,
        effects=_effects,
        checks=(
            checks.PENDING,
            checks.METHOD_ON_FILE,
            Check("There is exactly one payment so far", "tool", _one_payment),
            Check("It is not the method already used", "tool", _another_method),
            checks.gift_card_covers(_amount),
            checks.NOT_MODIFIED,
        ),
        closes=lambda *_: ("the payment method of this order cannot be changed again",),
        guards=(*evidence.OF_ORDER, *evidence.PAID),
    )
)
def modify_pending_order_payment(
    draft: Draft,
    order_id: OrderId,
    payment_method_id: Annotated[
        str, "The customer's method to pay with instead, such as 'paypal_1234567'."
    ],
) -> Record:
    """Have a pending order paid by another of the customer's payment methods.

    The first method is refunded: a gift card at once, others within 5 to 7 business days. The
    customer must have confirmed the change beforehand.
    """
    order = store.get_order(draft, order_id)
    if "pending" not in order["status"]:
        raise ToolError("Non-pending order cannot be modified")
    method = store.get_payment_method(draft, order["user_id"], payment_method_id)
    paid = _only_payment(order)
    if paid["payment_method_id"] == payment_method_id:
        raise ToolError("The new payment method should be different from the current one")
    amount = paid["amount"]
    if method["source"] == "gift_card" and method["balance"] < amount:
        raise ToolError("Insufficient gift card balance to pay for the order")
    store.get_payment_method(draft, order["user_id"], paid["payment_method_id"])
    order = draft.edit("orders", order_id)
    money.move(draft, order, "payment", payment_method_id, amount)
    money.move(draft, order, "refund", paid["payment_method_id"], amount)
    return order
