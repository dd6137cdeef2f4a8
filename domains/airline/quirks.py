"""τ²-bench's defects, each by name, and the right thing that stands in its place.

With τ²-bench's records the tools must end where τ²-bench's own tools end, defects included, or
scores would not agree. With our own records they do the right thing. Every place where the two
differ asks here.

One defect is matched nowhere, because it is a danger: some calls that τ²-bench refuses have by
then taken money (the certificate of a booking that lists it twice, the gift card of a bag fee that
is no whole number). Here a refused call changes nothing, ever.
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
    """Which defects the tools have; none unless said."""

    all_airports: bool = False
    """The same twenty airports are listed, whether or not a flight serves them."""

    next_day: bool = False
    """A connection after midnight is looked for in May, on a day written without its zero, and
    later than a time that no time is later than: ``01:30:00+1``."""

    keeps_seats: bool = False
    """Cancelling and changing flights leave the seats as they are; only booking takes some."""

    oversells: bool = False
    """A flight that is booked twice in one call needs seats for one, and takes them twice."""

    acts_on_cancelled: bool = False
    """A cancelled reservation can be cancelled again, doubling its refunds, and changed."""

    listed_twice: bool = False
    """A payment method may be listed twice, and has its whole balance each time."""

    negative_money: bool = False
    """Payments and certificates may be of nothing or less: a negative payment fills a gift card."""

    any_bags: bool = False
    """Bags are recorded as given: fewer than none, more paid than there are, or not a number."""

    unread_passengers: bool = False
    """New passengers that are not all objects are recorded unread, whatever they are."""

    no_flights: bool = False
    """A reservation may have no flights, and then be changed to a cabin that does not exist."""

    stale_route: bool = False
    """Other flights leave a reservation's origin and destination as they were."""

    def airports(self, served: Iterable[str]) -> list[str]:
        """The airports that are listed, when those are the ones that flights serve."""
        if self.all_airports:
            return list(CITIES)
        found = set(served)
        return [code for code in CITIES if code in found] + sorted(found - CITIES.keys())

    def connection(self, date: str, arrival: str) -> tuple[str, str]:
        """The date on which to go on, and the time not to leave before, after an arrival.

        Arrivals past midnight end in ``+1``. Raises ValueError for a date that is none.
        """
        overnight = "+1" in arrival
        if self.next_day:
            return (f"2024-05-{int(date[-2:]) + 1}" if overnight else date), arrival
        day = calendar.fromisoformat(date) + timedelta(days=1 if overnight else 0)
        return day.isoformat(), arrival.removesuffix("+1")

    def seats_needed(self, flights: Sequence[Any], flight: Any, passengers: int) -> int:
        """Seats that must be free for one flight of those a call lists."""
        return passengers if self.oversells else passengers * flights.count(flight)

    def check_standing(self, reservation: Record) -> None:
        """ToolError where the reservation is cancelled and can therefore not be acted on."""
        if reservation["status"] == "cancelled" and not self.acts_on_cancelled:
            raise ToolError(f"Reservation {reservation['reservation_id']} is cancelled")

    def check_listing(self, method_ids: Sequence[str]) -> None:
        """ToolError where a payment method is listed twice."""
        twice = next((each for each in method_ids if method_ids.count(each) > 1), None)
        if twice is not None and not self.listed_twice:
            raise ToolError(f"Payment method {twice} is listed twice")

    def check_money(self, amounts: Iterable[float]) -> None:
        """ToolError where an amount in dollars is not more than nothing."""
        if not self.negative_money and any(not amount > 0 for amount in amounts):
            raise ToolError("Amounts must be more than 0")

    def check_bags(self, total: Any, nonfree: Any) -> None:
        """ToolError where these cannot be counts of bags and of those that are paid for."""
        if self.any_bags:
            return
        whole = type(total) is int and type(nonfree) is int
        if not whole or not 0 <= nonfree <= total:
            raise ToolError("Bags must be whole numbers, and those paid for no more than all")

    def check_passengers(self, passengers: Sequence[Any]) -> None:
        """ToolError where new passengers are not all objects."""
        if not self.unread_passengers and any(not isinstance(each, dict) for each in passengers):
            raise ToolError("Each passenger must have a first name, a last name and a dob")

    def check_flights(self, flights: Sequence[Any]) -> None:
        """ToolError where there is none."""
        if not flights and not self.no_flights:
            raise ToolError("There must be at least one flight")


CORRECT = Quirks()
"""What the tools do with our own records."""

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
"""What the tools do with τ²-bench's records: what its own do."""
