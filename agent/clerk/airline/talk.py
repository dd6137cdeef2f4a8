"""The conversation of the airline's clerk: a dialogue about reservations and flights."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from agent.clerk.airline.memory import Memory
from agent.clerk.airline.requests import ACTIONS, Intent, Request, Said
from agent.clerk.airline.succeeding import successors
from agent.clerk.dialogue import Dialogue
from agent.clerk.remembering import Asked

NOW = "2024-05-15T15:00:00"
"""The time it is where a policy does not say."""

_NOW = re.compile(r"current time is (\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)", re.IGNORECASE)


@dataclass
class Talk(Dialogue[Request, Memory]):
    """All that the airline's clerk makes of the messages."""

    memory: Memory = field(default_factory=Memory)
    now: str = NOW
    """The time it is, as in the records."""

    user_ids: list[str] = field(default_factory=list)
    """User ids that the customer named, in the order told."""

    other_person: bool = False
    """Whether another customer's id was named in the last message."""

    last: Said | None = None

    @property
    def today(self) -> str:
        """The day it is, as in the records."""
        return self.now[:10]

    def changes_records(self, request: Request) -> bool:
        """Whether a request is for a change or a hand-over, not for an answer."""
        return request.intent in ACTIONS | {Intent.TRANSFER}

    def tools_of(self, request: Request) -> tuple[str, ...]:
        """The writes that can carry a request out."""
        return _TOOLS.get(request.intent, ())

    def subject_of(self, asked: Asked) -> str:
        """The id of the reservation that a call is about, or nothing."""
        return str(asked.arguments.get("reservation_id") or "")

    def done(self, request: Request, asked: Asked, things: tuple[Any, ...]) -> None:
        """Note on a request that a write for it was carried out."""
        booked = self.memory.booked[-1:] if asked.name == "book_reservation" else []
        subject = self.subject_of(asked) or next(iter(booked), "")
        request.written.append(subject or str(asked.arguments.get("user_id")))
        self.focus = subject or self.focus

    def stands_in(self, request: Request, other: Request) -> bool:
        """Whether a request is what the other one leaves to be done in its place."""
        return any(each is request for each in successors(other))

    def instead_of(self, request: Request) -> list[Request]:
        """What a request that was refused leaves to be done in its place."""
        return successors(request)


_TOOLS: dict[Intent | None, tuple[str, ...]] = {
    Intent.BOOK: ("book_reservation",),
    Intent.CANCEL: ("cancel_reservation",),
    Intent.FLIGHTS: ("update_reservation_flights",),
    Intent.CABIN: ("update_reservation_flights",),
    Intent.PASSENGERS: ("update_reservation_passengers",),
    Intent.BAGS: ("update_reservation_baggages",),
    Intent.COMPENSATION: ("send_certificate",),
}


def now_of(policy: str) -> str:
    """The time it is, as the policy has it."""
    hit = _NOW.search(policy)
    return f"{hit.group(1)}T{hit.group(2)}" if hit else NOW
