from __future__ import annotations

import io
import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from rich.console import Console

from console import cli
from console.reports.stats import as_object, tables
from domains import load
from sessions.scoring.measuring import measure_sessions
from sessions.statistics.as_the_paper import first_table
from sessions.statistics.report import reports
from sessions.store.database import open_reader
from sessions.store.store import Store
from tests.sessions.statistics.rows import deviating, row
from tests.sessions.toy import started


def printed(rows: list[Any], width: int = 120) -> str:
    """What a person reads, spaces evened out."""
    return " ".join(_lines(rows, width).split())


def printed_parts(parts: Any) -> str:
    """What a person reads of these parts, spaces evened out."""
    paper = io.StringIO()
    Console(width=200, file=paper).print(parts)
    return " ".join(paper.getvalue().split())


def _lines(rows: list[Any], width: int) -> str:
    paper = io.StringIO()
    Console(width=width, file=paper).print(tables(reports(rows)))
    return paper.getvalue()


def study(tasks: int = 20) -> list[Any]:
    """Two sessions of every task; one with a wrong write fails, save for a few."""
    return [
        row(
            session=f"{task}-{trial}",
            scenario=f"task {task}",
            reward=float(amiss == (task % 7 == 3)),
            deviations=deviating(amiss, task % 4, decisive="cancel" if amiss else None),
        )
        for task in range(tasks)
        for trial in range(2)
        for amiss in [(task + trial) % 2]
    ]


def test_every_number_has_its_interval_its_n_and_what_it_is() -> None:
    text = printed(study())
    assert (
        "toy · clerk · gate + reflection + context 40 sessions: 40 trials of 20 tasks, 2026-11-21"
        in text
    )
    for line in (
        "τ²-bench's reward 50.0 %",
        "τ-bench's classic 50.0 %",
        "our verdict 50.0 %",
        "pass^2 0.0 %",
        "pass@2 100.0 %",
        "writes without yes 0.0 % 0.0 to 16.1 40 writes carried out without the customer's yes",
    ):
        assert line in text
    assert "logistic regression, n = 40 sessions of 20 tasks, 20 right" in text
    assert "d_mut (Firth) -3." in text
    assert "d_mut (ordinary) -3." in text
    assert "p is in brackets" in text
    assert "seed 20251121" in text
    assert "firthmodels" in text


def test_thirty_tasks_are_enough_for_a_p_value_without_brackets() -> None:
    text = printed(study(tasks=40))
    assert "in brackets" not in text
    assert "allow for sessions of one task being alike" in text


def test_separated_sessions_are_told_as_such() -> None:
    rows = [
        row(scenario=f"{n}", reward=float(n % 2), deviations=deviating(1 - n % 2, n % 3))
        for n in range(20)
    ]
    text = printed(rows)
    assert "the ordinary fit has no finite solution" in text
    assert "(ordinary)" not in text


def test_one_session_gives_sentences_and_no_nonsense() -> None:
    text = printed([row(reward=None, scenario=None, writes=0, writes_on_card=0)])
    assert "1 session (1 not scored): 0 trials of 0 tasks" in text
    assert "It needs 10 scored sessions; there are 0." in text
    assert "nan" not in text


@pytest.mark.parametrize("width", [60, 80, 200])
def test_tables_fit_any_terminal(width: int) -> None:
    assert max(len(line) for line in _lines(study(), width).splitlines()) <= width


def test_names_of_others_are_shown_as_text() -> None:
    text = printed([row(model="[bold]x[/bold]\x1b]52;c;aGk=\x07")])
    assert "[bold]x[/bold]" in text
    assert "\x1b" not in text


def test_a_bound_without_end_is_null_in_json() -> None:
    found = as_object(reports(study()), study(), first_table(study()))
    found["groups"][0]["success"] = float("inf")
    assert json.loads(json.dumps(found))["seed"] == 20_251_121
    (group,) = as_object(reports(study()), study(), first_table(study()))["groups"]
    assert group["deviating"]["regression"]["firth"]["coefficients"][0]["name"] == "d_mut"
    assert "Infinity" not in json.dumps(as_object(reports(study()), study(), first_table(study())))


