"""Attention checks in exports: rows of their own in the dataset, counted as left out elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from sessions.events import Logged
from sessions.store.forking import count_inherited
from sessions.views.attention import CheckRow, check_rows

LEFT_OUT = "attention checks: cards that were wrong on purpose are no part of the conversation"

TRUE_CARD: dict[str, Any] = {
    "attention_check": False, "meant": None, "altered": None, "caught": None
}  # fmt: skip
"""What the row of any other card says of this."""


def own_checks(log: Sequence[Logged]) -> list[CheckRow]:
    """The checks of a session, without those that a fork shares with its parent."""
    shared = count_inherited(log)
    return [row for row in check_rows(log) if (row.decided or row.shown).seq > shared]


def leave_out(log: Sequence[Logged], left_out: Counter[str]) -> None:
    """Count the checks of a session, where an export has no place for them."""
    number = len(own_checks(log))
    left_out.update({LEFT_OUT: number} if number else {})


def check_columns(row: CheckRow) -> dict[str, Any]:
    """What a row of a check says of it."""
    return {
        "attention_check": True,
        "meant": row.check.meant,
        "altered": row.check.altered,
        "caught": row.decision and row.decision.is_caught,
    }


def decision(row: CheckRow) -> dict[str, Any]:
    """What was decided on a check; nothing ever follows. In older logs a question ended it."""
    made = row.decision
    asked = made is not None and made.decision == "ask"
    return {
        "questions": [*row.questions, *([made.words] if made is not None and asked else ())],
        "decision": made and made.decision,
        "reason": None if asked else made and made.words,
        "by": made and made.by,
        "time_to_decide_ms": made and made.milliseconds,
        "overrode": made and list(made.overrode),
        "next_call": None,
        "consented": False,
        "applied": None,
    }
