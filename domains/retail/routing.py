"""What the router needs to tell the store's simple sessions from its complex ones.

(Difficulty-routed control, section 3.1.)
"""

from __future__ import annotations

from functools import cache

from domains.core.routing import Request, Routing, read_prompt

_CHANGES = frozenset({"change", "modify", "update", "switch", "correct", "fix"})

_REQUESTS = {
    "cancel": Request(frozenset({"cancel", "call off"}), tools=("cancel_pending_order",)),
    "return": Request(
        frozenset({"return", "send back", "give back", "refund"}),
        tools=("return_delivered_order_items",),
    ),
    "exchange": Request(
        frozenset({"exchange", "swap", "replace", "trade"}),
        tools=("exchange_delivered_order_items", "modify_pending_order_items"),
    ),
    "change the address": Request(
        _CHANGES | {"ship", "send", "deliver"},
        frozenset({"address", "zip", "apartment"}),
        ("modify_pending_order_address", "modify_user_address"),
    ),
    "change the payment": Request(
        _CHANGES | {"pay"},
        frozenset({"payment", "paypal", "gift", "card", "visa", "mastercard"}),
        ("modify_pending_order_payment",),
        passing=frozenset({"pay"}),
    ),
    "change items": Request(
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
