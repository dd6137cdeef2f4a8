from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from agent.gate.operator import AutoApprover
from agent.session.conversation import Conversation
from console import cli
from sessions.store.store import Store
from tests.agent.scripted import ScriptedModel, call
from tests.console.forked_saber import in_terminal, saber
from tests.console.stage import FIND, PLAIN
from tests.effort import one_in
from tests.toy import toy_domain

RUN = [sys.executable, "-c", "from console.cli import main; main()"]


def start(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The command as a shell starts it, from the first line of Python on."""
    return subprocess.run([*RUN, *arguments], capture_output=True, text=True, timeout=60)


def invoke(*arguments: str) -> Result:
    """The command in this process."""
    return CliRunner().invoke(cli.saber, arguments)


@pytest.fixture
async def recorded(tmp_path: Path) -> Path:
    db = tmp_path / "sessions.sqlite"
    with Store.open(db) as store:
        model = ScriptedModel(*FIND, call("take", jar="red", coins=3), "Seven are left.")
        held = await Conversation.start(
            store, toy_domain(), model, AutoApprover(), safeguards=PLAIN
        )
        await held.say("three coins")
    return db


def test_without_a_terminal_there_is_a_sentence_and_exit_code_2() -> None:
    for run, words in ((start, ()), (saber, ()), (saber, ("play",))):
        done = run(*words)
        assert done.returncode == 2
        assert done.stderr.startswith("saber needs a terminal")
        assert done.stdout == ""


def test_an_unknown_command_or_option_is_a_sentence() -> None:
    for arguments in (["frob"], ["play", "--bogus"]):
        done = saber(*arguments)
        assert done.returncode == 2
        assert "Traceback" not in done.stderr
        assert len(done.stderr.splitlines()) == 1


def test_scenarios_are_listed_for_people_and_for_programs() -> None:
    listed = invoke("scenarios")
    assert "clicky-keyboard" in listed.output
    found = json.loads(invoke("scenarios", "--json").output)
    assert {"id", "title", "who", "wants"} <= found[0].keys()


def test_sessions_are_listed_shown_deleted_and_exported(recorded: Path, tmp_path: Path) -> None:
    db = ("--db", str(recorded))
    (row,) = json.loads(invoke("sessions", "list", *db, "--json").output)
    assert "three coins" in invoke("sessions", "list", *db).output
    shown = invoke("sessions", "show", row["id"], *db).output
    assert "customer: three coins" in shown
    assert "Seven are left." in shown
    events = json.loads(invoke("sessions", "show", row["id"], *db, "--json").output)
    assert events[0]["event"]["type"] == "session_started"
    out = tmp_path / "cards.jsonl"
    assert "1 card written" in invoke("export", *db, "--out", str(out)).output
    assert len(out.read_text().splitlines()) == 1
    again = invoke("export", *db, "--out", str(out))
    assert again.exit_code == 2
    assert "exists already" in again.output
    assert invoke("sessions", "delete", row["id"], *db, "--yes").exit_code == 0
    assert json.loads(invoke("sessions", "list", *db, "--json").output) == []


@pytest.mark.parametrize("command", [("sessions", "list"), ("sessions", "show", "x")])
def test_a_file_that_is_no_session_file_is_a_sentence(
    tmp_path: Path, command: tuple[str, ...]
) -> None:
    wrong = tmp_path / "notes.txt"
    wrong.write_text("not a database, but long enough to be read as one " * 20)
    done = invoke(*command, "--db", str(wrong))
    assert done.exit_code == 2
    assert "not an SQLite database" in done.output
    assert wrong.read_text().startswith("not a database")


def test_a_missing_session_or_file_is_a_sentence(recorded: Path, tmp_path: Path) -> None:
    assert "no session nope" in invoke("sessions", "show", "nope", "--db", str(recorded)).output
    missing = invoke("export", "--db", str(tmp_path / "none"), "--out", str(tmp_path / "x"))
    assert missing.exit_code == 2
    assert "There is no session file" in missing.output


def test_a_broken_records_folder_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "db.json").write_text("{ broken")
    (tmp_path / "policy.md").write_text("# Policy")
    done = saber("scenarios", "--data", str(tmp_path))
    assert done.returncode == 2
    assert "db.json" in done.stderr
    assert "Traceback" not in done.stderr


def test_an_error_that_nobody_foresaw_is_a_sentence_and_a_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SABER_DB", str(tmp_path / "s.sqlite"))

    def explode(*_: object, **__: object) -> None:
        raise RuntimeError("kaboom")

    monkeypatch.setattr(cli, "saber", explode)
    with pytest.raises(SystemExit) as leaving:
        cli.main()
    assert leaving.value.code == 1
    told = capsys.readouterr().err
    assert "Traceback" not in told
    (log,) = (tmp_path / "saber-crashes").iterdir()
    assert "kaboom" in log.read_text()
    assert str(log) in told
    assert (log.stat().st_mode & 0o777, log.parent.stat().st_mode & 0o777) == (0o600, 0o700)


@pytest.fixture
def unwritable(tmp_path: Path) -> Path:
    (tmp_path / "file").write_text("")
    return tmp_path / "file" / "sub" / "s.sqlite"


@pytest.mark.parametrize(
    ("arguments", "words"),
    one_in(
        4,
        [
            (("--scenario", "nope"), "There is no scenario 'nope'"),
            (("--domain", "zoo"), "There is no domain 'zoo'"),
            (("--model", "@@"), "not a model's name"),
            (("--resume", "nope"), "There is no session nope"),
            (("--data", "{tmp}"), "There is no db.json"),
            (("--db", "{unwritable}"), "cannot be made"),
            (("--db", "{text}"), "not an SQLite database"),
        ],
    ),
)
def test_a_conversation_that_cannot_be_opened_leaves_a_sentence_in_the_terminal(
    tmp_path: Path, unwritable: Path, arguments: tuple[str, str], words: str
) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("not a database, but long enough to be read as one " * 20)
    option, value = arguments
    value = value.format(tmp=tmp_path, unwritable=unwritable, text=text)
    db = () if option == "--db" else ("--db", str(tmp_path / "s.sqlite"))
    output, code = in_terminal("play", *db, option, value)
    assert words in " ".join(output.split())
    assert "Traceback" not in output
    assert code == 2
