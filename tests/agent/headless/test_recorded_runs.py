"""Recorded conversations, played anew over the line by both sides, end with their own rewards.

One of each task, and all hundred in a whole run.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import domains
from agent.headless.plan import Arm, Plan
from console import cli
from domains.core.domain import Domain
from sessions.events import Safeguards
from sessions.importing import read_runs
from sessions.importing.runs import Run
from tests.agent.headless.recorded_runs import AGENT, CUSTOMER, Recording, behaviours
from tests.agent.models.litellm.wire_thread import wire_server
from tests.effort import WHOLE
from tests.shared_data import TAU2

FILE = TAU2.with_name("tau1") / "gpt-4o-airline.dev.json"
STEPS = 30
"""Actions of the agent after which τ-bench cut a run off."""

TRIALS = 4 if WHOLE else 1

pytestmark = pytest.mark.skipif(not FILE.is_file(), reason="the recorded runs are not here")


def tasks_file(folder: Path) -> Path:
    """The tasks of the recorded runs, each once: they are the first edition's."""
    runs = [each for each in read_runs(FILE, "airline", "gpt-4o") if isinstance(each, Run)]
    tasks = {run.task["id"]: run.task for run in runs if run.task}
    path = folder / "tasks.json"
    path.write_text(json.dumps([*tasks.values()]), "utf-8")
    return path


def recorded() -> dict[tuple[str, int], dict[str, Any]]:
    """The recorded runs by task and trial, counted from 1."""
    found: list[dict[str, Any]] = json.loads(FILE.read_text("utf-8"))
    return {(str(each["task_id"]), each["trial"] + 1): each for each in found}


def seeds(domain: Domain, trials: int) -> dict[tuple[str, int], int]:
    """What each session's chance begins from, by which its requests are told."""
    plan = Plan(
        domain, domain.scenarios, AGENT, CUSTOMER, (Arm(Safeguards()),), trials=trials
    )  # fmt: skip
    return {(each.scenario.id, each.run.trial): each.run.seed for each in plan.places()}


@pytest.mark.parametrize(
    "some",
    [slice(6), pytest.param(slice(6, None, 1 if WHOLE else 2), marks=pytest.mark.heavy)],
    ids=["few", "the others"],
)
def test_a_run_of_recorded_conversations_ends_with_the_recorded_rewards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, some: slice
) -> None:
    file, runs = tasks_file(tmp_path), recorded()
    domain = domains.load("airline", TAU2, file)
    place_seeds = seeds(domain, TRIALS)
    ids = [each.id for each in domain.scenarios][some]
    told = {place_seeds[place]: Recording(run) for place, run in runs.items() if place[1] <= TRIALS}
    with wire_server(behaviours(told)) as server:
        monkeypatch.setenv("OPENAI_API_BASE", server.base)
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        done = CliRunner().invoke(
            cli.saber,
            ["run", "--domain", "airline", "--data", str(TAU2), "--tasks-from", str(file),
             "--tasks", ",".join(ids), "--trials", str(TRIALS), "--max-actions", str(STEPS),
             "--model", f"openai/{AGENT}+tools", "--customer", f"openai/{CUSTOMER}",
             "--think-tool", "--no-gate", "--no-reflection", "--no-context", "--json",
             "--db", str(tmp_path / "s.sqlite")],
        )  # fmt: skip
    assert done.exit_code == 0, done.output
    sessions = json.loads(done.stdout)["sessions"]
    assert len(sessions) == len(ids) * TRIALS
    other = {
        (each["task"], each["trial"]): (each["rewards"], each["ended"], each["fault"])
        for each in sessions
        if each["rewards"]["classic"] != runs[each["task"], each["trial"]]["reward"]
    }
    assert other == {}
    assert len({runs[each["task"], each["trial"]]["reward"] for each in sessions}) == 2
