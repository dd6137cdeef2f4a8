from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from agent.gate.operator import AutoApprover
from agent.session.conversation import Conversation
from console import cli
from sessions.store.store import Store
from tests.agent.scripted import ScriptedModel, call
from tests.console.stage import FIND, PLAIN
from tests.toy import toy_domain

FIRST, SECOND = "01M8AAAAAAAAAAAAAAAAAAAAAA", "01M8ABBBBBBBBBBBBBBBBBBBBB"


@pytest.fixture
async def db(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file with two sessions that a card was decided in."""
    path = tmp_path / "sessions.sqlite"
    with Store.open(path) as store:
        for session in (FIRST, SECOND):
            monkeypatch.setattr(
                "sessions.store.store.new_session_id", lambda session=session: session
            )
            model = ScriptedModel(*FIND, call("take", jar="red", coins=3), "Seven are left.")
            held = await Conversation.start(
                store, toy_domain(), model, AutoApprover(), safeguards=PLAIN
            )
            await held.say("three coins")
    monkeypatch.undo()
    return path


def saber(*words: str, db: Path) -> Result:
    return CliRunner().invoke(cli.saber, [*words, "--db", str(db)])


COMMANDS = [
    ("sessions", "show", "{}"),
    ("sessions", "delete", "{}", "--yes"),
    ("sessions", "fork", "{}"),
    ("sessions", "tree", "{}"),
    ("sessions", "compare", "{}", SECOND),
    ("sessions", "compare", SECOND, "{}"),
    ("label", "{}", "right", "--by", "ann"),
    ("export", "sessions", "--session", "{}", "--out", "out.jsonl", "--force"),
]


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: "-".join(words[:3]))
@pytest.mark.parametrize("beginning", ["01M8AA", "01m8aa", FIRST, FIRST.lower()])
def test_a_session_is_named_by_any_beginning_of_its_id_that_is_no_other_ones(
    db: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], beginning: str
) -> None:
    monkeypatch.chdir(db.parent)
    result = saber(*(each.format(beginning) for each in words), db=db)
    assert result.exit_code == 0, result.output
    if words[1] == "delete":
        assert result.output == f"Deleted {FIRST}.\n"


@pytest.mark.parametrize(
    "words",
    [
        *COMMANDS,
        ("score", "{}"), ("cards", "--session", "{}"), ("review", "{}"), ("replay", "{}"),
        ("replay", "{}", "--ask", "clerk"), ("play", "--resume", "{}"), ("play", "--fork", "{}"),
    ],
    ids=lambda words: "-".join(words[:3]),
)  # fmt: skip
def test_a_beginning_of_several_ids_is_refused_with_what_could_be_meant(
    db: Path, words: tuple[str, ...]
) -> None:
    result = saber(*(each.format("01M8A") for each in words), db=db)
    assert result.exit_code == 2
    told = result.output
    assert told.startswith(f"2 sessions begin with 01M8A: {SECOND} (“three coins”), {FIRST} (")
    assert told.endswith("Give more of the id.\n")


@pytest.mark.parametrize("said", ["nonsense", "01M8C", "", "\udcff", "é", "%", "01M8A~"])
def test_what_no_id_begins_with_is_no_session(db: Path, said: str) -> None:
    result = saber("sessions", "show", said, db=db)
    assert result.exit_code == 2
    assert "There is no session" in result.output or "That is not a session id" in result.output
