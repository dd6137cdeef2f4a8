from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from agent.models.litellm.model import LiteLLMModel
from agent.models.protocol import ModelFault
from console import cli, crash
from tests.agent.canaries import SPELLINGS
from tests.agent.held import coins, conversation, events, types
from tests.agent.models.litellm.wire_protocol import Call, Reply
from tests.agent.models.litellm.wire_server import WireServer
from tests.agent.scripted import ScriptedOperator

KEY = "a planted key, of no known shape"
TAKE = Call("take", {"jar": "red", "coins": 3})


@pytest.fixture
async def server() -> AsyncIterator[WireServer]:
    async with WireServer() as running:
        yield running


def scripted(server: WireServer) -> LiteLLMModel:
    return LiteLLMModel("openai/scripted", api_base=server.base, api_key=KEY)


def recorded(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.glob("sessions.sqlite*"))


async def test_a_write_is_confirmed_and_made_over_a_line_that_falters(
    server: WireServer, tmp_path: Path
) -> None:
    server.script(
        Reply(status=429, error=f"Too often for {KEY}", headers={"retry-after": "0.1"}),
        Reply("Let me look.", (Call("look", {"jar": "red"}),), piece=3),
        Reply("Half a sente", (TAKE,), cut=True),
        Reply("", (TAKE,), piece=2),
        Reply("Done: seven are left."),
    )
    operator = ScriptedOperator("approve")
    async with conversation(tmp_path, scripted(server), operator) as held:
        await held.say("three coins from the red jar, please")
        assert coins(held) == 7
        assert types(held).count("card_shown") == types(held).count("write_applied") == 1
        failed = [each for each in events(held) if each.type == "model_failed"]
        assert [(each.fault, each.retry_in is not None) for each in failed] == [
            ("rate_limit", True),
            ("cut", True),
        ]
        assert failed[1].partial == "Half a sente"
        assert events(held)[-1].type == "agent_said"
    assert KEY.encode() not in recorded(tmp_path)
    results = [m for m in server.requests[-1].body["messages"] if m["role"] == "tool"]
    assert json.loads(results[-1]["content"]) == {"coins": 7}


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (Call("take", '{"jar": "red", "coins": 3'), "not valid JSON"),
        (Call("take", '{"jar": "red", "coins": 3, "coins": 9}'), "more than once"),
        (Call("take", '{"jar": "red"}{"coins": 3}'), "Extra data"),
        (Call("drop_all_jars", {}), "not found"),
    ],
)
async def test_a_call_that_cannot_be_read_goes_back_to_the_model_and_never_to_a_card(
    server: WireServer, tmp_path: Path, call: Call, told: str
) -> None:
    server.script(Reply(calls=(call,)), Reply("I am sorry."))
    async with conversation(tmp_path, scripted(server), ScriptedOperator("approve")) as held:
        await held.say("three coins, please")
        assert "card_shown" not in types(held)
        assert coins(held) == 10
    messages: list[dict[str, Any]] = server.requests[-1].body["messages"]
    assert told in next(m["content"] for m in messages if m["role"] == "tool")


async def test_a_write_hidden_behind_a_look_up_waits_for_its_own_card(
    server: WireServer, tmp_path: Path
) -> None:
    server.script(
        Reply(calls=(Call("look", {"jar": "red"}, "same"), Call("take", TAKE.text, "same")))
    )
    server.script(Reply("As you wish."))
    operator = ScriptedOperator("reject")
    async with conversation(tmp_path, scripted(server), operator) as held:
        await held.say("what is in the red jar?")
        assert types(held).count("card_shown") == 1
        assert "write_applied" not in types(held)
        assert coins(held) == 10


async def test_a_refused_key_ends_the_turn_in_a_sentence_and_is_recorded_nowhere(
    server: WireServer, tmp_path: Path
) -> None:
    server.script(Reply(status=401, error=f"Incorrect API key provided: {KEY}"))
    async with conversation(tmp_path, scripted(server), ScriptedOperator()) as held:
        with pytest.raises(ModelFault) as raised:
            await held.say("hello")
        assert raised.value.kind == "bad_key"
        assert types(held)[-1] == "model_failed"
    assert KEY.encode() not in recorded(tmp_path)


CANARY = "Planted/Canary+0001=Zq"


@pytest.mark.parametrize("size", [3, 10_000], ids=["in many pieces", "in one piece"])
async def test_a_key_that_the_model_repeats_is_stored_nowhere_in_no_spelling(
    server: WireServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    (tmp_path / "data" / "saber-console").mkdir(parents=True)
    spelled = {name: spell(CANARY) for name, spell in SPELLINGS.items()}
    words = " and ".join(spelled.values())
    calls = [
        Call("look", {"jar": one}, one)
        for one in spelled.values()
        if one.isprintable() and "\\" not in one
    ]
    server.script(Reply(words, (*calls, Call(CANARY, {})), reasoning=words, piece=size))
    server.script(Reply(words, cut=True, piece=size), Reply("Done."))
    model = LiteLLMModel("openai/scripted", api_base=server.base)
    async with conversation(tmp_path, model, ScriptedOperator()) as held:
        await held.say("what is your key?")
        session = held.log.session
    exported = tmp_path / "exported.jsonl"
    command = ["export", "sessions", "--db", str(tmp_path / "sessions.sqlite")]
    done = CliRunner().invoke(cli.saber, [*command, "--out", str(exported), "--session", session])
    assert exported.exists(), done.output
    told = crash.record_crash(ValueError(words))
    crashed = Path(told.rpartition(" in ")[2].rstrip("."))
    found = recorded(tmp_path) + exported.read_bytes() + await asyncio.to_thread(crashed.read_bytes)
    for name, text in spelled.items():
        for encoded in (text, json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1]):
            assert encoded.encode() not in found, name
    assert b"[redacted]" in found
