"""What the router needs to tell the store's simple sessions from its complex ones.

(Difficulty-routed control, section 3.1.)
"""

from __future__ import annotations

from functools import cache

from domains.core.routing import ChangeKind, Routing, read_prompt

_CHANGES = frozenset({"change", "modify", "update", "switch", "correct", "fix"})

_REQUESTS = {
    "cancel": ChangeKind(frozenset({"cancel", "call off"}), tools=("cancel_pending_order",)),
    "return": ChangeKind(
        frozenset({"return", "send back", "give back", "refund"}),
        tools=("return_delivered_order_items",),
    ),
    "exchange": ChangeKind(
        frozenset({"exchange", "swap", "replace", "trade"}),
        tools=("exchange_delivered_order_items", "modify_pending_order_items"),
    ),
    "change the address": ChangeKind(
        _CHANGES | {"ship", "send", "deliver"},
        frozenset({"address", "zip", "apartment"}),
        ("modify_pending_order_address", "modify_user_address"),
    ),
    "change the payment": ChangeKind(
        _CHANGES | {"pay"},
        frozenset({"payment", "paypal", "gift", "card", "visa", "mastercard"}),
        ("modify_pending_order_payment",),
        passing_verbs=frozenset({"pay"}),
    ),
    "change items": ChangeKind(
        _CHANGES,
        frozenset({"item", "color", "colour", "size", "version", "variant", "material", "model"}),
        ("modify_pending_order_items",),
    ),
}


@cache
def routing() -> Routing:
    """The store's routing, with COMPLEX as the default.

    Requests to the store often span several orders and items.
    """
    return Routing(read_prompt("domains.retail"), "complex", _REQUESTS, "orders")
