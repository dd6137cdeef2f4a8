"""Attention checks in exports: separate rows in the dataset, counted as left out elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from sessions.events import Logged
from sessions.store.forking import count_inherited
from sessions.views.attention import CheckRow, check_rows

LEFT_OUT = "attention checks: deliberately wrong cards are not part of the conversation"

TRUE_CARD: dict[str, Any] = {
    "attention_check": False, "meant": None, "altered": None, "caught": None
}  # fmt: skip
"""The attention-check columns of an ordinary card."""


def own_checks(log: Sequence[Logged]) -> list[CheckRow]:
    """The attention checks of a session, without those that a fork inherited from its parent."""
    shared = count_inherited(log)
    return [row for row in check_rows(log) if (row.decided or row.shown).seq > shared]


def leave_out(log: Sequence[Logged], left_out: Counter[str]) -> None:
    """Count a session's attention checks as left out, for an export that has no place for them."""
    number = len(own_checks(log))
    left_out.update({LEFT_OUT: number} if number else {})


def check_columns(row: CheckRow) -> dict[str, Any]:
    """The columns that are specific to an attention check."""
    return {
        "attention_check": True,
        "meant": row.check.meant,
        "altered": row.check.altered,
        "caught": row.decision and row.decision.is_caught,
    }


def decision(row: CheckRow) -> dict[str, Any]:
    """The decision columns of an attention check; no call or write ever follows one.

    In older logs a question ended the check. It is listed as a question, not as a reason.
    """
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
