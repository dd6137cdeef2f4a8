"""The compensation that a customer can claim for flights that were cancelled or delayed.

A flight that was changed for another is no longer in its reservation. The reservation as the
session found it still has it, so both are read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from domains.airline import store, wording
from domains.core.changes import Record
from domains.core.draft import Draft
from domains.text.paying import times

DOLLARS_PER_PASSENGER = {"cancelled": 100, "delayed": 50}
"""Compensation in dollars per passenger, by the flight's status."""

CHANGED = ("flights", "cabin", "status")
"""The fields of a reservation that show whether it was changed or cancelled."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A reservation for which a certificate can be given."""

    reservation_id: str
    flight: str
    """The flight and its day: ``HAT123 on 15 May``."""

    state: Literal["cancelled", "delayed"]
    passengers: int
    changed: bool
    """Whether the reservation was changed or cancelled in this session."""

    @property
    def amount(self) -> int:
        """The amount that the policy grants, in dollars."""
        return DOLLARS_PER_PASSENGER[self.state] * self.passengers

    @property
    def price(self) -> str:
        """The amount in words: ``$50.00 for 1 passenger``, ``2 × $50.00 = $100.00``."""
        one = " for 1 passenger" if self.passengers == 1 else ""
        return times(self.passengers, DOLLARS_PER_PASSENGER[self.state]) + one

    @property
    def cause(self) -> str:
        """The reason for the claim: ``HAT123 on 15 May in NM1VX1, delayed``."""
        return f"{self.flight} in {wording.value(self.reservation_id)}, {self.state}"


def claims(draft: Draft, user: Record) -> list[Claim]:
    """Every claim that the records support, cancelled before delayed within a reservation."""
    return [claim for each in reservations(draft, user) for claim in _of(draft, user, each)]


def reservations(draft: Draft, user: Record) -> Iterator[Record]:
    """Yield the customer's reservations that are on file."""
    for reservation_id in user["reservations"]:
        reservation = draft.get("reservations", reservation_id)
        if reservation is not None:
            yield reservation


def ground_for_compensation(user: Record, reservation: Record) -> str:
    """What entitles the customer to compensation for a reservation, in words; may be empty."""
    called = wording.value(reservation["reservation_id"])
    if user["membership"] != "regular":
        return f"{wording.value(user['membership'])} member"
    if reservation["insurance"] == "yes":
        return f"{called} is insured"
    if reservation["cabin"] == "business":
        return f"{called} is in business"
    return ""


def _of(draft: Draft, user: Record, reservation: Record) -> Iterator[Claim]:
    """Yield at most one claim each for a cancelled and for a delayed flight of the reservation.

    The flights that it has now and those that it had when the session began both count.
    """
    key = reservation["reservation_id"]
    found = draft.original("reservations", key) or reservation
    if not ground_for_compensation(user, reservation) and not ground_for_compensation(user, found):
        return
    changed = any(found.get(field) != reservation.get(field) for field in CHANGED)
    states: dict[str, Record] = {}
    for flight in (*found["flights"], *reservation["flights"]):
        states.setdefault(store.status_of(draft, flight), flight)
    for state in ("cancelled", "delayed"):
        if state in states:
            flight = states[state]
            passengers = len(reservation["passengers"])
            yield Claim(key, wording.flight_and_day(flight), state, passengers, changed)
