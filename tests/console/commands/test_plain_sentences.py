from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from agent.clerk.clerk import Clerk
from agent.models.protocol import ModelRequest, Piece
from console import cli
from tests.console.forked_saber import saber as in_fork
from tests.effort import first

BEGIN = [sys.executable, "-c", "from console.entry import main; main()"]
TASK = "shoes-not-needed"


def saber(*words: str, db: Path) -> Result:
    return CliRunner().invoke(cli.saber, [*words, "--db", str(db)])


def shell(*words: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    env = {**os.environ, **environment}
    return subprocess.run([*BEGIN, *words], capture_output=True, timeout=60, env=env)


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "sessions.sqlite"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--budget-cost", "nan"), "nan is not a finite number"),
        (("--budget-cost", "inf"), "inf is not a finite number"),
        (("--seconds", "nan"), "nan is not a finite number"),
        (("--seconds", "inf"), "inf is not a finite number"),
        (("--attention-checks", "nan"), "nan is not a finite number"),
        (("--trials", str(10**22)), "the maximum is 10,000"),
        (("--trials", "0"), "the minimum is 1"),
        (("--concurrency", str(10**8)), "the maximum is 1,000"),
        (("--max-actions", str(10**22)), "the maximum is"),
        (("--budget-tokens", str(10**22)), "the maximum is"),
    ],
)
def test_a_number_that_nobody_can_mean_is_refused(
    db: Path, words: tuple[str, str], sentence: str
) -> None:
    result = saber("run", "--tasks", TASK, *words, db=db)
    assert (result.exit_code, sentence in result.output) == (2, True), result.output
    assert words[0] in result.output
    assert not db.exists()


@pytest.mark.parametrize(
    ("form", "out"),
    [
        *((form, out) for form in ("confirmations", "tau2") for out in ("", ".", "/")),
        ("html", ""),  # a page for each session may well go into a folder
    ],
)
def test_an_export_to_no_name_of_a_file_is_refused(
    db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str, out: str
) -> None:
    assert saber("run", "--tasks", TASK, db=db).exit_code == 0
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    result = saber("export", form, "--out", out, db=db)
    assert result.exit_code == 2
    assert isinstance(result.exception, SystemExit)
    assert "name a file" in result.output or "its name is empty" in result.output
    assert not list(here.iterdir())


def test_a_session_lost_to_an_error_is_told_and_the_code_is_not_0(
    db: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def broken(self: Clerk, request: ModelRequest) -> AsyncIterator[Piece]:
        raise IndexError("no such slot")
        yield

    monkeypatch.setattr(Clerk, "stream", broken)
    monkeypatch.setenv("SABER_DB", str(db))
    monkeypatch.setattr(sys, "argv", ["saber", "run", "--tasks", TASK, "--json"])
    with pytest.raises(SystemExit) as leaving:
        cli.main()
    assert leaving.value.code == 1
    out, told = capsys.readouterr()
    assert told.startswith("1 session lost to an error inside saber (IndexError): task")
    assert f"task {TASK}, trial 1" in told
    assert "the same command goes on" in told
    assert "Traceback" not in told
    assert json.loads(out)["lost"] == [{"session": f"task {TASK}, trial 1", "error": "IndexError"}]
    (log,) = (db.parent / "saber-crashes").iterdir()
    assert str(log) in told
    assert "no such slot" in log.read_text()


def test_what_a_command_exits_with_is_what_the_program_exits_with(tmp_path: Path) -> None:
    (tmp_path / "broken").write_bytes(b"x" * 1000)
    done = in_fork("doctor", "--db", str(tmp_path / "broken"))
    assert "✗ session file" in done.stdout
    assert done.returncode == 2


@pytest.mark.parametrize(
    "environment",
    first(
        1,
        [
            {"LC_ALL": "C"},
            {"PYTHONIOENCODING": "ascii"},
            {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        ],
    ),
)
def test_without_utf_8_everything_is_printed(db: Path, environment: dict[str, str]) -> None:
    played = saber("run", "--tasks", TASK, db=db)
    done = shell("stats", SABER_DB=str(db), **environment)
    assert (played.exit_code, done.returncode, done.stderr) == (0, 0, b"")
    assert "–" in done.stdout.decode()


@pytest.mark.heavy
def test_what_another_encoding_lacks_is_spelled_and_json_stays_json(db: Path) -> None:
    assert saber("run", "--tasks", TASK, db=db).exit_code == 0
    done = shell("stats", SABER_DB=str(db), PYTHONIOENCODING="latin-1")
    assert done.returncode == 0
    assert b"\\u2013" in done.stdout
    assert done.stderr.startswith(b"The output is iso8859-1, so some characters were escaped.")
    told = shell("scenarios", "--json", PYTHONIOENCODING="latin-1")
    usual = CliRunner().invoke(cli.saber, ["scenarios", "--json"])
    assert json.loads(told.stdout) == json.loads(usual.stdout)
    assert told.stderr == b""


def test_the_app_is_not_painted_in_characters_that_nobody_can_read(db: Path) -> None:
    leader, follower = pty.openpty()
    env = {**os.environ, "PYTHONIOENCODING": "ascii", "TERM": "xterm", "SABER_DB": str(db)}
    done = subprocess.run(
        BEGIN, stdin=follower, stdout=follower, stderr=subprocess.PIPE, timeout=30, env=env
    )
    os.close(leader)
    os.close(follower)
    assert done.returncode == 2
    assert b"the output here is ascii" in done.stderr
    assert b"Set LANG" in done.stderr


def test_ctrl_c_at_any_moment_of_the_start_is_a_sentence(db: Path) -> None:
    # a test run in the background of a shell has its interrupts ignored, and hands that on
    heeding = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    begun = f"{heeding}; import os, console.entry; os.write(1, b'.'); console.entry.main()"
    heard = set()
    for wait in (0.01, 0.03, 0.06, 0.1, 0.2):
        child = subprocess.Popen(
            [sys.executable, "-c", begun, "doctor", "--db", str(db)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        assert child.stdout is not None
        child.stdout.read(1)
        time.sleep(wait)
        child.send_signal(signal.SIGINT)
        _, told = child.communicate(timeout=30)
        assert b"Traceback" not in told
        assert (child.returncode, b"Stopped" in told) == (130, True)
        heard.add(told)
    assert any(told.startswith(b"Stopped while starting") for told in heard)
