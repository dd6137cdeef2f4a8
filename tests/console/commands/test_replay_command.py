from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from console import cli, opening
from console.setup import Fork, Setup
from sessions.events import ConsentUsed
from sessions.store.store import Store
from sessions.views import status
from tests.agent.recorded import Turn, held
from tests.console.forked_saber import saber as in_fork

STORY: tuple[Turn, ...] = (("red", "approve", 3), ("blue", "reject: too many", 2))


def saber(*words: str, db: Path) -> Result:
    return CliRunner().invoke(cli.saber, [*words, "--db", str(db)])


def ran(result: Result) -> str:
    assert result.exit_code == 0, result.output
    return result.stdout


def told(result: Result) -> Any:
    return json.loads(ran(result))


@pytest.fixture
async def db(tmp_path: Path) -> Path:
    path = tmp_path / "sessions.sqlite"
    with Store.open(path) as store:
        await held(store, STORY, end=True)
    return path


def only(db: Path) -> str:
    with Store.open(db, read_only=True) as store:
        return store.sessions()[0].id


def test_a_fork_is_made_with_other_settings_and_told(db: Path) -> None:
    session = only(db)
    done = saber("sessions", "fork", session, "--at", "3", "--no-gate", "--model", "clerk", db=db)
    fork = ran(done).strip()
    assert f"It shares 3 events with {session}." in done.stderr
    with Store.open(db, read_only=True) as store:
        now = status(store.read(fork))
        row = store.session(fork)
    assert (now.model, now.safeguards.gate, now.safeguards.context) == ("clerk", False, False)
    assert (row.parent, row.fork_seq) == (session, 3)


def test_without_a_place_it_forks_before_the_end_and_says_what_is_left_out(db: Path) -> None:
    done = saber("sessions", "fork", only(db), "--json", db=db)
    found = told(done)
    with Store.open(db, read_only=True) as store:
        row = store.session(found["session"])
        assert row.status == "open"
        parent = store.read(found["parent"])
    assert parent[found["fork_seq"]].event.type == "session_ended"
    done = saber("sessions", "fork", found["parent"], "--at", str(len(parent)), db=db)
    assert "The end of that session is left out." in done.stderr


@pytest.mark.parametrize("at", ["999", "torn"])
def test_a_place_where_no_fork_begins_is_a_sentence(db: Path, at: str) -> None:
    session = only(db)
    if at == "torn":
        with Store.open(db, read_only=True) as store:
            log = store.read(session)
        at = str(next(e.seq for e in log if isinstance(e.event, ConsentUsed)))
    done = saber("sessions", "fork", session, "--at", at, db=db)
    assert done.exit_code == 2
    assert "a fork begins" in done.stderr
    assert len(told(saber("sessions", "tree", "--json", db=db))) == 0


def test_the_tree_shows_forks_under_what_they_are_forks_of(db: Path) -> None:
    session = only(db)
    assert "No session has been forked yet." in saber("sessions", "tree", db=db).stderr
    first = ran(saber("sessions", "fork", session, "--at", "9", db=db)).strip()
    second = ran(saber("sessions", "fork", first, "--at", "4", db=db)).strip()
    lines = ran(saber("sessions", "tree", db=db)).splitlines()
    assert [line[:26] for line in lines] == [session, first, second]
    assert "└─ ● from event 9" in lines[1]
    assert "   └─ ● from event 4" in lines[2]
    assert ran(saber("sessions", "tree", second, db=db)).splitlines() == lines
    found = told(saber("sessions", "tree", "--json", db=db))
    assert [each["parent"] for each in found] == [None, session, first]


def test_a_session_without_forks_is_a_tree_by_itself(db: Path) -> None:
    (line,) = ran(saber("sessions", "tree", only(db), db=db)).splitlines()
    assert line.startswith(only(db))


