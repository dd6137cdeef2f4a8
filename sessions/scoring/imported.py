"""What an imported run is scored by: the task that came with it, the way its program does it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import overload

from domains.core.domain import Domain, Scenario
from domains.tau2 import tasks as tau2_tasks
from sessions.events import AssertionCheck, Imported, Logged, Scored, SessionForked


def imported_run(events: Sequence[Logged]) -> Imported | None:
    """The run that a session is a copy of; None for one that was held, or went on, here."""
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
    """The scenario that a session was held on, None in free play; raises DomainError.

    Tasks of one id differ from file to file, so that a run brings its own.
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
    """The checks, those that nobody here has judged with what the run's own judge said."""
    told = {each.text: each for each in (run.verdicts if run else ())}
    return tuple(
        told.get(each.text, each) if each.verdict == "not judged" else each for each in checks
    )


def as_there(scored: Scored, run: Imported | None) -> Scored:
    """The score of an imported run with the reward that its own program would give.

    Its basis decides, and a run that was cut short has none; where assertions that count were
    not judged, the reward stays ours.
    """
    if run is None or scored.main is None:
        return scored
    return scored.model_copy(update={"reward": scored.main})
