"""Rebuilds the plan of an earlier run from the logs of its sessions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from agent.control.experiment_arms import ARMS
from agent.headless.ablation import arms, control_arms
from agent.headless.plan import Arm, Plan, RunError
from agent.memory.retrieval import recall_if_here
from domains.core.domain import Domain
from sessions.events import RunPlace, Safeguards, SessionStarted
from sessions.store.store import Store

Load = Callable[[str, Path | None, Path | None], Domain]
"""Loads a domain by its name, with the records and tasks at the given paths: `domains.load`."""


def recorded_plan(store: Store, name: str, load: Load) -> Plan:
    """The plan of an earlier run.

    Raises RunError if there is no such run, and DomainError if its records or tasks are no longer
    where they were.
    """
    held = [(started, started.run) for started in starts(store, name) if started.run]
    if not held:
        raise RunError(f"There is no run called {name} in {store.path}. See saber sessions.")
    first, run = held[0]
    data, tasks = _path(first.data), _path(first.tasks)
    domain = load(first.domain, data, tasks)
    played = {started.scenario for started, _ in held}
    return Plan(
        domain=domain,
        scenarios=tuple(each for each in domain.all_scenarios if each.id in played),
        model=run.agent or first.model,
        customer=run.customer,
        arms=_arms(held),
        auxiliary=first.auxiliary,
        trials=max(each.trial for _, each in held),
        data=data,
        tasks=tasks,
        max_turns=first.max_turns,
        limits=first.limits,
        requests=first.requests,
        seed=run.run_seed or 0,
        memory=recall_if_here(store, _originals(store, name)[0], first.memory),
        given_name=name,
    )


def starts(store: Store, name: str) -> list[SessionStarted]:
    """The first event of each session of a run, without copies."""
    firsts = [store.read(each)[0].event for each in _originals(store, name)]
    return [each for each in firsts if isinstance(each, SessionStarted)]


def _originals(store: Store, name: str) -> list[str]:
    """The ids of a run's sessions, without copies."""
    return [row.id for row in store.of_run(name) if not row.parent]


def _arms(held: list[tuple[SessionStarted, RunPlace]]) -> tuple[Arm, ...]:
    """The arms in the order of an ablation, whose first arm is the one to compare the others with.

    The log does not give the order, because sessions of several arms start at the same time.
    """
    found = {run.arm: started.safeguards for started, run in held}
    usual = Safeguards()
    order = [arm.name for arm in (*arms(usual), *control_arms(usual, ARMS, "both"))]
    names = sorted(found, key=lambda name: order.index(name) if name in order else len(order))
    return tuple(Arm(found[name], name) for name in names)


def _path(text: str | None) -> Path | None:
    return None if text is None else Path(text)
