from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from markdown_it import MarkdownIt

from console import cli
from console.reports.markdown import page, plain, table

TASKS = "clicky-keyboard,shoes-not-needed"


def saber(*words: str) -> Result:
    return CliRunner().invoke(cli.saber, list(words))


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "sessions.sqlite"


def held(db: Path, *words: str) -> None:
    done = saber(*words, "--db", str(db))
    assert done.exit_code == 0, done.output


def reported(db: Path, name: str, out: Path) -> tuple[str, str]:
    done = saber("report", name, "--out", str(out), "--db", str(db))
    assert done.exit_code == 0, done.output
    return (out / "report.md").read_text("utf-8"), (out / "index.html").read_text("utf-8")


def test_an_ablation_is_told_on_one_page_with_links_to_what_failed(
    db: Path, tmp_path: Path
) -> None:
    held(
        db, "ablate", "--model", "clerk+wrong-item", "--tasks", TASKS, "--context", "on",
        "--seed", "5", "--name", "mine",
    )  # fmt: skip
    told, shown = reported(db, "mine", tmp_path / "out")
    for heading in ("How it came out", "Deviations", "What failed", "What was played", "repeat"):
        assert heading in told
        assert heading in shown
    assert "planted" in told
    lines = [line for line in told.splitlines() if line.startswith("| none, context |")]
    assert lines
    (arms,) = [line for line in told.splitlines() if line.startswith("| safeguards | τ²")]
    assert "gain" in arms
    links = re.findall(r"\]\((sessions/\w+\.html)\)", told)
    assert links
    assert all((tmp_path / "out" / link).is_file() for link in links)
    assert all(f'href="{link}"' in shown for link in links)
    assert (tmp_path / "out" / "rewards.svg").read_text("utf-8").startswith("<?xml")
    assert "<script" not in shown


@pytest.mark.parametrize(
    "words",
    [
        ("run", "--tasks", TASKS, "--trials", "2", "--seed", "3", "--no-gate"),
        ("run", "--tasks", TASKS, "--model", "clerk+all", "--seconds", "60.5"),
        pytest.param(
            ("run", "--tasks", "all", "--customer", "careful", "--attention-checks", "0.5"),
            marks=pytest.mark.heavy,
        ),
        ("ablate", "--tasks", "shoes-not-needed", "--context", "both", "--max-turns", "9"),
        ("ablate", "--tasks", "shoes-not-needed", "--after-feedback", "execute", "--context",
         "off"),
        ("run", "--tasks", "clicky-keyboard", "--control", "none", "--router", "rules"),
        ("run", "--tasks", "clicky-keyboard", "--control", "routed+saber", "--no-context"),
        ("run", "--tasks", "clicky-keyboard", "--control", "routed", "--no-gate"),
        ("ablate", "--tasks", "clicky-keyboard", "--control", "routed", "--control", "none",
         "--card", "both"),
        ("ablate", "--tasks", "clicky-keyboard", "--control", "routed", "--card", "off"),
    ],
    ids=["run", "all mistakes", "careful", "ablate", "ablate off", "no control", "both",
         "routed", "ways of control", "no card"],
)  # fmt: skip
def test_the_command_that_is_told_is_the_run_itself(
    db: Path, tmp_path: Path, words: tuple[str, ...]
) -> None:
    held(db, *words, "--name", "mine")
    told, _ = reported(db, "mine", tmp_path / "out")
    (command,) = re.findall(r"```\n(saber .*)\n```", told)
    again = saber(*shlex.split(command)[1:], "--db", str(db), "--json")
    assert again.exit_code == 0, again.output
    assert '"finished_before": 0' not in again.output
    assert '"resumed": 0' in again.output
    before = re.search(r'"finished_before": (\d+)', again.output)
    planned = re.search(r'"sessions_planned": (\d+)', again.output)
    assert before
    assert planned
    assert before[1] == planned[1]


def test_ways_of_control_are_told_with_tables_and_pictures(db: Path, tmp_path: Path) -> None:
    held(db, "run", "--tasks", TASKS, "--control", "none", "--name", "base")
    held(db, *("focus", "--runs", "base"))
    held(
        db, "ablate", "--control", "routed", "--control", "none", "--model", "clerk+wrong-item",
        "--tasks", TASKS, "--name", "mine",
    )  # fmt: skip
    told, shown = reported(db, "mine", tmp_path / "out")
    lines = [line for line in told.splitlines() if line.startswith(("| none, ", "| routed, "))]
    assert "| none, card | 2/2 (100%) | 1/1 (100%) | 1/1 (100%) | – | – |" in lines
    assert "| routed, card | 2/2 (100%) | 1/1 (100%) | 1/1 (100%) | 0 | 0 |" in lines
    assert lines.index("| routed, card | all | 2 | 1 | 2 | 1 | 0 | 0 |") > 0
    for picture in ("dialogue.svg", "tools.svg"):
        assert f"]({picture})" in told
        assert f'src="{picture}"' in shown
        assert (tmp_path / "out" / picture).read_text("utf-8").startswith("<?xml")
    plain, _ = reported(db, "base", tmp_path / "plain")
    assert "Ways of control" not in plain
    assert not (tmp_path / "plain" / "dialogue.svg").exists()


def test_a_run_without_a_failure_says_so(db: Path, tmp_path: Path) -> None:
    held(db, "run", "--tasks", "shoes-not-needed", "--name", "mine")
    told, _ = reported(db, "mine", tmp_path / "out")
    assert "Every trial earned the whole reward." in told


def test_what_cannot_be_reported_is_a_sentence(db: Path, tmp_path: Path) -> None:
    held(db, "run", "--tasks", "shoes-not-needed", "--name", "mine")
    unknown = saber("report", "other", "--out", str(tmp_path / "out"), "--db", str(db))
    assert unknown.exit_code == 2
    assert "There is no run called other" in unknown.output
    reported(db, "mine", tmp_path / "out")
    twice = saber("report", "mine", "--out", str(tmp_path / "out"), "--db", str(db))
    assert twice.exit_code == 2
    forced = saber("report", "mine", "--out", str(tmp_path / "out"), "--db", str(db), "--force")
    assert forced.exit_code == 0


@pytest.mark.parametrize(
    "text",
    ["a|b", "[x](javascript:alert(1))", "<script>alert(1)</script>", "**no**", "![i](u)", "`c`",
     "a\n# b", "&lt;"],
)  # fmt: skip
def test_names_of_others_are_text_on_the_page(text: str) -> None:
    shown = page("t", table(["name"], [[plain(text)]]))
    cell = MarkdownIt("js-default").render(table(["name"], [[plain(text)]]))
    assert cell.count("<td>") == 1
    for tag in ("<script", "<a ", "<img", "<strong", "<code", "<h1"):
        assert tag not in shown
