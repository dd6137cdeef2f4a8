"""What the router needs to tell the airline's simple sessions from its complex ones.

(Difficulty-routed control, section 3.1.)
"""

from __future__ import annotations

from functools import cache

from domains.core.routing import ChangeKind, Routing, read_prompt

_CHANGES = frozenset({"change", "modify", "update", "switch", "move", "reschedule", "push back"})

_REQUESTS = {
    "cancel": ChangeKind(frozenset({"cancel", "call off"}), tools=("cancel_reservation",)),
    "book": ChangeKind(frozenset({"book", "rebook", "reserve"}), tools=("book_reservation",)),
    "change flights": ChangeKind(
        _CHANGES,
        frozenset({"flight", "trip", "date", "day", "time", "leg", "segment", "nonstop", "direct"}),
        ("update_reservation_flights",),
    ),
    "change the cabin": ChangeKind(
        _CHANGES | {"upgrade", "downgrade"},
        frozenset({"business", "economy", "cabin", "class"}),
        ("update_reservation_flights",),
    ),
    "change bags": ChangeKind(
        _CHANGES | {"add", "check", "bring", "buy"},
        frozenset({"bag", "baggage", "luggage", "suitcase"}),
        ("update_reservation_baggages",),
    ),
    "change passengers": ChangeKind(
        _CHANGES | {"add", "replace", "remove", "correct", "fix"},
        frozenset({"passenger", "name"}),
        ("update_reservation_passengers",),
    ),
    "compensate": ChangeKind(frozenset({"compensate"}), tools=("send_certificate",)),
}


@cache
def routing() -> Routing:
    """The airline's routing, with SIMPLE as the default.

    Customers often mention things that they do not want changed, or that cannot be.
    """
    return Routing(read_prompt("domains.airline"), "simple", _REQUESTS, "reservations")
