"""Dataset rows for cards made afterwards, that is, for writes that no one was asked about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sessions.events import (
    Card,
    CustomerSaid,
    Logged,
    ModelChanged,
    SessionStarted,
    WriteApplied,
)
from sessions.views.writes import WriteCard


@dataclass(frozen=True, slots=True)
class MadeRow:
    """A write that was carried out without a card, and the card made for it afterwards."""

    shown: Logged
    """The event of the write itself, since no card was shown."""

    turn: int
    model: str
    card: Card

    reflection: None = None
    context: None = None


def rows_made_afterwards(events: Sequence[Logged], cards: Iterable[WriteCard]) -> list[MadeRow]:
    """A row for each card that was made afterwards."""
    made = {each.write.seq: each.card for each in cards if each.write.origin == "recorded"}
    found, turn, model = [], 0, ""
    for logged in events:
        match logged.event:
            case SessionStarted() | ModelChanged():
                model = logged.event.model
            case CustomerSaid():
                turn = logged.event.turn
            case WriteApplied() if logged.seq in made:
                found.append(MadeRow(logged, turn, model, made[logged.seq]))
            case _:
                pass
    return found


def decision(row: MadeRow) -> dict[str, Any]:
    """The decision columns of such a row: no one decided, and the write was carried out."""
    written = row.shown.event
    assert isinstance(written, WriteApplied)
    return {
        "questions": [],
        "decision": None,
        "reason": None,
        "by": None,
        "time_to_decide_ms": None,
        "overrode": None,
        "next_call": None,
        "consented": False,
        "applied": {"result": written.result, "error": written.error},
    }
