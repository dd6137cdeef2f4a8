"""The ``sessions`` table: what each log says about its session as a whole, for lists."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any

from sessions.cleaning import clean
from sessions.events import (
    AnyEvent,
    CustomerSaid,
    ModelChanged,
    Scored,
    SessionEnded,
    SessionForked,
    SessionStarted,
)

_TITLE = 80
"""Characters of the customer's first words that name a session in a list."""


@dataclass(frozen=True, slots=True)
class SessionRow:
    """One session in a list."""

    id: str
    created_at: str
    updated_at: str
    domain: str
    source: str
    scenario: str | None
    model: str
    status: str
    """``open`` or ``ended``."""

    ended: str | None
    """Why it ended, as :class:`~sessions.events.SessionEnded` names it."""

    reward: float | None
    title: str | None
    """The customer's first words; None where nothing was said."""

    parent: str | None
    fork_seq: int | None
    head_seq: int
    """How many events the log holds."""

    turns: int
    cards: int
    writes: int
    """Writes that were carried out without an error."""


_COUNTS = {
    "turns": "type = 'customer_said'",
    "cards": "type = 'card_shown'",
    "writes": "type = 'write_applied' AND NOT (payload ->> '$.error')",
}
_COLUMNS = ", ".join(
    f"(SELECT count(*) FROM events WHERE session_id = sessions.id AND {_COUNTS[each.name]})"
    if each.name in _COUNTS
    else each.name
    for each in fields(SessionRow)
)
LIST = f"SELECT {_COLUMNS} FROM sessions"
"""Selects the columns of :class:`SessionRow` in order; add WHERE and ORDER BY."""


def facts(events: Iterable[AnyEvent], title: str | None = None) -> dict[str, Any]:
    """The columns of a session's row that these events set; later ones win.

    ``title`` is the one the session has so far: only its first words become it.
    """
    found: dict[str, Any] = {}
    for event in events:
        found.update(_facts(event))
        if isinstance(event, CustomerSaid) and not (title or "title" in found):
            found["title"] = " ".join(clean(event.text).split())[:_TITLE]
    return found


def _facts(event: AnyEvent) -> dict[str, Any]:
    match event:
        case SessionStarted():
            return {
                "domain": event.domain,
                "source": event.source,
                "scenario": event.scenario,
                "model": event.model,
            }
        case SessionForked():
            return {"parent": event.parent, "fork_seq": event.seq}
        case ModelChanged():
            return {"model": event.model}
        case SessionEnded():
            return {"status": "ended", "ended": event.reason}
        case Scored():
            return {"reward": event.reward}
        case _:
            return {}
