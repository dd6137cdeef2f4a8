"""Rebuilds the plan of earlier streams from the logs of their sessions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast, get_args

from agent.headless.plan import Arm, Plan
from agent.headless.recorded import Load, recorded_plan, starts
from agent.memory.feedback import Regime
from agent.streaming.plan import RULES, Kind, Learning, StreamPlan
from sessions.events import RunPlace
from sessions.events.memory import ReadBy
from sessions.store.store import Store


def recorded_stream(store: Store, name: str, load: Load) -> StreamPlan | None:
    """The plan of an earlier run of streams, as far as it got; None if the run had no streams.

    Raises the same errors as :func:`recorded_plan`.
    """
    runs = [each.run for each in starts(store, name) if each.run and each.run.stream]
    if not runs:
        return None
    plan = recorded_plan(store, name, load)
    learnings = _learnings(runs)
    by_arm = {each.name: each for each in plan.arms}
    return StreamPlan(
        plan=replace(plan, memory=None, arms=tuple(_arm(plan, by_arm, each) for each in learnings)),
        learnings=learnings,
        seeds=tuple(sorted({each.run_seed or 0 for each in runs})),
        trials=max(each.trial for each in runs),
        policy_agent=_who(runs, "policy_agent"),
        begun_by=_who(runs, "begun_by"),
    )


def _learnings(runs: Sequence[RunPlace]) -> tuple[Learning, ...]:
    """The ways of learning, in the order of the command's options."""
    found = {
        Learning(cast(Kind, each.memory), cast(Regime, each.feedback), cast(ReadBy, each.read_by))
        for run in runs
        if (each := run.stream) is not None
    }
    orders = (get_args(Kind), ("", *get_args(Regime)), ("", *get_args(ReadBy)))
    return tuple(
        sorted(
            found,
            key=lambda each: [
                order.index(value)
                for order, value in zip(
                    orders, (each.kind, each.feedback, each.read_by), strict=True
                )
            ],
        )
    )


def _arm(plan: Plan, by_name: dict[str, Arm], learning: Learning) -> Arm:
    return replace(by_name.get(learning.name, plan.arms[0]), name=learning.name)


def _who(runs: Sequence[RunPlace], field: str) -> str:
    """The policy agent named in this field, or rules if none is named."""
    said = (str(getattr(each.stream, field)) for each in runs)
    return next(filter(None, said), RULES)
