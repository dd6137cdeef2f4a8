"""Session files of conversations with cards, on the demo store or on τ²-bench's records."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from domains.core.domain import Domain, Scenario
from domains.core.tool import ToolCall
from sessions.events import AnyEvent, SessionStarted
from sessions.scoring import score
from sessions.store.store import Store
from tests.sessions.scoring.trajectories import Agent, Customer, Declined, Step, log_of_steps


def events_of(
    domain: Domain, scenario: Scenario | None, steps: Iterable[Step], data: Path | None = None
) -> list[AnyEvent]:
    """What a session of these steps would have recorded."""
    first, *rest = (logged.event for logged in log_of_steps(domain, steps))
    assert isinstance(first, SessionStarted)
    started = first.model_copy(
        update={
            "domain": domain.name,
            "source": domain.base.source,
            "data": None if data is None else str(data),
            "scenario": scenario.id if scenario else None,
            "scenario_digest": scenario.digest if scenario else None,
            "policy_digest": domain.policy_digest,
            "tools_digest": domain.tools_digest,
        }
    )
    return [started, *rest]


def right_steps(domain: Domain, scenario: Scenario) -> list[Step]:
    """A conversation that ends as the scenario should, each change declined once before."""
    steps: list[Step] = [Agent(domain.greeting), Customer("I need something changed.")]
    for call in scenario.ends[0]:
        if domain.tools.mutates(call.name):
            steps.append(Declined(other(call)))
        steps.append(call)
    return [*steps, Agent(f"All done. {' '.join(scenario.communicate)}"), Customer("Thanks.")]


def other(call: ToolCall) -> ToolCall:
    """A call that is not wanted in place of this one."""
    changed = {name: f"{value} " if isinstance(value, str) else value
               for name, value in call.arguments.items()}  # fmt: skip
    return ToolCall(call.name, changed)


def record(
    store: Store, domain: Domain, scenarios: Sequence[Scenario], data: Path | None = None
) -> list[str]:
    """Record a right and scored session of each scenario; their ids."""
    found = []
    for scenario in scenarios:
        steps = right_steps(domain, scenario)
        session = store.record(events_of(domain, scenario, steps, data))
        store.append(session, [score(domain, scenario, store.read(session))])
        found.append(session)
    return found
