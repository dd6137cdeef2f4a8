"""Export a τ²-bench results file, which `tau2 view` opens and its evaluator can score again."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from domains.core.domain import Domain, Scenario
from sessions.events import Imported, Logged, Scored, SessionStarted
from sessions.exporting.attention import leave_out
from sessions.exporting.confirmations import Row
from sessions.exporting.gathering import Gathered
from sessions.exporting.steps import conversation_steps
from sessions.exporting.tau2_messages import messages_of
from sessions.exporting.tau2_tasks import basis_of, task_of
from sessions.exporting.writing import no_rows
from sessions.scoring import keep_verdicts, score
from sessions.scoring.imported import imported_run, scenario_of, with_verdicts
from sessions.scoring.trajectory import ENDINGS
from sessions.store.errors import ExportError
from sessions.views import SessionStatus, expenses, status
from sessions.views.timing import duration, end_event, with_original_times

FREE_PLAY = "sessions of free play: τ²-bench has no task for them"
UNENDED = "sessions that have not ended"
OTHERS = "sessions of another domain than the first one's: a file has only one"
TASK_CHANGED = "sessions of a task that is not here or was changed; see --tasks"
OWN_RECORDS = (
    "sessions on records that are not τ²-bench's, included for viewing only: it cannot replay them"
)
JUDGED = (
    "sessions whose task needs a reader's judgement, scored in the file by records and words only"
)
OTHER_AGENTS = (
    "agents other than the first, whose sessions are under its name: a file has only one; see "
    "--model"
)
MORE_ENDS = "sessions whose task has more acceptable ends than the first, the only one in the file"
NEWER = {"timeout": "max_steps"}
"""Endings that older editions cannot read, and the nearest ones; neither earns a reward."""


@dataclass(frozen=True, slots=True)
class Fitting:
    """A session that fits into the file."""

    log: Sequence[Logged]
    """The log, with the times at which the session was originally played."""

    domain: Domain
    scenario: Scenario
    held: SessionStatus
    run: Imported | None
    """The run that the session is a copy of; None if it was played here."""


class Tasks:
    """The tasks of the file, each with a unique id, and the number of trials of each."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self._ids: dict[str, str] = {}
        self._seen: Counter[str] = Counter()
        self._trials: Counter[str] = Counter()

    @property
    def most_trials(self) -> int:
        """The number of trials of the task that has the most."""
        return max(self._trials.values(), default=0)

    def add_trial(self, each: Fitting) -> Row:
        """Register a trial and return the id of its task and its number, counted from 0.

        If two different tasks share an id, a number is appended to the later one's.
        """
        key = each.scenario.digest
        if key not in self._ids:
            own = each.scenario.id
            self._seen[own] += 1
            self._ids[key] = own if self._seen[own] == 1 else f"{own}-{self._seen[own]}"
            self.rows.append({**task_of(each.log, each.scenario), "id": self._ids[key]})
        number = self._trials[key]
        self._trials[key] += 1
        return {"task_id": self._ids[key], "trial": number}


def parts(gathered: Gathered) -> Iterator[str]:
    """Yield the file as pieces of text, with one session in memory at a time.

    What counts the runs comes after them, so that every log is read only once. Raises StoreError,
    and ExportError if no session fits.
    """
    tasks = Tasks()
    info: Row = {}
    for number, each in enumerate(_fit(gathered)):
        if not number:
            info = _info(each)
            yield json.dumps({"timestamp": each.log[0].at})[:-1] + ', "simulations": ['
        trial = tasks.add_trial(each)
        yield (", " if number else "") + json.dumps({**_simulation(gathered, each), **trial})
    if not tasks.rows:
        raise ExportError(no_rows("session", gathered.left_out))
    yield '], "tasks": [' + ", ".join(map(json.dumps, tasks.rows)) + "], "
    yield json.dumps({"info": {**info, "num_trials": tasks.most_trials}})[1:] + "\n"


def _fit(gathered: Gathered) -> Iterator[Fitting]:
    """Yield the sessions that fit into one file."""
    name: str | None = None
    agents: set[tuple[str, str]] = set()
    for log, domain in gathered.logs_with_domains():
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
            name, run = domain.name, imported_run(log)
            agents.add((held.model, run.agent if run else ""))
            if len(agents) > 1:
                gathered.left_out[OTHER_AGENTS] = len(agents) - 1
            yield Fitting(with_original_times(log), domain, scenario, held, run)


def _scenario(log: Sequence[Logged], domain: Domain, scenario_id: str) -> Scenario | None:
    """The task that was played; None if it is missing here or has changed."""
    from domains.core.domain import DomainError

    started = log[0].event
    assert isinstance(started, SessionStarted)
    try:
        scenario = scenario_of(domain, scenario_id, log)
    except DomainError:
        return None
    return scenario if started.scenario_digest in (None, scenario.digest) else None


def _info(first: Fitting) -> Row:
    started = first.log[0].event
    assert isinstance(started, SessionStarted)
    agent = (first.run and first.run.agent) or "saber-console"
    return {
        "git_commit": f"saber-console {started.program}",
        "max_steps": started.max_turns,
        "max_errors": 0,
        "user_info": {"implementation": "person"},
        "agent_info": {"implementation": agent, "llm": started.model},
        "environment_info": {"domain_name": first.domain.name, "policy": first.domain.policy},
    }


def _simulation(gathered: Gathered, each: Fitting) -> Row:
    log, domain, scenario, held, run = each.log, each.domain, each.scenario, each.held, each.run
    last, paid = end_event(log) or log[-1], expenses(log)
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
        "duration": duration(log) or 0.0,
        "termination_reason": NEWER.get(ending, ending),
        "agent_cost": (paid.agent + paid.auxiliary).cost or 0.0,
        "user_cost": paid.customer.cost or 0.0,
        "reward_info": _reward_info(_score_of(each), scenario, run),
        "messages": list(messages_of(conversation_steps(log), domain, gathered.left_out)),
        "seed": None,
    }


def _score_of(each: Fitting) -> Scored:
    """The score of the session, with the existing verdicts on assertions."""
    assertions = with_verdicts(keep_verdicts(each.scenario, each.held.scored), each.run)
    return score(each.domain, each.scenario, each.log, assertions=assertions)


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
