"""τ²-bench's results file: what `tau2 view` opens, and what its evaluator scores again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import datetime

from domains.domain import Domain, Scenario
from sessions.events import Imported, Logged, Scored, SessionEnded, SessionStarted
from sessions.exporting.attention import leave_out
from sessions.exporting.confirmations import Row
from sessions.exporting.gathering import Gathered
from sessions.exporting.tau2_messages import messages_of
from sessions.exporting.tau2_tasks import basis_of, task_of
from sessions.exporting.telling import told
from sessions.scoring import kept, score
from sessions.scoring.imported import imported_run, scenario_of, with_verdicts
from sessions.scoring.trajectory import ENDINGS
from sessions.views import expenses, status

FREE_PLAY = "sessions of free play: τ²-bench has no task for them"
UNENDED = "sessions that have not ended"
OTHERS = "sessions of another domain than the first one's: a file has one"
TASK_CHANGED = "sessions of a task that is not here or was changed; see --tasks"
OWN_RECORDS = "sessions on records that are not τ²-bench's stand for viewing: it cannot replay them"
JUDGED = "sessions whose task needs a reader's judgement, scored by records and words in the file"
MORE_ENDS = "sessions whose task has more acceptable ends than the first, which alone is told"
NEWER = {"timeout": "max_steps"}
"""Endings that older editions cannot read, and what comes nearest; either gives no reward."""


def parts(gathered: Gathered) -> Iterator[str]:
    """The file as pieces of text, one session in memory at a time; raises StoreError.

    Tasks stand before the runs there, so that the logs are gone through twice.
    """
    tasks: dict[str, tuple[str, Row]] = {}
    info: Row | None = None
    began = ""
    kept_out = Gathered(gathered.store, gathered.sessions, gathered.find)
    for log, domain, scenario in _fit(kept_out):
        info = info or _info(log, domain)
        began = began or log[0].at
        tasks.setdefault(_task_key(scenario), (scenario.id, task_of(log, scenario)))
    ids = _ids(tasks)
    head = {"timestamp": began, "info": info or _no_info()}
    yield json.dumps(head)[:-1] + ', "tasks": ['
    yield ", ".join(json.dumps({**task, "id": ids[key]}) for key, (_, task) in tasks.items())
    yield '], "simulations": ['
    trials: dict[str, int] = {}
    for number, (log, domain, scenario) in enumerate(_fit(gathered)):
        task = ids[_task_key(scenario)]
        trials[task] = trials.get(task, -1) + 1
        run = _simulation(gathered, log, domain, scenario)
        yield (", " if number else "") + json.dumps({**run, "task_id": task, "trial": trials[task]})
    yield "]}\n"


def _fit(gathered: Gathered) -> Iterator[tuple[list[Logged], Domain, Scenario]]:
    """The sessions that can stand in one file, each with its domain and scenario."""
    name: str | None = None
    for log, domain in gathered.held():
        held = status(log)
        if held.scenario is None:
            gathered.left_out[FREE_PLAY] += 1
        elif held.ended is None:
            gathered.left_out[UNENDED] += 1
        elif name not in (None, domain.name):
            gathered.left_out[OTHERS] += 1
        elif (scenario := _scenario(log, domain, held.scenario)) is None:
            gathered.left_out[TASK_CHANGED] += 1
        else:
            name = domain.name
            yield log, domain, scenario


def _scenario(log: Sequence[Logged], domain: Domain, scenario_id: str) -> Scenario | None:
    """The task that was played; None where it is not here as it was."""
    from domains.domain import DomainError

    started = log[0].event
    assert isinstance(started, SessionStarted)
    try:
        scenario = scenario_of(domain, scenario_id, log)
    except DomainError:
        return None
    return scenario if started.scenario_digest in (None, scenario.digest) else None


def _task_key(scenario: Scenario) -> str:
    return scenario.digest


def _ids(tasks: dict[str, tuple[str, Row]]) -> dict[str, str]:
    """An id for each task: its own, with a number where two different ones share it."""
    seen: dict[str, int] = {}
    found = {}
    for key, (own, _) in tasks.items():
        seen[own] = seen.get(own, 0) + 1
        found[key] = own if seen[own] == 1 else f"{own}-{seen[own]}"
    return found


def _info(log: Sequence[Logged], domain: Domain) -> Row:
    started = log[0].event
    assert isinstance(started, SessionStarted)
    return {
        "git_commit": f"saber-console {started.program}",
        "num_trials": 1,
        "max_steps": started.max_turns,
        "max_errors": 0,
        "user_info": {"implementation": "person"},
        "agent_info": {"implementation": "saber-console", "llm": started.model},
        "environment_info": {"domain_name": domain.name, "policy": domain.policy},
    }


def _no_info() -> Row:
    return {
        "git_commit": "saber-console",
        "num_trials": 1,
        "max_steps": 0,
        "max_errors": 0,
        "user_info": {"implementation": "person"},
        "agent_info": {"implementation": "saber-console"},
        "environment_info": {"domain_name": "", "policy": ""},
    }


def _simulation(
    gathered: Gathered, log: Sequence[Logged], domain: Domain, scenario: Scenario
) -> Row:
    held, last, paid = status(log), _end(log), expenses(log)
    run = imported_run(log)
    leave_out(log, gathered.left_out)
    if held.data is None:
        gathered.left_out[OWN_RECORDS] += 1
    if "NL_ASSERTION" in scenario.basis and run is None:
        gathered.left_out[JUDGED] += 1
    if len(scenario.ends) > 1:
        gathered.left_out[MORE_ENDS] += 1
    ending = run.ending if run and run.source == "tau2" else ENDINGS[held.ended or "customer"]
    return {
        "id": held.session,
        "task_id": scenario.id,
        "timestamp": log[0].at,
        "start_time": log[0].at,
        "end_time": last.at,
        "duration": _seconds(log[0].at, last.at),
        "termination_reason": NEWER.get(ending, ending),
        "agent_cost": (paid.agent + paid.auxiliary).cost or 0.0,
        "user_cost": paid.customer.cost or 0.0,
        "reward_info": _reward_info(_scored(log, domain, scenario, run), scenario, run),
        "messages": list(messages_of(told(log), domain, gathered.left_out)),
        "trial": 0,
        "seed": None,
    }


def _end(log: Sequence[Logged]) -> Logged:
    """Where the conversation ended; it may have been scored and judged years later."""
    return next((each for each in reversed(log) if isinstance(each.event, SessionEnded)), log[-1])


def _seconds(began: str, ended: str) -> float:
    """How long that was; clocks may have gone backwards meanwhile."""
    return max(0.0, (datetime.fromisoformat(ended) - datetime.fromisoformat(began)).total_seconds())


def _scored(
    log: Sequence[Logged], domain: Domain, scenario: Scenario, run: Imported | None
) -> Scored:
    """The score it has, or the one it would have."""
    earlier = status(log).scored
    assertions = with_verdicts(kept(scenario, earlier), run)
    return score(domain, scenario, log, assertions=assertions)


def _reward_info(scored: Scored, scenario: Scenario, run: Imported | None) -> Row:
    basis = basis_of(scenario, run)
    by_task = basis == list(scenario.basis) and scored.main is not None
    reward = scored.main if by_task else scored.classic
    judged = [each for each in scored.assertions if each.verdict != "not judged"]
    return {
        "reward": reward or 0.0,
        "db_check": {"db_match": bool(scored.task_end), "db_reward": float(bool(scored.task_end))},
        "action_checks": [
            {
                "action": {
                    "action_id": f"{scenario.id}_{number}",
                    "name": each.name,
                    "arguments": each.arguments,
                },
                "action_match": each.made,
                "action_reward": float(each.made),
            }
            for number, each in enumerate(scored.actions)
        ],
        "communicate_checks": [
            {"info": each.text, "met": each.said, "justification": ""} for each in scored.said
        ],
        "nl_assertions": [
            {"nl_assertion": each.text, "met": each.verdict == "met", "justification": each.why}
            for each in judged
        ],
        "reward_basis": basis,
        "reward_breakdown": {},
        "info": {
            "saber_reward": scored.reward,
            "by_the_task": scored.main,
            "cut_short": scored.cut_short,
        },
    }
