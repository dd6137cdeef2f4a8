"""What writes to reservations assume, to be compared with what the session has seen.

(Difficulty-routed control, section 3.2, evidence guard.)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from domains.airline import checks, objects
from domains.core.draft import Draft
from domains.core.evidence import Guard, Seen, is_customers, were_seen


def _owner(draft: Draft, arguments: Mapping[str, Any]) -> str:
    return str(checks.reservation_of(draft, arguments)["user_id"])


def _unseen_flights(draft: Draft, arguments: Mapping[str, Any], seen: Seen) -> Iterator[str]:
    for each in objects.flights(arguments["flights"]):
        if not seen.has(each.flight_number):
            yield f"Flight {each.flight_number} stands in nothing that was looked up or said."


def _unseen_payments(draft: Draft, arguments: Mapping[str, Any], seen: Seen) -> Iterator[str]:
    for each in objects.payments(arguments["payment_methods"]):
        if not seen.has(each.payment_id):
            yield f"{each.payment_id} stands in nothing that was looked up or said."


def _last_digits(draft: Draft, arguments: Mapping[str, Any], method: str) -> str | None:
    """The last four digits by which people name a card of the reservation's customer, or None."""
    user = draft.get("users", _owner(draft, arguments)) or {}
    found: str | None = user.get("payment_methods", {}).get(method, {}).get("last_four")
    return found


OF_RESERVATION = (
    were_seen("The reservation was looked up or named", "reservation_id"),
    is_customers(_owner),
)
"""Guards for a change to a reservation."""

PAID = (were_seen("The payment method was looked up or named", "payment_id", spoken=_last_digits),)
FLOWN = (Guard("Its flights were looked up or named", _unseen_flights),)
PAID_IN_PARTS = (Guard("Its payment methods were looked up or named", _unseen_payments),)
OF_PROFILE = (is_customers(lambda _, arguments: str(arguments["user_id"])),)
"""Guards for what is created for a customer: a booking, a certificate."""
