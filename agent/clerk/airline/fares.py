"""What the airline charges beside the seat, and how many checked bags come with it."""

from __future__ import annotations

from agent.clerk.airline.memory import CABINS

FREE_BAGS = {"regular": 0, "silver": 1, "gold": 2}
"""Free checked bags of a membership for each passenger, beside those of the cabin."""


EXTRA_BAG = 50
"""Dollars for a checked bag that is not free."""


INSURANCE = 30
"""Dollars for a passenger's travel insurance."""


def free_bags(membership: str, name: str, people: int) -> int:
    """Checked bags that cost nothing, for all passengers together."""
    return (FREE_BAGS.get(membership, 0) + CABINS.index(name)) * people
