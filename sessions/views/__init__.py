"""Everything that is shown of a session, as pure functions of its log (law 1)."""

from __future__ import annotations

from sessions.views.cards import DecisionRow, decision_rows
from sessions.views.items import (
    AgentWords,
    CardOutcome,
    CustomerWords,
    Ended,
    Fault,
    Interrupted,
    Item,
    LookUp,
    Note,
    Result,
)
from sessions.views.panes import Reflection, contexts, reflections
from sessions.views.standing import SessionStatus, advanced, status
from sessions.views.transcript import Transcript, transcript

__all__ = [
    "AgentWords",
    "CardOutcome",
    "CustomerWords",
    "DecisionRow",
    "Ended",
    "Fault",
    "Interrupted",
    "Item",
    "LookUp",
    "Note",
    "Reflection",
    "Result",
    "SessionStatus",
    "Transcript",
    "advanced",
    "contexts",
    "decision_rows",
    "reflections",
    "status",
    "transcript",
]
