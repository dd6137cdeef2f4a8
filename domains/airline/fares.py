"""What the airline charges beside the seat, and how many checked bags come with it."""

from __future__ import annotations

EXTRA_BAG = 50
"""Dollars for a checked bag beyond the free ones."""

INSURANCE = 30
"""Dollars for a passenger's travel insurance."""

_BY_CABIN = {"basic_economy": 0, "economy": 1, "business": 2}
CABINS = frozenset(_BY_CABIN)
_BY_MEMBERSHIP = {"regular": 0, "silver": 1, "gold": 2}


def free_bags(membership: str, cabin: str, passengers: int) -> int:
    """Checked bags that cost nothing, for all passengers together.

    Raises KeyError for a membership or cabin that does not exist.
    """
    return (_BY_MEMBERSHIP[membership] + _BY_CABIN[cabin]) * passengers


def total(seats: int, passengers: int, nonfree_bags: int, *, insured: bool) -> int:
    """Dollars for a whole reservation; ``seats`` is the price of all flights for one passenger."""
    insurance = INSURANCE if insured else 0
    return passengers * (seats + insurance) + EXTRA_BAG * nonfree_bags
