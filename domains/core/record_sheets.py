"""Parts of the Record pane that all domains share, and the customer that a look-up reveals."""

from __future__ import annotations

import json

from domains.core.changes import Record
from domains.core.domain import Field, Sheet
from domains.text import wording


def profile(user: Record, *more: tuple[str, str]) -> Sheet:
    """The customer's profile; ``more`` are further fields, each as its label and its name."""
    path = f"users/{user['user_id']}"
    return Sheet(
        wording.full_name(user["name"]),
        (
            Field("customer id", user["user_id"], f"{path}/user_id"),
            *(Field(label, str(user[name]), f"{path}/{name}") for label, name in more),
            Field("email", user["email"], f"{path}/email"),
            Field("address", wording.address_line(user["address"]), f"{path}/address"),
        ),
    )


def payment_methods(user: Record) -> Sheet:
    """The customer's payment methods, with any balance left on them."""
    path = f"users/{user['user_id']}/payment_methods"
    named = (
        (method_id, wording.payment_method(user, method_id, balance=True))
        for method_id in user["payment_methods"]
    )
    fields = (Field(method_id, words, f"{path}.{method_id}") for method_id, words in named)
    return Sheet("Payment methods", tuple(fields))


def customer_in(result: str) -> str | None:
    """The customer id in a record that a look-up returned, or None."""
    try:
        found = json.loads(result).get("user_id")
    except (ValueError, AttributeError):
        return None
    return found if isinstance(found, str) else None
