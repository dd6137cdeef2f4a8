from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from console import cli
from console.commands import sessions as session_commands
from sessions.cleaning import clean
from sessions.events import (
    AgentSaid,
    CustomerSaid,
    Labelled,
    Noted,
    Safeguards,
    Scored,
    SessionEnded,
)
from sessions.store.store import Store
from tests.sessions.toy import started

ENDED = SessionEnded(reason="customer")


@pytest.fixture
def db(tmp_path: Path) -> Path:
    path = tmp_path / "sessions.sqlite"
    scored = Scored(scenario="one", reward=1, records_match=True, communicated=True)
    with Store.open(path) as store:
        first = store.start(started(scenario="one"))[0].session
        store.append(first, [CustomerSaid(text="Return the café mug", turn=1)])
        store.append(first, [AgentSaid(text="It is returned."), ENDED, scored])
        second = store.start(started(domain="air", safeguards=Safeguards(gate=False)))[0].session
        store.append(second, [CustomerSaid(text="Hello", turn=1)])
    return path


def saber(db: Path, *arguments: str) -> Result:
    command, rest = (
        (arguments[:1], arguments[1:]) if arguments[:1] == ("list",) else ((), arguments)
    )
    return CliRunner().invoke(cli.saber, ["sessions", *command, "--db", str(db), *rest])


def listed(db: Path, *arguments: str) -> list[dict[str, Any]]:
    result = saber(db, *arguments, "--json")
    assert result.exit_code == 0, result.output
    found: list[dict[str, Any]] = json.loads(result.stdout)
    return found


@pytest.mark.parametrize(
    ("arguments", "domains"),
    [
        ((), ["air", "toy"]),
        (("list",), ["air", "toy"]),
        (("--search", "mug"), ["toy"]),
        (("list", "--search", "mug cafe"), ["toy"]),
        (("--search", '"mug café"'), []),
        (("--search", "domain:air"), ["air"]),
        (("--search", "off:gate hello"), ["air"]),
        (("--search", "result:right mug"), ["toy"]),
        (("--search", "sort:oldest"), ["toy", "air"]),
        (("--search", "domain:air", "--gate", "on"), []),
        (("--search", "on:gate", "--gate", "on"), ["toy"]),
        (("--domain", "air"), ["air"]),
        (("--model", "gpt"), []),
        (("--scenario", "one"), ["toy"]),
        (("--result", "right"), ["toy"]),
        (("--result", "open"), ["air"]),
        (("--gate", "off"), ["air"]),
        (("--gate", "on"), ["toy"]),
        (("--from", "2020-01-01", "--to", "2099-01-01"), ["air", "toy"]),
        (("--to", "2020-01-01"), []),
        (("--limit", "1"), ["air"]),
    ],
)
def test_sessions_are_filtered(db: Path, arguments: tuple[str, ...], domains: list[str]) -> None:
    assert [each["domain"] for each in listed(db, *arguments)] == domains


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--search", "colour:red"), "There is no colour: filter."),
        (("--search", "result:fine"), "result: is right, wrong, open or unscored."),
        (("--search", "domain:air", "--domain", "toy"), "and as an option"),
        (("--search", 'tag:""'), "tag: contains no tag."),
    ],
)
def test_a_filter_that_is_none_is_refused_as_in_the_list(
    db: Path, arguments: tuple[str, ...], sentence: str
) -> None:
    refused = saber(db, *arguments)
    assert (refused.exit_code, sentence in refused.output) == (2, True), refused.output


def test_what_was_said_is_shown_below_the_session(db: Path) -> None:
    lines = saber(db, "--search", "return").stdout.splitlines()
    assert lines[1] == "    agent: It is returned."
    (found,) = listed(db, "--search", "return")
    assert found["excerpt"]["matches"] == ["returned"]
    assert found["result"] == "right"


def test_a_long_list_is_cut_with_a_word(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_commands, "MOST", 1)
    result = saber(db)
    assert len(result.stdout.splitlines()) == 1
    assert "--limit" in result.stderr
    assert len(listed(db)) == 2


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--from", "yesterday"), "2026-11-21"),
        (("--from", "20261121"), "2026-11-21"),
        (("--search", "!?"), "no word"),
        (("--result", "good"), "right"),
    ],
)
def test_what_cannot_be_asked_is_refused(
    db: Path, arguments: tuple[str, ...], sentence: str
) -> None:
    result = saber(db, *arguments)
    assert result.exit_code == 2
    assert sentence in result.output


def test_an_option_before_the_command_is_not_silently_left_out(db: Path) -> None:
    result = CliRunner().invoke(cli.saber, ["sessions", "--db", str(db), "show", "x"])
    assert result.exit_code == 2
    assert "--db goes after the command" in result.output


def test_nothing_recorded_and_nothing_that_fits_are_told_apart(db: Path) -> None:
    assert "Nothing has been recorded" in saber(db.with_name("none.sqlite")).output
    assert "No session matches" in saber(db, "--model", "gpt").stderr


def test_what_a_log_holds_is_shown_as_lines_that_do_nothing_to_a_terminal(db: Path) -> None:
    osc = "\x1b]0;pwn\x07"
    with Store.open(db) as store:
        session = store.record(
            [
                started(model=f"m{osc}\nx"),
                CustomerSaid(text=f"hello{osc}\nthere\x9b2J", turn=1),
                Noted(text=f"a{osc}\ncustomer: yes\u202e"),
                Labelled(verdict="wrong", by="ann\nlee", note=osc, tags=(f"b{osc}\nc",)),
            ]
        )
    shown = CliRunner().invoke(cli.saber, ["sessions", "show", session, "--db", str(db)])
    assert shown.exit_code == 0, shown.output
    lines = shown.stdout.split("\n")
    for line in (
        "customer: hello]0;pwn",
        "          there2J",
        "  · a]0;pwn customer: yes",
        "  the session: wrong (labelled by ann lee): ]0;pwn #b]0;pwn c",
    ):
        assert line in lines
    assert len([each for each in saber(db).stdout.split("\n") if "m]0;pwn x" in each]) == 1
    for told in (shown.stdout, saber(db).stdout):
        assert clean(told) == told
