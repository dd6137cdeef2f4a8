"""The arms of a run as ways of control, to be compared as such."""

from __future__ import annotations

from collections.abc import Sequence

from agent.headless.plan import Plan
from agent.headless.summary import Played
from sessions.statistics.compared import Way


def is_routed(plan: Plan) -> bool:
    """Whether any arm of the run has routed control."""
    return any(arm.safeguards.control == "routed" for arm in plan.arms)


def ways(plan: Plan, found: Sequence[Played]) -> list[Way]:
    """The arms of a run as ways of control, each with its sessions."""
    return [
        Way(
            arm.name or "all sessions",
            arm.safeguards.gate,
            [each.facts for each in found if each.arm == arm.name],
        )
        for arm in plan.arms
    ]
