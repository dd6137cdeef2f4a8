"""Everything shown of a session, as pure functions of its log (law 1).

``session_status`` folds a log into its current state, ``turn`` into the latest turn. ``transcript``
yields the ``items`` that the customer sees, and ``describing`` puts them into words. The other
modules answer one question each: cards and writes, labels, expenses, the side panes, forks, and the
comparison of two sessions.
"""

from __future__ import annotations

from sessions.views.cards import DecisionRow, decision_rows
from sessions.views.expenses import NOTHING_SPENT, Expenses, RoleExpenses, expenses
from sessions.views.items import (
    AgentWords,
    AttentionCheck,
    CardAnswer,
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
from sessions.views.labels import label_lines, label_words, labels
from sessions.views.panes import Reflection, contexts, reflections
from sessions.views.session_status import SessionStatus, advance, status
from sessions.views.transcript import Transcript, transcript

__all__ = [
    "NOTHING_SPENT",
    "AgentWords",
    "AttentionCheck",
    "CardAnswer",
    "CardOutcome",
    "CustomerWords",
    "DecisionRow",
    "Ended",
    "Expenses",
    "Fault",
    "Interrupted",
    "Item",
    "LookUp",
    "Note",
    "Reflection",
    "Result",
    "RoleExpenses",
    "SessionStatus",
    "Transcript",
    "advance",
    "contexts",
    "decision_rows",
    "expenses",
    "label_lines",
    "label_words",
    "labels",
    "reflections",
    "status",
    "transcript",
]
