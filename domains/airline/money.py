"""Charges and refunds for an existing reservation."""

from __future__ import annotations

from domains.airline import store
from domains.core.changes import Record
from domains.core.draft import Draft
from domains.core.tool import ToolError


def method_to_settle(draft: Draft, user_id: str, method_id: str, amount: float) -> Record:
    """The payment method for settling ``amount`` dollars; raises ToolError if it cannot."""
    methods = store.get_user(draft, user_id)["payment_methods"]
    if method_id not in methods:
        raise ToolError("Payment method not found")
    method: Record = methods[method_id]
    if method["source"] == "certificate":
        raise ToolError("Certificate cannot be used to update reservation")
    if method["source"] == "gift_card" and method["amount"] < amount:
        raise ToolError("Gift card balance is not enough")
    return method


def settle(draft: Draft, reservation: Record, method_id: str, amount: float) -> None:
    """Charge ``amount`` dollars to a reservation being edited, or refund them if negative.

    A gift card's balance changes at once. Raises ToolError if the method cannot settle the amount,
    and pydantic.ValidationError if the amount is not whole.
    """
    from domains.airline.schema import Payment

    user_id = reservation["user_id"]
    method = method_to_settle(draft, user_id, method_id, amount)
    if amount == 0:
        return
    row = Payment(payment_id=method_id, amount=amount)  # type: ignore[arg-type]
    if method["source"] == "gift_card":
        draft.edit("users", user_id)["payment_methods"][method_id]["amount"] -= amount
    reservation["payment_history"].append(row.model_dump())
