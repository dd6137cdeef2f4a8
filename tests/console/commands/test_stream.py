from __future__ import annotations

import asyncio
import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from agent.headless.playing import play
from agent.streaming import stream as streaming
from console import cli
from console.exit_codes import INTERRUPTED
from sessions.store import memory
from sessions.store.store import Store

FAMILY = ("stream", "--tasks", "broken-chair", "--seeds", "1", "--trials", "1")


def saber(*words: str) -> Result:
    return CliRunner().invoke(cli.saber, list(words))


def told(done: Result) -> dict[str, Any]:
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def told_of(db: str, bank: str) -> str:
    """The history of the capability that the stream learned something of."""
    return saber(
        "memory", "show", "exchange_delivered_order_items", "--bank", bank, "--db", db
    ).output


@pytest.fixture
def db(tmp_path: Path) -> str:
    return str(tmp_path / "sessions.sqlite")


def test_what_is_explained_of_a_parent_helps_with_its_sisters_and_goes_on_after_ctrl_c(
    db: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = (*FAMILY, "--memory", "none", "--memory", "policybank", "--name", "mine", "--db", db)
    begun = 0

    async def interrupted(*given: Any) -> None:
        nonlocal begun
        begun += 1
        if begun == 5:
            asyncio.get_running_loop().call_soon(press)
            await asyncio.Event().wait()
        await play(*given)

    def press() -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(streaming, "play", interrupted)
        cut = saber(*command)
    assert cut.exit_code == INTERRUPTED
    assert "The same command goes on from here." in cut.output
    half = saber("report", "mine", "--out", str(tmp_path / "half"), "--db", db)
    assert half.exit_code == 0, half.output
    assert "sessions are played" in (tmp_path / "half" / "report.md").read_text("utf-8")
    found = told(saber(*command, "--json"))
    assert found["finished_before"] < found["sessions_finished"] == found["sessions_planned"] == 8
    arms = {each["arm"]: each for each in found["arms"]}
    assert arms["no memory"]["sisters"][0]["value"] == 0
    learned = arms["policybank, explanation"]
    assert learned["sisters"][0]["value"] > 0
    assert learned["sisters"][0]["interval"] is None  # all of it is code
    assert learned["memory"]["revised"] + learned["memory"]["added"] > 0
    with Store.open(Path(db), read_only=True) as store:
        assert [row.name for row in memory.banks(store)] == ["mine.policybank-explanation-tool.0.1"]

    listed = saber("memory", "list", "--db", db)
    assert "Streams own 1 memory" in listed.output
    assert len(listed.output.splitlines()) == 1
    assert "no memory in this" in saber("memory", "show", "x", "--db", db).output
    assert "accepts whatever" in told_of(db, "mine.policybank-explanation-tool.0.1")

    done = saber("report", "mine", "--out", str(tmp_path / "out"), "--db", db)
    assert done.exit_code == 0, done.output
    page = (tmp_path / "out" / "report.md").read_text("utf-8")
    for heading in ("How it came out", "By task", "What was learned", "What was played"):
        assert heading in page
    assert (tmp_path / "out" / "streams.svg").read_text("utf-8").startswith("<?xml")
    (again,) = re.findall(r"```\n(saber .*)\n```", page)
    same = told(saber(*shlex.split(again)[1:], "--db", db, "--json"))
    assert (same["finished_before"], same["sessions_planned"]) == (8, 8)
    assert same["arms"] == found["arms"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--model", "clerk+all"), "one agent"),
        (("--policy-agent", "clerk"), "not a language model"),
        (("--begun-by", "clerk"), "not a language model"),
        (("--split", "nowhere"), "No scenario"),
        (("--tasks", "nobody"), "There is no scenario"),
        (("--name", "two words"), "A run's name"),
        (("--seeds", "0"), "too small"),
        (("--memory", "elephant"), "elephant"),
        (("--feedback", "person"), "person"),
    ],
)
def test_what_cannot_be_streamed_is_a_sentence(
    db: str, words: tuple[str, ...], sentence: str
) -> None:
    done = saber("stream", *words, "--db", db)
    assert done.exit_code == 2
    assert sentence in done.output
    assert not Path(db).exists()


def test_a_run_is_no_stream_and_a_stream_no_run(db: str) -> None:
    name = ("--name", "mine", "--db", db)
    assert saber("run", "--tasks", "shoes-not-needed", *name).exit_code == 0
    done = saber("stream", "--tasks", "shoes-not-needed", "--seeds", "1", "--trials", "1", *name)
    assert done.exit_code == 2
    assert "other settings" in done.output
