"""What the router needs to tell the airline's simple sessions from its complex ones.

(Difficulty-routed control, section 3.1.)
"""

from __future__ import annotations

from functools import cache

from domains.core.routing import Request, Routing, read_prompt

_CHANGES = frozenset({"change", "modify", "update", "switch", "move", "reschedule", "push back"})

_REQUESTS = {
    "cancel": Request(frozenset({"cancel", "call off"}), tools=("cancel_reservation",)),
    "book": Request(frozenset({"book", "rebook", "reserve"}), tools=("book_reservation",)),
    "change flights": Request(
        _CHANGES,
        frozenset({"flight", "trip", "date", "day", "time", "leg", "segment", "nonstop", "direct"}),
        ("update_reservation_flights",),
    ),
    "change the cabin": Request(
        _CHANGES | {"upgrade", "downgrade"},
        frozenset({"business", "economy", "cabin", "class"}),
        ("update_reservation_flights",),
    ),
    "change bags": Request(
        _CHANGES | {"add", "check", "bring", "buy"},
        frozenset({"bag", "baggage", "luggage", "suitcase"}),
        ("update_reservation_baggages",),
    ),
    "change passengers": Request(
        _CHANGES | {"add", "replace", "remove", "correct", "fix"},
        frozenset({"passenger", "name"}),
        ("update_reservation_passengers",),
    ),
    "compensate": Request(frozenset({"compensate"}), tools=("send_certificate",)),
}


@cache
def routing() -> Routing:
    """The airline's routing, with SIMPLE as the default.

    Customers often mention things that they do not want changed, or that cannot be.
    """
    return Routing(read_prompt("domains.airline"), "simple", _REQUESTS, "reservations")
