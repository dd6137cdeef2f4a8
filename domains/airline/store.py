"""The airline's records by id, and what is said when one is not there."""

from __future__ import annotations

from typing import Any

from domains.core.changes import Record
from domains.core.draft import Draft
from domains.core.tool import ToolError


def get_user(draft: Draft, user_id: str) -> Record:
    """The customer, to read; ToolError where there is none."""
    return _find(draft.get("users", user_id), f"User {user_id} not found")


def get_reservation(draft: Draft, reservation_id: str) -> Record:
    """The reservation, to read; ToolError where there is none."""
    found = draft.get("reservations", reservation_id)
    return _find(found, f"Reservation {reservation_id} not found")


def get_flight(draft: Draft, flight_number: str) -> Record:
    """The flight, to read; ToolError where there is none."""
    return _find(draft.get("flights", flight_number), f"Flight {flight_number} not found")


def get_day(draft: Draft, flight_number: str, date: str) -> Record:
    """How a flight stands on a date; ToolError where it does not fly then."""
    days = get_flight(draft, flight_number)["dates"]
    return _find(days.get(date), f"Flight {flight_number} not found on date {date}")


def status_of(draft: Draft, flight: Record) -> str:
    """How a reservation's flight stands: ``available``, ``delayed``; ``unknown`` without record."""
    record = draft.get("flights", flight["flight_number"]) or {"dates": {}}
    status: str = record["dates"].get(flight["date"], {"status": "unknown"})["status"]
    return status


def _find(record: Any, message: str) -> Record:
    if record is None:
        raise ToolError(message)
    found: Record = record
    return found
