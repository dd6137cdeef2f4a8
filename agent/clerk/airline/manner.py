"""What the airline's clerk can want, change and offer, by intent, and what time it is."""

from __future__ import annotations

import re
from pathlib import Path

from agent.clerk.understanding.manners import data_of

HERE = Path(__file__).parent
ACTS = frozenset(data_of(HERE)["acts"])
NOW = "2024-05-15T15:00:00"
"""The time it is where a policy does not say."""

_NOW = re.compile(r"current time is (\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)", re.IGNORECASE)
OFFERS = {
    "book_flight": "book a flight",
    "cancel_reservation": "cancel a reservation",
    "change_flights": "change the flights of a reservation",
    "change_cabin": "change the cabin of a reservation",
    "change_passengers": "correct or change a passenger",
    "add_bags": "add checked bags",
    "search_flights": "see which flights there are",
    "flight_status": "know how a flight stands",
    "reservation_info": "know something about a reservation",
    "reservations": "see your reservations",
    "policy_question": "know the airline's rules",
    "compensation": "get something for a delay",
    "hypothetical": "know what a change would come to",
    "human": "talk to a human agent",
    "nothing_changes": "leave everything as it is",
    "allowance": "know how many bags are free",
    "balance": "see your gift cards and certificates",
    "membership": "see your membership",
    "profile": "see your profile",
    "methods": "see your payment methods",
    "complaint": "tell of a delay or a cancelled flight",
    "insurance": "insure a reservation",
    "outcome": "know what you pay or get back",
    "paid": "know what you have paid",
    "count": "know how many reservations you have",
    "other": "something else that I can't do myself",
}
TOOLS: dict[str, tuple[str, ...]] = {
    "book_flight": ("book_reservation",),
    "cancel_reservation": ("cancel_reservation",),
    "change_flights": ("update_reservation_flights",),
    "change_cabin": ("update_reservation_flights",),
    "change_passengers": ("update_reservation_passengers",),
    "add_bags": ("update_reservation_baggages",),
    "compensation": ("send_certificate",),
    "human": ("transfer_to_human_agents",),
    "other": ("transfer_to_human_agents",),
}


def now_of(policy: str) -> str:
    """The time it is, as the policy has it."""
    hit = _NOW.search(policy)
    return f"{hit.group(1)}T{hit.group(2)}" if hit else NOW
