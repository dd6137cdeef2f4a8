"""Records as they were last read, and the look-up that is needed where one was not."""

from __future__ import annotations

from typing import Any

from agent.clerk.airline.memory import Journey, Memory, search_key
from agent.clerk.remembering import Json
from agent.clerk.steps import Call, Settled

_SEARCHES = ("search_direct_flight", "search_onestop_flight")


def _need(memory: Memory, name: str, **arguments: Any) -> None:
    """Settled with a look-up, unless it has failed before."""
    call = Call(name, arguments)
    if call.key not in memory.failed:
        raise Settled(call)


def reservation(memory: Memory, reservation_id: str) -> Json | None:
    """A reservation as last read; None where it cannot be, Settled with the look-up before."""
    found = memory.reservations.get(reservation_id)
    if found is None:
        _need(memory, "get_reservation_details", reservation_id=reservation_id)
    return found


def reservations(memory: Memory) -> list[Json]:
    """Every reservation of the customer, in the order of the profile."""
    found = (reservation(memory, each) for each in memory.reservation_ids)
    return [each for each in found if each is not None]


def profile(memory: Memory) -> Json:
    """The customer's profile as it is now, balances included."""
    if memory.stale or memory.user is None:
        _need(memory, "get_user_details", user_id=memory.user_id)
    return memory.user or {}


def search(memory: Memory, stops: int, origin: str, destination: str, date: str) -> list[Journey]:
    """Journeys that can be booked on a date; Settled with the search while it was not made."""
    asked = {"origin": origin, "destination": destination, "date": date}
    found = memory.searches.get(search_key(stops, asked))
    if found is None:
        _need(memory, _SEARCHES[stops], **asked)
    return found or []


def status(memory: Memory, number: str, date: str) -> str:
    """How a flight stands on a date; empty where nobody knows."""
    found = memory.statuses.get((number, date))
    if found is None:
        _need(memory, "get_flight_status", flight_number=number, date=date)
    return found or ""


def statuses(memory: Memory, record: Json) -> list[str]:
    """How each flight of a reservation stands, in its order."""
    return [status(memory, each["flight_number"], each["date"]) for each in record["flights"]]


def is_called_off(memory: Memory, record: Json) -> bool:
    """Whether the airline has cancelled one of a reservation's flights."""
    return "cancelled" in statuses(memory, record)


def flown_flights(memory: Memory, record: Json, today: str) -> list[Json]:
    """The flights of a reservation that have left; none of those after today has."""
    due = [each for each in record["flights"] if each["date"] <= today]
    states = [status(memory, each["flight_number"], each["date"]) for each in due]
    return [
        flight for flight, state in zip(due, states, strict=True) if state in {"landed", "flying"}
    ]
