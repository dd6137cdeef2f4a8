"""Charges and refunds for an order: a row in its payments, and at once a gift card's balance."""

from __future__ import annotations

from typing import Literal

from domains.core.changes import Record
from domains.core.draft import Draft
from domains.retail import store


def move(
    draft: Draft,
    order: Record,
    kind: Literal["payment", "refund"],
    method_id: str,
    amount: float,
) -> None:
    """Add a payment row to an order being edited, and change the balance if it is a gift card.

    ``amount`` is in dollars. Raises ToolError if the customer has no such payment method.
    """
    order["payment_history"].append(
        {"transaction_type": kind, "amount": float(amount), "payment_method_id": method_id}
    )
    method = store.get_payment_method(draft, order["user_id"], method_id)
    if method["source"] == "gift_card":
        card = draft.edit("users", order["user_id"])["payment_methods"][method_id]
        signed = amount if kind == "refund" else -amount
        card["balance"] = round(card["balance"] + signed, 2)
