"""What the airline charges on top of the seats, and how many checked bags are free."""

from __future__ import annotations

EXTRA_BAG = 50
"""The price of a checked bag beyond the free ones, in dollars."""

INSURANCE = 30
"""The price of travel insurance for one passenger, in dollars."""

_BY_CABIN = {"basic_economy": 0, "economy": 1, "business": 2}
CABINS = frozenset(_BY_CABIN)
_BY_MEMBERSHIP = {"regular": 0, "silver": 1, "gold": 2}
MEMBERSHIPS = tuple(_BY_MEMBERSHIP)


def free_bags(membership: str, cabin: str, passengers: int) -> int:
    """The number of free checked bags for all passengers together.

    Raises KeyError for an unknown membership or cabin.
    """
    return (_BY_MEMBERSHIP[membership] + _BY_CABIN[cabin]) * passengers


def total(seats: int, passengers: int, nonfree_bags: int, *, insured: bool) -> int:
    """The price of a whole reservation in dollars.

    ``seats`` is the price of all flights for one passenger.
    """
    insurance = INSURANCE if insured else 0
    return passengers * (seats + insurance) + EXTRA_BAG * nonfree_bags
