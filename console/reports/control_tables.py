"""Ways of control beside one another: majority passes, routes, verdicts, guards and overhead."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from rich.console import RenderableType
from rich.table import Table

from agent.headless.plan import Plan
from agent.headless.summary import Played
from console.reports.run_tables import make_table
from sessions.statistics.control import passed_by_majority, together

OUTCOMES = ("kept", "revised", "asked", "blocked", "unverified")
NOTHING = "–"

CONTROL_LEGEND = (
    "majority: tasks of which at least three trials in four have τ²-bench's whole reward; gained, "
    "lost: tasks that pass so and did not in the first line, and the other way round. opening, "
    "later: sessions held to be coupled at the customer's first words, and only later. A verified "
    "change was kept, revised, put off for a question, blocked, or no verdict came. guards: calls "
    "sent back."
)


def control_tables(
    plan: Plan, found: Sequence[Played], focus: Collection[str] | None
) -> Iterator[RenderableType]:
    """The tables of an ablation by control; ``focus`` are the tasks in focus, if that is known."""
    yield _passes(plan, found, focus)
    yield _routes(plan, found)
    yield _overhead(plan, found)
    yield CONTROL_LEGEND


def majority(arm: str, found: Sequence[Played]) -> dict[str, bool]:
    """Whether each task of an arm passes by majority; a fault of the line is no trial."""
    by_task: dict[str, list[bool]] = {}
    for each in found:
        if each.arm == arm and each.facts.counts:
            by_task.setdefault(each.task, []).append(bool(each.facts.success))
    return {task: passed_by_majority(earned) for task, earned in by_task.items()}


def _passes(plan: Plan, found: Sequence[Played], focus: Collection[str] | None) -> Table:
    table = make_table("control", "majority", "focus", "rest", "gained", "lost")
    first = majority(plan.arms[0].name, found)
    for arm in plan.arms:
        passed = majority(arm.name, found)
        inside = {task: each for task, each in passed.items() if focus and task in focus}
        outside = {task: each for task, each in passed.items() if task not in inside}
        gained = [task for task, each in passed.items() if each and first.get(task) is False]
        lost = [task for task, each in passed.items() if not each and first.get(task)]
        table.add_row(
            arm.name, _of(passed), _of(inside) if focus else NOTHING,
            _of(outside) if focus else NOTHING, ", ".join(gained) or NOTHING,
            ", ".join(lost) or NOTHING,
        )  # fmt: skip
    return table


def _routes(plan: Plan, found: Sequence[Played]) -> Table:
    table = make_table("control", "sessions", "opening", "later", *OUTCOMES, "guards", "nudges")
    for arm in plan.arms:
        mine = [each.facts.control for each in found if each.arm == arm.name]
        all_of = together(mine)
        table.add_row(
            arm.name, str(len(mine)), str(all_of.immediate), str(all_of.emergent),
            *(str(all_of.outcomes.get(each, 0)) for each in OUTCOMES),
            str(sum(all_of.guards.values())), str(all_of.nudges),
        )  # fmt: skip
    return table


def _overhead(plan: Plan, found: Sequence[Played]) -> Table:
    """What each way of control asks for: of the customer, of the model and in time."""
    table = make_table("control", "turns", "messages", "cards per write", "seconds", "tokens")
    for arm in plan.arms:
        mine = [each.facts for each in found if each.arm == arm.name]
        writes = sum(each.writes for each in mine)
        seconds = [each.seconds for each in mine if each.seconds is not None]
        table.add_row(
            arm.name,
            _mean([each.turns for each in mine]),
            _mean([each.messages for each in mine]),
            f"{sum(each.cards.shown for each in mine) / writes:.2f}" if writes else NOTHING,
            _mean(seconds),
            f"{sum(each.expenses.total.tokens for each in mine):,}",
        )
    return table


def _mean(values: Sequence[float]) -> str:
    return f"{sum(values) / len(values):.2f}" if values else NOTHING


def _of(passed: dict[str, bool]) -> str:
    if not passed:
        return NOTHING
    count = sum(passed.values())
    return f"{count}/{len(passed)} ({count / len(passed):.0%})"
