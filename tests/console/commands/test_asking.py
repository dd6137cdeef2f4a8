"""How models are asked: options that are recorded, sent, and repeated."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from agent.headless.recorded import recorded_plan
from console import cli, opening
from console.reports.run_command import repeat_command
from console.setup import Setup
from domains import load
from sessions.events import RequestSettings, SessionStarted
from sessions.store.store import Store
from tests.agent.models.litellm.wire_behaviours import BEHAVIOURS, Behaviour
from tests.agent.models.litellm.wire_protocol import Call, Exchange, Reply, play
from tests.agent.models.litellm.wire_server import WireServer
from tests.agent.models.litellm.wire_thread import wire_server

OPTIONS = ["--temperature", "0.7", "--reasoning-effort", "medium", "--max-tokens", "900",
           "--timeout", "30", "--think-tool"]  # fmt: skip
ASKED = RequestSettings(
    temperature=0.7, reasoning_effort="medium", max_tokens=900, timeout=30, think_tool=True
)
TASK = ["--tasks", "clicky-keyboard", "--data", "demo"]


async def thinks_first(exchange: Exchange) -> None:
    """Writes a thought down, then says goodbye."""
    if any(each["role"] == "tool" for each in exchange.request.body["messages"]):
        await play(exchange, Reply("I cannot help you with that."))
    else:
        await play(exchange, Reply(calls=(Call("think", {"thought": "hm"}, "c1"),)))


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[WireServer]:
    told: dict[str, Behaviour] = {**BEHAVIOURS, "thinks_first": thinks_first}
    with wire_server(told) as running:
        monkeypatch.setenv("OPENAI_API_BASE", running.base)
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        yield running


def saber(*words: str, db: Path) -> Result:
    return CliRunner().invoke(cli.saber, [*words, "--db", str(db)])


def test_a_run_sends_and_records_what_was_asked_for(server: WireServer, tmp_path: Path) -> None:
    db = tmp_path / "s.sqlite"
    words = ["run", "--model", "openai/thinks_first", *TASK, *OPTIONS, "--max-turns", "2"]
    done = saber(*words, "--name", "mine", "--json", db=db)
    assert done.exit_code == 0, done.output
    told: dict[str, Any] = json.loads(done.stdout)
    assert told["requests"] == ASKED.model_dump(mode="json")
    assert any("temperature 0.7" in sentence for sentence in told["rests_on"])
    for each in server.requests:
        body = each.body
        assert (body["temperature"], body["max_tokens"]) == (0.7, 900)
        assert body["reasoning_effort"] == "medium"
        assert "think" in [tool["function"]["name"] for tool in body["tools"]]
    thought = [m for m in server.requests[-1].body["messages"] if m["role"] == "tool"]
    assert {each["content"] for each in thought} == {""}
    with Store.open(db) as store:
        (row,) = store.sessions()
        started = store.read(row.id)[0].event
        assert isinstance(started, SessionStarted)
        assert started.requests == ASKED
        plan = recorded_plan(store, "mine", load)
    again = shlex.split(repeat_command(plan))[1:]
    assert again[: len(words)] != words  # everything is named there
    done = saber(*again, "--json", db=db)
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["finished_before"] == 1


def test_a_setting_that_the_server_refuses_ends_the_run_with_a_sentence(
    server: WireServer, tmp_path: Path
) -> None:
    done = saber(
        "run", "--model", "openai/no_temperature", *TASK, "--temperature", "0.5",
        db=tmp_path / "s.sqlite",
    )  # fmt: skip
    assert done.exit_code == 2
    assert "does not accept the requested temperature" in done.stderr


def test_without_the_option_there_is_no_tool_to_think_with(
    server: WireServer, tmp_path: Path
) -> None:
    saber("run", "--model", "openai/plain", *TASK, "--max-turns", "1", db=tmp_path / "s.sqlite")
    tools = [tool["function"]["name"] for tool in server.requests[0].body["tools"]]
    assert "get_order_details" in tools
    assert "think" not in tools


def test_play_is_opened_with_what_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Setup] = []
    monkeypatch.setattr(opening, "open_app", lambda setup, begin: seen.append(setup))
    done = CliRunner().invoke(cli.saber, ["play", *OPTIONS])
    assert done.exit_code == 0, done.output
    assert RequestSettings.model_validate(dict(seen[0].requests)) == ASKED


def test_settings_told_apart_make_groups(tmp_path: Path) -> None:
    db = tmp_path / "s.sqlite"
    for words in ([], OPTIONS[:2]):
        done = saber("run", *TASK, *words, db=db)
        assert done.exit_code == 0, done.output
    told = CliRunner().invoke(cli.saber, ["stats", "--db", str(db)])
    assert told.exit_code == 0, told.output
    assert "temperature 0.7" in told.output
    assert "asked as usual" in told.output
    pooled = CliRunner().invoke(cli.saber, ["stats", "--by", "model", "--db", str(db)])
    assert "2 ways of asking: none; temperature 0.7" in " ".join(pooled.output.split())
