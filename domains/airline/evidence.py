"""What writes to reservations assume, to be compared with what the session has seen.

(Difficulty-routed control, section 3.2, evidence guard.)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from domains.airline import checks, objects
from domains.core.draft import Draft
from domains.core.evidence import (
    NOT_SEEN,
    EvidenceGuard,
    Seen,
    must_be_customers_own,
    must_be_seen,
)


def _owner(draft: Draft, arguments: Mapping[str, Any]) -> str:
    return str(checks.reservation_of(draft, arguments)["user_id"])


def _unseen_flights(draft: Draft, arguments: Mapping[str, Any], seen: Seen) -> Iterator[str]:
    for each in objects.flights(arguments["flights"]):
        if not seen.has(each.flight_number):
            yield f"Flight {each.flight_number} {NOT_SEEN}"


def _unseen_payments(draft: Draft, arguments: Mapping[str, Any], seen: Seen) -> Iterator[str]:
    for each in objects.payments(arguments["payment_methods"]):
        if not seen.has(each.payment_id):
            yield f"{each.payment_id} {NOT_SEEN}"


def _last_digits(draft: Draft, arguments: Mapping[str, Any], method: str) -> str | None:
    """The last four digits by which people name a card of the reservation's customer, or None."""
    user = draft.get("users", _owner(draft, arguments)) or {}
    found: str | None = user.get("payment_methods", {}).get(method, {}).get("last_four")
    return found


OF_RESERVATION = (
    must_be_seen("The reservation was looked up or named", "reservation_id"),
    must_be_customers_own(_owner),
)
"""Guards for a change to a reservation."""

PAID = (
    must_be_seen("The payment method was looked up or named", "payment_id", spoken=_last_digits),
)
FLOWN = (EvidenceGuard("Its flights were looked up or named", _unseen_flights),)
PAID_IN_PARTS = (EvidenceGuard("Its payment methods were looked up or named", _unseen_payments),)
OF_PROFILE = (must_be_customers_own(lambda _, arguments: str(arguments["user_id"])),)
"""Guards for what is created for a customer: a booking, a certificate."""
