"""How requests to the store are told apart: one that stands alone, or several that hang together.

(Difficulty-routed control, section 3.1.)
"""

from __future__ import annotations

from functools import cache

from domains.core.routing import Request, Routing, read_prompt

_CHANGES = frozenset({"change", "modify", "update", "switch", "correct", "fix"})

_REQUESTS = {
    "cancel": Request(frozenset({"cancel", "call off"})),
    "return": Request(frozenset({"return", "send back", "give back", "refund"})),
    "exchange": Request(frozenset({"exchange", "swap", "replace", "trade"})),
    "change the address": Request(
        _CHANGES | {"ship", "send", "deliver"}, frozenset({"address", "zip", "apartment"})
    ),
    "change the payment": Request(
        _CHANGES | {"pay"}, frozenset({"payment", "paypal", "gift", "card", "visa", "mastercard"})
    ),
    "change items": Request(
        _CHANGES,
        frozenset({"item", "color", "colour", "size", "version", "variant", "material", "model"}),
    ),
}


@cache
def routing() -> Routing:
    """Retail leans to COMPLEX: its requests reach across orders and items."""
    return Routing(read_prompt("domains.retail"), "complex", _REQUESTS, "orders")
