"""How requests to the airline are told apart: one that stands alone, or several together.

(Difficulty-routed control, section 3.1.)
"""

from __future__ import annotations

from functools import cache

from domains.core.routing import Request, Routing, read_prompt

_CHANGES = frozenset({"change", "modify", "update", "switch", "move", "reschedule", "push back"})

_REQUESTS = {
    "cancel": Request(frozenset({"cancel", "call off"})),
    "book": Request(frozenset({"book", "rebook", "reserve"})),
    "change flights": Request(
        _CHANGES,
        frozenset({"flight", "trip", "date", "day", "time", "leg", "segment", "nonstop", "direct"}),
    ),
    "change the cabin": Request(
        _CHANGES | {"upgrade", "downgrade"}, frozenset({"business", "economy", "cabin", "class"})
    ),
    "change bags": Request(
        _CHANGES | {"add", "check", "bring", "buy"},
        frozenset({"bag", "baggage", "luggage", "suitcase"}),
    ),
    "change passengers": Request(
        _CHANGES | {"add", "replace", "remove", "correct", "fix"},
        frozenset({"passenger", "name"}),
    ),
    "compensate": Request(frozenset({"compensate"})),
}


@cache
def routing() -> Routing:
    """Airline leans to SIMPLE: what is spoken of is often not to be changed, or cannot be."""
    return Routing(read_prompt("domains.airline"), "simple", _REQUESTS, "reservations")