def invoke(*arguments: str) -> str:
    done = CliRunner().invoke(cli.saber, ["stats", *arguments])
    assert done.exit_code == 0, done.output
    return done.output


def test_without_sessions_there_is_a_sentence_and_valid_json(tmp_path: Path) -> None:
    missing = ("--db", str(tmp_path / "none.sqlite"))
    assert "No session has been recorded in" in invoke(*missing)
    assert json.loads(invoke(*missing, "--json"))["groups"] == []
    assert "No session that matches" in invoke(*missing, "--model", "x")
    assert not (tmp_path / "none.sqlite").exists()


def test_recorded_sessions_are_read_from_the_file(tmp_path: Path) -> None:
    db = tmp_path / "s.sqlite"
    with Store.open(db) as store:
        store.start(started())
    text = invoke("--db", str(db))
    assert "toy · clerk" in text
    found = json.loads(invoke("--db", str(db), "--json", "--by", "safeguards"))
    assert found["groups"][0]["name"].endswith("gate + reflection + context")
    assert found["sessions"][0]["trial"] is False
    assert found["sessions"][0]["writes_without_yes"] == 0


def test_a_log_that_was_changed_is_left_out_and_told(tmp_path: Path) -> None:
    db = tmp_path / "s.sqlite"
    with Store.open(db) as store:
        changed, whole = (store.start(started())[0].session for _ in range(2))
    with closing(sqlite3.connect(db)) as file, file:
        name = "events_are_never_changed"
        (trigger,) = file.execute("SELECT sql FROM sqlite_master WHERE name = ?", [name]).fetchone()
        file.execute(f"DROP TRIGGER {name}")
        file.execute("UPDATE events SET at = '2020' WHERE session_id = ?", [changed])
        file.execute(trigger)
    done = CliRunner().invoke(cli.saber, ["stats", "--db", str(db), "--json"])
    assert done.exit_code == 0
    found = json.loads(done.stdout)
    assert [each["session"] for each in found["sessions"]] == [whole]
    (sentence,) = found["left_out"]
    assert changed in sentence
    assert f"Left out: {sentence}" in done.stderr


def test_a_file_that_is_no_session_file_is_a_sentence(tmp_path: Path) -> None:
    wrong = tmp_path / "notes.txt"
    wrong.write_text("not a database, but long enough to be read as one " * 20)
    done = CliRunner().invoke(cli.saber, ["stats", "--db", str(wrong)])
    assert done.exit_code == 2
    assert "not an SQLite database" in done.output


def test_the_fitting_library_is_not_imported_before_there_is_something_to_fit() -> None:
    code = (
        "import sys, console.reports.stats\n"
        "import sessions.statistics.report, sessions.scoring.measuring\n"
        "print([name for name in ('firthmodels', 'sklearn', 'scipy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "[]", done.stderr


def test_a_bar_is_shown_on_a_terminal_and_nowhere_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store.open(tmp_path / "s.db") as store:
        store.record([started()])
    command = ["stats", "--db", str(tmp_path / "s.db")]
    plain = CliRunner().invoke(cli.saber, command)
    assert "Reading" not in plain.output
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    shown = CliRunner().invoke(cli.saber, command)
    assert "Reading sessions" in shown.stderr
    assert "1/1" in shown.stderr
    assert "Reading" not in shown.stdout


def test_all_logs_are_read_over_one_connection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Path] = []

    def counting(path: Path) -> Any:
        opened.append(path)
        return open_reader(path)

    with Store.open(tmp_path / "s.db") as store:
        for _ in range(5):
            store.record([started()])
        monkeypatch.setattr("sessions.store.store.open_reader", counting)
        assert len(list(measure_sessions(store, load))) == 5
    assert len(opened) == 2  # the list of sessions, and their logs
