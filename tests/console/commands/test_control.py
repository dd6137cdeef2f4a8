from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from agent.control.experiment_arms import ARMS
from console import cli, opening
from console.setup import Fork, Setup
from sessions.store.store import Store
from sessions.views import status

TASK = "clicky-keyboard"


def opened(monkeypatch: pytest.MonkeyPatch, *words: str) -> Setup:
    seen: list[Setup] = []
    monkeypatch.setattr(opening, "open_app", lambda setup, begin: seen.append(setup))
    done = CliRunner().invoke(cli.saber, ["play", *words])
    assert done.exit_code == 0, done.output
    return seen[0]


@pytest.mark.parametrize("control", [*ARMS])
def test_play_opens_with_the_arm_that_was_named(
    monkeypatch: pytest.MonkeyPatch, control: str
) -> None:
    switches = opened(monkeypatch, "--control", control, "--router", "rules").switches
    told = (switches.reflection, switches.context, switches.control, switches.router)
    saber, routed = "saber" in control, "routed" if "routed" in control else "baseline"
    assert told == (saber, saber, routed, "rules")
    assert switches.gate


def test_a_fork_changes_the_control_only_where_it_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert opened(monkeypatch, "--fork", "X").fork == Fork("X")
    fork = opened(monkeypatch, "--fork", "X", "--control", "routed").fork
    assert fork == Fork("X", switches=ARMS["routed"])


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ((), (True, True, "baseline")),
        (("--control", "routed"), (False, False, "routed")),
        (("--control", "routed+saber", "--no-context"), (True, False, "routed")),
    ],
)
def test_a_run_is_held_under_the_arm_that_was_named(
    tmp_path: Path, words: tuple[str, ...], wanted: tuple[object, ...]
) -> None:
    db = tmp_path / "s.sqlite"
    done = CliRunner().invoke(
        cli.saber, ["run", "--tasks", TASK, "--data", "demo", *words, "--db", str(db)]
    )
    assert done.exit_code == 0, done.output
    with Store.open(db, read_only=True) as store:
        (row,) = store.sessions()
        guards = status(store.read(row.id)).safeguards
    assert (guards.reflection, guards.context, guards.control) == wanted
