"""The airline's records by id, and the errors raised when one is missing."""

from __future__ import annotations

from typing import Any

from domains.core.changes import Record
from domains.core.draft import Draft
from domains.core.tool import ToolError


def get_user(draft: Draft, user_id: str) -> Record:
    """The customer's record, to be read only; raises ToolError if there is none."""
    return _find(draft.get("users", user_id), f"User {user_id} not found")


def get_reservation(draft: Draft, reservation_id: str) -> Record:
    """The reservation's record, to be read only; raises ToolError if there is none."""
    found = draft.get("reservations", reservation_id)
    return _find(found, f"Reservation {reservation_id} not found")


def get_flight(draft: Draft, flight_number: str) -> Record:
    """The flight's record, to be read only; raises ToolError if there is none."""
    return _find(draft.get("flights", flight_number), f"Flight {flight_number} not found")


def get_day(draft: Draft, flight_number: str, date: str) -> Record:
    """A flight's day; raises ToolError if the flight does not fly on that date."""
    days = get_flight(draft, flight_number)["dates"]
    return _find(days.get(date), f"Flight {flight_number} not found on date {date}")


def status_of(draft: Draft, flight: Record) -> str:
    """The status of a reservation's flight: ``available``, ``delayed``, or ``unknown``."""
    record = draft.get("flights", flight["flight_number"]) or {"dates": {}}
    status: str = record["dates"].get(flight["date"], {"status": "unknown"})["status"]
    return status


def _find(record: Any, message: str) -> Record:
    if record is None:
        raise ToolError(message)
    found: Record = record
    return found
