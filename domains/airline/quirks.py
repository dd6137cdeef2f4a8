"""τ²-bench's defects, each by name, and the correct behaviour without it.

With τ²-bench's records the tools must leave the records as τ²-bench's own tools would, defects
included, or the scores would not agree. With our own records they behave correctly. Every place
where the two differ asks this module.

One defect is never reproduced, because it is dangerous: some calls that τ²-bench refuses have taken
money by then (the certificate of a booking that lists it twice, the gift card for a bag fee that is
not a whole number). Here a refused call never changes anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date as calendar
from datetime import timedelta
from typing import Any

from domains.airline.airports import CITIES
from domains.core.changes import Record
from domains.core.tool import ToolError


@dataclass(frozen=True, slots=True)
class Quirks:
    """The defects that the tools have; none by default."""

    all_airports: bool = False
    """The same twenty airports are listed, whether or not any flight serves them."""

    next_day: bool = False
    """After an arrival past midnight, a connection is searched for on a wrongly written date.

    The date is always in May 2024, without a leading zero, and the time that departures are
    compared with keeps its suffix: ``01:30:00+1``.
    """

    keeps_seats: bool = False
    """Cancelling and changing flights leave the seat counts alone; only booking takes seats."""

    oversells: bool = False
    """A flight listed twice in one call needs free seats for one listing, but takes them twice."""

    acts_on_cancelled: bool = False
    """A cancelled reservation can still be changed, and can be cancelled again.

    Each cancellation adds the negative of every payment row so far.
    """

    listed_twice: bool = False
    """A payment method may be listed twice, and its whole balance counts each time."""

    negative_money: bool = False
    """Payments and certificates may be zero or negative; a negative payment fills a gift card."""

    any_bags: bool = False
    """Bags are recorded as given: negative, more paid than there are, or not a number."""

    unread_passengers: bool = False
    """New passengers that are not all objects are recorded unparsed, whatever they are."""

    no_flights: bool = False
    """A reservation may have no flights, and may then be changed to a cabin that does not exist."""

    stale_route: bool = False
    """Changing flights leaves a reservation's origin and destination as they were."""

    def airports(self, served: Iterable[str]) -> list[str]:
        """The airports to list, given those that flights serve."""
        if self.all_airports:
            return list(CITIES)
        found = set(served)
        return [code for code in CITIES if code in found] + sorted(found - CITIES.keys())

    def connection(self, date: str, arrival: str) -> tuple[str, str]:
        """The date and the earliest departure time of a connecting flight after an arrival.

        An arrival past midnight ends in ``+1``. Raises ValueError for an invalid date.
        """
        overnight = "+1" in arrival
        if self.next_day:
            return (f"2024-05-{int(date[-2:]) + 1}" if overnight else date), arrival
        day = calendar.fromisoformat(date) + timedelta(days=1 if overnight else 0)
        return day.isoformat(), arrival.removesuffix("+1")

    def seats_needed(self, flights: Sequence[Any], flight: Any, passengers: int) -> int:
        """How many seats must be free on one of the flights that a call lists."""
        return passengers if self.oversells else passengers * flights.count(flight)

    def check_standing(self, reservation: Record) -> None:
        """Raise ToolError if the reservation is cancelled, unless the quirk allows acting on it."""
        if reservation["status"] == "cancelled" and not self.acts_on_cancelled:
            raise ToolError(f"Reservation {reservation['reservation_id']} is cancelled")

    def check_listing(self, method_ids: Sequence[str]) -> None:
        """Raise ToolError if a payment method is listed twice, unless the quirk allows it."""
        twice = next((each for each in method_ids if method_ids.count(each) > 1), None)
        if twice is not None and not self.listed_twice:
            raise ToolError(f"Payment method {twice} is listed twice")

    def check_money(self, amounts: Iterable[float]) -> None:
        """Raise ToolError if an amount in dollars is zero or less, unless the quirk allows it."""
        if not self.negative_money and any(not amount > 0 for amount in amounts):
            raise ToolError("Amounts must be more than 0")

    def check_bags(self, total: Any, nonfree: Any) -> None:
        """Raise ToolError if these are not valid bag counts, unless the quirk allows it.

        ``nonfree`` counts the bags that are paid for, among ``total``.
        """
        if self.any_bags:
            return
        whole = type(total) is int and type(nonfree) is int
        if not whole or not 0 <= nonfree <= total:
            raise ToolError("Bags must be whole numbers, and those paid for no more than all")

    def check_passengers(self, passengers: Sequence[Any]) -> None:
        """Raise ToolError if new passengers are not all objects, unless the quirk allows it."""
        if not self.unread_passengers and any(not isinstance(each, dict) for each in passengers):
            raise ToolError("Each passenger must have a first name, a last name and a dob")

    def check_flights(self, flights: Sequence[Any]) -> None:
        """Raise ToolError if no flight is listed, unless the quirk allows it."""
        if not flights and not self.no_flights:
            raise ToolError("There must be at least one flight")


CORRECT = Quirks()
"""How the tools behave with our own records: without defects."""

TAU2 = Quirks(
    all_airports=True,
    next_day=True,
    keeps_seats=True,
    oversells=True,
    acts_on_cancelled=True,
    listed_twice=True,
    negative_money=True,
    any_bags=True,
    unread_passengers=True,
    no_flights=True,
    stale_route=True,
)
"""How the tools behave with τ²-bench's records: as its own tools do."""
