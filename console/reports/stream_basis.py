"""What the figures of streams rest on, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agent.streaming.plan import StreamPlan
from agent.streaming.summary import ArmSummary
from console.reports.run_basis import agent_sentence, customer_sentence
from domains.text.quantity import quantity
from sessions.statistics.report import NO_SAMPLING
from sessions.statistics.settings import is_code

ALIKE = "Trials of one order repeat each other, and seeds differ by their order alone."
OVER_SEEDS = "Intervals are Student's, over the seeds: 95 % confidence."
ONE_SEED = "With one seed there is no interval."
CANNOT_READ = (
    "The clerk reads entries, but neither examples nor insights: with those it is like an agent "
    "without a memory."
)
ACCEPTED = "Nobody decided what is remembered: whatever was proposed was accepted."


def stream_basis(plan: StreamPlan, told: Sequence[ArmSummary]) -> Iterator[str]:
    """Yield the sentences to read with every figure of the streams."""
    yield f"Based on {_extent(plan, told)}."
    yield agent_sentence(plan.plan.model)
    yield customer_sentence(plan.plan.customer)
    compared = plan.learnings
    if any(each.kind != "none" for each in compared):
        yield _learns(plan)
        yield ACCEPTED
    if is_code(plan.plan.model) and any(e.kind in ("synapse", "reasoningbank") for e in compared):
        yield CANNOT_READ
    if all(each.deterministic for each in told):
        yield NO_SAMPLING
        yield ALIKE
    else:
        yield OVER_SEEDS if len(plan.seeds) > 1 else ONE_SEED
    if not any(each.parent for each in plan.plan.scenarios):
        yield "No task is a sister of another, so there is nothing to try a lesson on."


def _extent(plan: StreamPlan, told: Sequence[ArmSummary]) -> str:
    arms = f"{len(told)} arms of " if len(told) > 1 else ""
    families = sum(len(each) > 1 for each in plan.families)
    tasks = quantity(len(plan.plan.scenarios), "task")
    related = f" ({families} with sisters)" if families else ""
    times = f"{quantity(len(plan.seeds), 'seed')} × {quantity(plan.trials, 'trial')}"
    planned = len(plan.plan.scenarios) * len(plan.seeds) * plan.trials
    short = min((each.sessions for each in told), default=0)
    so_far = "" if short == planned else f", of which {short} of {planned} sessions are played"
    return f"{arms}{tasks}{related} × {times}{so_far}"


def _learns(plan: StreamPlan) -> str:
    who = plan.policy_agent
    by = "rules, not a language model" if who == "rules" else f"{who}"
    begun = "by rules" if plan.begun_by == "rules" else f"by {plan.begun_by}"
    return f"The learner is {by}; each stream has a memory of its own, begun {begun}."