def test_two_sessions_are_compared_and_the_first_difference_is_marked(db: Path) -> None:
    session = only(db)
    fork = ran(saber("sessions", "fork", session, "--at", "12", db=db)).strip()
    same = ran(saber("sessions", "compare", session, session, db=db))
    assert same.startswith("The two sessions do not differ.")
    text = ran(saber("sessions", "compare", session, fork, db=db))
    assert text.startswith("They diverge in turn 2")
    assert "── first difference · turn 2 ─" in text
    assert "▶" in text
    assert "How can I help" not in text
    assert "How can I help" in ran(saber("sessions", "compare", session, fork, "--all", db=db))
    found = told(saber("sessions", "compare", session, fork, "--json", db=db))
    assert found["turn"] == 2
    assert found["rows"][found["first"]]["right"] is None
    assert not found["same"]


def test_every_line_of_a_comparison_fits_the_terminal(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = only(db)
    fork = ran(saber("sessions", "fork", session, "--at", "12", db=db)).strip()
    for width in (40, 80, 133):
        monkeypatch.setenv("COLUMNS", str(width))
        text = ran(saber("sessions", "compare", session, fork, "--all", db=db))
        _, *lines = text.splitlines()
        assert max(map(len, lines)) <= width


def test_a_session_that_is_not_there_is_a_sentence(db: Path) -> None:
    for words in (
        ("sessions", "fork", "nope"),
        ("sessions", "tree", "nope"),
        ("sessions", "compare", "nope", "nope"),
        ("replay", "nope", "--ask", "clerk"),
    ):
        done = saber(*words, db=db)
        assert done.exit_code == 2, words
        assert done.stderr.startswith("There is no session"), words


def test_a_replay_is_for_a_terminal(db: Path) -> None:
    done = in_fork("replay", only(db), "--db", str(db))
    assert done.returncode == 2
    assert done.stderr.startswith("saber needs a terminal")


def test_what_only_asking_again_can_do_is_not_passed_over(db: Path) -> None:
    done = CliRunner().invoke(cli.saber, ["replay", only(db), "--no-gate", "--db", str(db)])
    assert done.exit_code == 2
    assert "Without --ask" in str(done.exception) + done.output


@pytest.mark.parametrize(
    ("words", "fork"),
    [
        (("--fork", "X"), Fork("X")),
        (("--fork", "X", "--at", "7"), Fork("X", 7)),
        (("--fork", "X", "--model", "clerk"), Fork("X", model="clerk")),
        (("--fork", "X", "--blocks", "2"), Fork("X", switches={"blocks": 2})),
    ],
)
def test_play_forks_with_what_was_named_and_nothing_else(
    words: tuple[str, ...], fork: Fork, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Setup] = []
    monkeypatch.setattr(opening, "open_app", lambda setup, begin: opened.append(setup))
    ran(CliRunner().invoke(cli.saber, ["play", *words]))
    assert opened[0].fork == fork


@pytest.mark.parametrize("words", [("--at", "3"), ("--fork", "X", "--resume", "Y")])
def test_play_refuses_what_cannot_be_meant(words: tuple[str, ...]) -> None:
    assert CliRunner().invoke(cli.saber, ["play", *words]).exit_code == 2


def test_a_run_asked_again_departs_nowhere_and_is_a_fork(tmp_path: Path) -> None:
    path = tmp_path / "sessions.sqlite"
    ran(saber("run", "--tasks", "shoes-not-needed", db=path))
    session = only(path)
    found = told(saber("replay", session, "--ask", "clerk", "--json", db=path))
    assert found["same"]
    assert found["declined"] == []
    rows = told(saber("sessions", "tree", "--json", db=path))
    assert [(row["session"], row["parent"]) for row in rows] == [
        (session, None), (found["again"], session)
    ]  # fmt: skip
    text = ran(saber("replay", session, "--ask", "clerk+before-identity", db=path))
    assert "was asked again in session" in text
    again = ran(saber("run", "--tasks", "shoes-not-needed", "--json", db=path))
    assert json.loads(again)["sessions_finished"] == 1, "a fork is no session of the run"
