from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from console import cli
from sessions.store.store import Store

TASKS = "clicky-keyboard,shoes-not-needed"


def saber(*words: str, db: Path) -> Result:
    return CliRunner().invoke(cli.saber, [*words, "--db", str(db)])


def ran(result: Result) -> str:
    assert result.exit_code == 0, result.output
    return " ".join(result.stdout.split())


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "sessions.sqlite"


def test_a_run_is_one_json_document(db: Path) -> None:
    told: dict[str, Any] = json.loads(
        ran(saber("run", "--tasks", TASKS, "--trials", "2", "--json", db=db))
    )
    assert told["run"].startswith("retail-")
    assert (told["model"], told["customer"], told["trials"]) == ("clerk", "scripted", 2)
    assert (told["sessions_planned"], told["sessions_finished"]) == (4, 4)
    (arm,) = told["arms"]
    own = arm["success"]["tau2"]
    assert own["succeeded"] == {"count": 4, "n": 4, "value": 1.0, "interval": None}
    assert [each["k"] for each in own["reliability"]] == [1, 2]
    assert any("2 tasks × 2 trials" in sentence for sentence in told["rests_on"])
    assert arm["unconsented"]["value"] == 0.0
    assert arm["safeguards"]["gate"] is True
    keys = {
        "session", "arm", "task", "trial", "seed", "model", "safeguards", "ended", "rewards",
        "turns", "cards", "declined", "writes", "writes_without_yes", "tokens", "cost", "fault",
        "unpriced_tokens", "expenses", "writes_without_card", "control",
    }  # fmt: skip
    assert all(set(each) == keys for each in told["sessions"])
    with Store.open(db, read_only=True) as store:
        assert {row.id for row in store.sessions()} == {s["session"] for s in told["sessions"]}


def test_a_run_prints_its_numbers_and_says_so_when_there_was_nothing_left_to_do(db: Path) -> None:
    first = ran(saber("run", "--tasks", TASKS, "--trials", "2", db=db))
    assert "4 of 4 sessions; Retail" in first
    for name in (
        "τ²-bench's reward 100.0 %",
        "pass^2",
        "our verdict 100.0 %",
        "writes without yes 0.0 %",
    ):
        assert name in first
    again = ran(saber("run", "--tasks", TASKS, "--trials", "2", db=db))
    assert "4 of 4 sessions, 4 of them before" in again


def test_the_safeguards_are_compared_over_the_same_tasks(db: Path) -> None:
    table = ran(
        saber("ablate", "--model", "clerk+wrong-payment", "--tasks", TASKS, "--context", "on",
              db=db)
    )  # fmt: skip
    assert "8 of 8 sessions" in table
    for arm in ("none, context", "reflection, context", "verification, context", "both, context"):
        assert arm in table
    assert "without yes" in table
    assert "planted" in table
    assert "4 arms of 2 tasks × 1 trial." in table
    told = json.loads(
        ran(
            saber("ablate", "--model", "clerk+wrong-payment", "--tasks", TASKS, "--context", "on",
                  "--json", db=db)
        )
    )  # fmt: skip
    assert told["finished_before"] == 8
    shares = {arm["arm"]: arm["unconsented"]["value"] for arm in told["arms"]}
    assert shares["none, context"] == shares["reflection, context"] == 1.0
    assert shares["verification, context"] == shares["both, context"] == 0.0


def test_every_mistake_in_turn_has_a_line_of_its_own(db: Path) -> None:
    table = ran(
        saber("ablate", "--model", "clerk+all", "--tasks", TASKS, "--context", "off", db=db)
    )
    assert "no context" in table
    assert table.count(" of 1") == 8


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("run", "--tasks", "nonsense"), "There is no scenario 'nonsense'"),
        (("run", "--split", "train"), "in the split 'train'"),
        (("run", "--model", "clerk+nonsense", "--tasks", TASKS), "no such mistake"),
        (("run", "--model", "a b", "--tasks", TASKS), "not a model's name"),
        (("run", "--customer", "a b", "--tasks", TASKS), "not a model's name"),
        (("run", "--name", "../x", "--tasks", TASKS), "A run's name"),
        (("run", "--domain", "nonsense"), "There is no domain"),
        (("run", "--tasks", "."), "--tasks-from"),
        (("run", "--tasks-from", "tasks.json", "--data", "demo"), "--data"),
    ],
)
def test_what_cannot_be_run_is_told_in_a_sentence(
    db: Path, words: tuple[str, ...], sentence: str
) -> None:
    result = saber(*words, db=db)
    assert result.exit_code == 2
    assert sentence in result.output
    assert "Traceback" not in result.output


def test_other_settings_under_the_same_name_are_refused(db: Path) -> None:
    ran(saber("run", "--tasks", "shoes-not-needed", "--name", "mine", db=db))
    result = saber("run", "--tasks", "shoes-not-needed", "--name", "mine", "--no-gate", db=db)
    assert result.exit_code == 2
    assert "other settings" in result.output
