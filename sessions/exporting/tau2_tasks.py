"""Write a scenario as a τ²-bench task for a results file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from domains.core.domain import Scenario
from sessions.events import Imported, Logged
from sessions.scoring.checks import CLASSIC


def task_of(log: Sequence[Logged], scenario: Scenario) -> dict[str, Any]:
    """The task of a session: an imported run's own task, or one built from the scenario."""
    run = log[1].event if len(log) > 1 else None
    if isinstance(run, Imported) and run.task:
        return run.task
    listed = scenario.actions or ()
    calls = [(each.call, each.compare) for each in listed]
    calls = calls or [(call, None) for call in (scenario.ends or ((),))[0]]
    return {
        "id": scenario.id,
        "user_scenario": {"instructions": _instructions(scenario)},
        "evaluation_criteria": {
            "actions": [
                {
                    "action_id": f"{scenario.id}_{number}",
                    "name": call.name,
                    "arguments": dict(call.arguments),
                    "compare_args": None if compare is None else list(compare),
                }
                for number, (call, compare) in enumerate(calls)
            ],
            "communicate_info": list(scenario.communicate),
            "nl_assertions": list(scenario.assertions),
            "reward_basis": basis_of(scenario, run=None),
        },
    }


def basis_of(scenario: Scenario, run: Imported | None) -> list[str]:
    """The basis of a run's reward in the file.

    If the task has assertions that count, this is the classic basis, since repeating a judgement
    would need a model. An imported run keeps the basis of its task.
    """
    judged = "NL_ASSERTION" in scenario.basis and run is None
    return list(CLASSIC if judged else scenario.basis)


def _instructions(scenario: Scenario) -> str:
    role = scenario.role
    lines = [role.who, *role.wants, *role.knows, *role.does_not_know, role.manner]
    return "\n".join(line for line in lines if line)
