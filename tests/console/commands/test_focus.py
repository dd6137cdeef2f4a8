from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner, Result

from console import cli

PLAIN, FALLBACK = "shoes-not-needed", "clicky-keyboard"


def saber(*given: str) -> Result:
    return CliRunner().invoke(cli.saber, list(given))


def test_a_baseline_run_gives_a_focus_set_that_every_command_takes(tmp_path: Path) -> None:
    db = str(tmp_path / "it.sqlite")
    tasks = f"{PLAIN},{FALLBACK}"
    run = ("run", "--control", "none", "--db", db)
    assert saber(*run, "--tasks", tasks, "--name", "base").exit_code == 0
    made = saber("focus", "--runs", "base", "--db", db)
    assert made.exit_code == 0, made.output
    assert "1 of 2 tasks of retail are in focus; 1 of 2 sessions of base" in made.output
    assert "as labelled by rules." in made.output
    told = json.loads(saber("focus", "--runs", "base", "--db", db, "--json").output)
    assert told["tasks"] == [FALLBACK]
    listed = json.loads(saber("scenarios", "--split", "focus", "--db", db, "--json").output)
    assert {each["id"] for each in listed} == set(told["tasks"])
    again = saber(*run, "--split", "focus", "--name", "again", "--json")
    assert again.exit_code == 0, again.output


def test_without_a_set_a_sentence_says_how_to_make_one(tmp_path: Path) -> None:
    db = str(tmp_path / "it.sqlite")
    for given in (("scenarios", "--split", "focus"), ("run", "--split", "focus")):
        refused = saber(*given, "--db", db)
        assert (refused.exit_code, "saber focus --runs" in refused.output) == (2, True)


def test_the_clerk_judges_nobody(tmp_path: Path) -> None:
    refused = saber("focus", "--runs", "x", "--judge", "clerk", "--db", str(tmp_path / "it.sqlite"))
    assert refused.exit_code == 2
    assert "cannot read conversations" in refused.output


def test_ways_of_control_are_compared_each_with_the_card_and_without(tmp_path: Path) -> None:
    found = saber(
        "ablate", "--control", "none", "--control", "routed", "--card", "both",
        "--tasks", FALLBACK, "--model", "clerk+wrong-item", "--json",
        "--db", str(tmp_path / "it.sqlite"),
    )  # fmt: skip
    assert found.exit_code == 0, found.output
    told = json.loads(found.output)
    arms = ["none, card", "routed, card", "none, no card", "routed, no card"]
    assert [each["arm"] for each in told["arms"]] == arms


def test_the_ways_of_control_are_told_with_routes_verdicts_and_the_focus(tmp_path: Path) -> None:
    db = str(tmp_path / "it.sqlite")
    tasks = ("--tasks", f"{PLAIN},{FALLBACK}", "--db", db)
    saber("run", "--control", "none", "--name", "base", *tasks)
    saber("focus", "--runs", "base", "--db", db)
    found = saber(
        "ablate", "--control", "none", "--control", "routed", "--model", "clerk+wrong-item", *tasks
    )
    assert found.exit_code == 0, found.output
    rows = [line.split() for line in found.output.splitlines() if line.startswith("routed, card")]
    assert ["routed,", "card", "2/2", "(100%)", "1/1", "(100%)", "1/1", "(100%)", "0", "0"] in rows
    routes = next(row[3:] for row in rows if row[2] == "all")
    of, coupled, sessions, opening, later, malformed = map(int, routes)
    assert (of, coupled, sessions, opening + later, malformed) == (2, 1, 2, 1, 0)
    assert ["routed,", "card", "1", "1", *["0"] * 6] in rows
    assert "sent back by a guard" in found.output
