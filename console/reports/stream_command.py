"""The command that repeats streams, exactly as it can be typed."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from agent.streaming.plan import RULES, StreamPlan
from console.reports.run_command import safeguard_words, shared_words


def repeat_stream_command(plan: StreamPlan) -> str:
    """``saber stream …`` with everything that the plan sets."""
    return shlex.join(("saber", "stream", *_words(plan)))


def _words(plan: StreamPlan) -> Iterator[str]:
    compared = plan.learnings
    for option, values in (
        ("--memory", [each.kind for each in compared]),
        ("--feedback", [each.feedback for each in compared]),
        ("--memory-by", [each.read_by for each in compared if each.kind == "policybank"]),
    ):
        for value in dict.fromkeys(filter(None, values)):
            yield from (option, value)
    if plan.policy_agent != RULES:
        yield from ("--policy-agent", plan.policy_agent)
    if plan.begun_by != RULES:
        yield from ("--begun-by", plan.begun_by)
    yield from ("--seeds", str(len(plan.seeds)), "--trials", str(plan.trials))
    yield from ("--seed", str(plan.seeds[0]))
    yield from shared_words(plan.plan, plan.plan.domain.all_scenarios)
    yield from safeguard_words(plan.plan.arms[0].safeguards)
