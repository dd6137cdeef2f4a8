"""Score an imported run by the task that came with it and by the rules of its own program."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import overload

from domains.core.domain import Domain, Scenario
from domains.tau2 import tasks as tau2_tasks
from sessions.events import AssertionCheck, Imported, Logged, Scored, SessionForked


def imported_run(events: Sequence[Logged]) -> Imported | None:
    """The run that a session is a copy of; None if the session was played or continued here."""
    forked = any(isinstance(logged.event, SessionForked) for logged in events)
    second = events[1].event if len(events) > 1 else None
    return second if isinstance(second, Imported) and not forked else None


@overload
def scenario_of(domain: Domain, scenario_id: str, events: Sequence[Logged]) -> Scenario: ...
@overload
def scenario_of(
    domain: Domain, scenario_id: str | None, events: Sequence[Logged]
) -> Scenario | None: ...
def scenario_of(
    domain: Domain, scenario_id: str | None, events: Sequence[Logged]
) -> Scenario | None:
    """The scenario of a session; None in free play. Raises DomainError.

    Files use the same ids for different tasks, so an imported run brings its own task.
    """
    if scenario_id is None:
        return None
    second = events[1].event if len(events) > 1 else None
    if isinstance(second, Imported) and second.task:
        return tau2_tasks.task_from_run(second.task, domain, second.source)
    return domain.scenario(scenario_id)


def with_verdicts(
    checks: Iterable[AssertionCheck], run: Imported | None
) -> tuple[AssertionCheck, ...]:
    """The checks; those without a verdict get the one that the run's own judge gave."""
    told = {each.text: each for each in (run.verdicts if run else ())}
    return tuple(
        told.get(each.text, each) if each.verdict == "not judged" else each for each in checks
    )


def with_imported_reward(scored: Scored, run: Imported | None) -> Scored:
    """The score of an imported run, with the reward that its own program would give.

    That reward follows the task's basis and is 0 for a run that was cut short. If assertions that
    count were not judged, our own reward stays. The score of any other session is returned
    unchanged.
    """
    if run is None or scored.main is None:
        return scored
    return scored.model_copy(update={"reward": scored.main})
