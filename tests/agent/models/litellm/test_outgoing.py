"""What a log has held since before it was a key goes to no provider."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.models.litellm.model import LiteLLMModel
from agent.models.litellm.outgoing import tools_without_keys, without_keys
from sessions.json_strings import strings_in
from tests.agent.canaries import SPELLINGS
from tests.agent.held import conversation, resumed
from tests.agent.models.litellm.wire_protocol import Call, Reply
from tests.agent.models.litellm.wire_server import WireServer
from tests.agent.scripted import ScriptedOperator

LATER = "Planted/Canary+0001=Zq"


@pytest.mark.parametrize("way", ["resumed", "forked"])
async def test_a_session_that_goes_on_sends_no_key_that_its_log_has_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    spelled = [spell(LATER) for spell in SPELLINGS.values()]
    words = f"My key is {LATER}: " + " and ".join(spelled)
    calls = tuple(Call("look", {"jar": each}, f"c{n}") for n, each in enumerate(spelled))
    async with WireServer() as server:
        model = LiteLLMModel("openai/scripted", api_base=server.base, api_key="another key of mine")
        server.script(Reply(words, calls, reasoning=words), Reply(words), Reply("Well."))
        async with conversation(tmp_path, model, ScriptedOperator()) as held:
            await held.say(words)
            assert LATER in json.dumps(server.requests[-1].body)  # it is no key yet
            monkeypatch.setenv("SOME_SERVICE_TOKEN", LATER)
            store, session = held.log.store, held.log.session
            if way == "forked":
                session = store.fork(session)[0].session
            again = await resumed(store, session, model, ScriptedOperator())
            await again.say("go on")
        sent = json.dumps(server.requests[-1].body, ensure_ascii=False)
    for each in (LATER, *spelled):
        assert json.dumps(each, ensure_ascii=False)[1:-1] not in sent
    roles = [each["role"] for each in server.requests[-1].body["messages"]]
    assert roles.count("tool") == len(calls)
    assert sent.count("[redacted]") >= 2 * len(spelled)


def test_what_is_signed_and_names_a_key_is_left_out_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_SERVICE_TOKEN", LATER)
    signed: dict[str, Any] = {"type": "thinking", "thinking": "plain", "signature": "s"}
    message = {"role": "assistant", "content": "Hello.", "thinking_blocks": [signed]}
    named = {**message, "thinking_blocks": [signed, {**signed, "thinking": f"use {LATER}"}]}
    kept, left = without_keys([message, named])
    assert kept == message
    assert left == {"role": "assistant", "content": "Hello."}


def test_no_tool_tells_a_key_and_the_protocols_own_words_stay(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SOME_SERVICE_TOKEN", LATER)
    monkeypatch.setenv("AN_ODD_SECRET", "function")
    told = {"name": "look", "description": f"Look with {LATER}."}
    (tool,) = tools_without_keys([{"type": "function", "function": told}])
    assert tool == {
        "type": "function", "function": {"name": "look", "description": "Look with [redacted]."}
    }  # fmt: skip


def test_a_key_stays_nowhere_but_where_the_protocol_has_its_own_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SOME_SERVICE_TOKEN", LATER)
    schema = {
        "type": "object",
        "properties": {LATER: {"role": LATER, "type": LATER}},
        "required": [LATER],
    }
    told = {"name": "look", "parameters": schema}
    message = {
        "role": LATER,
        "content": ({"type": LATER, "text": ("a", LATER)},),
        LATER: 1,
        "tool_calls": [
            {"id": "c", "type": "function", "function": {"name": LATER, "arguments": "{}"}}
        ],
    }
    assert LATER not in json.dumps(without_keys([message], [{"function": told}]))
    assert LATER not in json.dumps(tools_without_keys([{"type": "function", "function": told}]))


def test_the_name_of_a_tool_stays_though_an_ordinary_word_in_it_is_a_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("X_AUTH", "reservation")
    name = "cancel_reservation"
    tool = {"type": "function", "function": {"name": name, "description": "A reservation."}}
    call = {"id": "c", "type": "function", "function": {"name": name, "arguments": "{}"}}
    (told,) = tools_without_keys([tool])
    assert told["function"] == {"name": name, "description": "A [redacted]."}
    answer = {"role": "assistant", "content": None, "tool_calls": [call]}
    result = {"role": "tool", "tool_call_id": "c", "name": name, "content": "{}"}
    assert without_keys([answer, result], [tool]) == [answer, result]


TEXTS = st.text('abné"\\\n/{', max_size=8)


@given(
    before=TEXTS, after=TEXTS, spelling=st.sampled_from(sorted(SPELLINGS)), as_name=st.booleans()
)
def test_arguments_without_a_key_are_json_still(
    before: str, after: str, spelling: str, as_name: bool
) -> None:
    text = f"{before}{SPELLINGS[spelling](LATER)}{after}"
    values = {text: 1} if as_name else {"a": [text, 2.5, None]}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOME_SERVICE_TOKEN", LATER)
        sent = json.loads(_arguments_sent(json.dumps(values)))
        assert "[redacted]" in json.dumps(sent)
        assert text not in strings_in(sent)
        assert LATER not in _arguments_sent(f"{{{text}")


def test_arguments_without_a_key_to_hide_are_sent_as_they_were_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SOME_SERVICE_TOKEN", "1234567890")
    assert _arguments_sent('{"a" :1.0,"a":"é"}') == '{"a" :1.0,"a":"é"}'
    assert "1234567890" not in _arguments_sent('{"a": 1234567890}')
    assert "1234567890" not in _arguments_sent('{"a": "1234567890", "a": 1}')


def _arguments_sent(arguments: str) -> str:
    function = {"name": "look", "arguments": arguments}
    call = {"id": "c", "type": "function", "function": function}
    (told,) = without_keys([{"role": "assistant", "tool_calls": [call]}])
    return str(told["tool_calls"][0]["function"]["arguments"])
