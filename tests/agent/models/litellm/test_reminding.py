"""How a reminder reaches a model over the line, in each of its named ways."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from agent.models.litellm.model import LiteLLMModel
from agent.models.protocol import ChatModel, ModelFault
from agent.models.text_calls import TextCallModel, ToolFallbackModel
from agent.reflection.reflection import OPENING
from sessions.events import ModelRequested, ReflectionWritten, ReminderWay, Safeguards
from tests.agent.held import coins, conversation, events
from tests.agent.models.litellm.wire_behaviours import BEHAVIOURS
from tests.agent.models.litellm.wire_protocol import Call, Exchange, Reply, play
from tests.agent.models.litellm.wire_server import WireServer
from tests.agent.scripted import ScriptedOperator

TAKE = Call("take", {"jar": "red", "coins": 3})
WORDS = "three coins from the red jar, please"


@pytest.fixture
async def server() -> AsyncIterator[WireServer]:
    async with WireServer() as running:
        yield running


def model(server: WireServer, name: str = "openai/scripted") -> LiteLLMModel:
    return LiteLLMModel(name, api_base=server.base, api_key="none")


async def reminded(
    server: WireServer, folder: Path, asked: ChatModel, wanted: str = "auto", **safeguards: Any
) -> tuple[list[dict[str, Any]], list[ReminderWay | None]]:
    """What the server was sent with the reminder, and how the log says it was handed over."""
    settings = Safeguards.model_validate({"reflection_as": wanted, **safeguards})
    operator = ScriptedOperator("approve")
    async with conversation(folder, asked, operator, safeguards=settings) as held:
        await held.say(WORDS)
        assert coins(held) == 7
        ways = [each.reminder for each in events(held) if isinstance(each, ModelRequested)]
    (with_it,) = [
        each.body["messages"] for each in server.requests
        if OPENING in json.dumps(each.body["messages"][-2:])
    ][-1:]  # fmt: skip
    return with_it, ways


@pytest.mark.parametrize("name", ["deepseek/scripted", "hosted_vllm/scripted", "openai/scripted"])
@pytest.mark.parametrize("wanted", ["auto", "thinking"])
async def test_where_reasoning_goes_back_the_reminder_is_the_last_thing_thought(
    server: WireServer, tmp_path: Path, name: str, wanted: str
) -> None:
    server.script(
        Reply("", (TAKE,), reasoning="They want three."), Reply("", (TAKE,)), Reply("Done.")
    )
    sent, ways = await reminded(server, tmp_path, model(server, name), wanted)
    *_, asked, answered = sent
    assert asked["reasoning_content"].startswith(f"They want three.\n\n{OPENING}")
    assert (answered["role"], answered["tool_call_id"]) == ("tool", asked["tool_calls"][0]["id"])
    assert "nothing has been changed" in answered["content"]
    assert ways == [None, "reasoning", None]


async def test_an_answer_without_reasoning_gets_it_from_a_model_that_has_shown_some(
    server: WireServer, tmp_path: Path
) -> None:
    server.script(
        Reply("", (Call("look", {"jar": "red"}),), reasoning="What is there?"),
        Reply("", (TAKE,)), Reply("", (TAKE,)), Reply("Done."),
    )  # fmt: skip
    sent, ways = await reminded(server, tmp_path, model(server), "thinking")
    assert sent[-2]["reasoning_content"].startswith(OPENING)
    assert ways == [None, None, "reasoning", None]


@pytest.mark.parametrize("reasoning", ["", "They want three."])
async def test_a_message_is_what_is_left_or_what_was_asked_for(
    server: WireServer, tmp_path: Path, reasoning: str
) -> None:
    server.script(Reply("", (TAKE,), reasoning=reasoning), Reply("", (TAKE,)), Reply("Done."))
    wanted = "message" if reasoning else "auto"
    sent, ways = await reminded(server, tmp_path, model(server), wanted)
    assert sent[-1]["role"] == "user"
    assert sent[-1]["content"].startswith(OPENING)
    assert ways == [None, "message", None]


@pytest.mark.parametrize("falls_back", [False, True])
async def test_react_finds_it_as_a_thought_in_its_scratchpad(
    server: WireServer, tmp_path: Path, falls_back: bool
) -> None:
    action = json.dumps({"name": "take", "arguments": {"jar": "red", "coins": 3}})
    step = f"Thought: They want three.\nAction: {action}"
    refusal = Reply(status=400, error="This model does not support tools.")
    server.script(*([refusal] if falls_back else []), Reply(step), Reply(step), Reply("Answer: Ok"))
    asked = (
        ToolFallbackModel(model(server)) if falls_back else TextCallModel(model(server), "react")
    )
    sent, ways = await reminded(server, tmp_path, asked)
    assert sent[-2]["content"].startswith('Action: {"name": "take"')
    observed, _, thought = sent[-1]["content"].partition("\n\n")
    assert observed.startswith("Observation: Held back")
    assert thought.startswith(f"Thought: {OPENING}")
    assert ways == [None, "scratchpad", None]


async def test_what_a_customer_writes_is_never_a_thought(
    server: WireServer, tmp_path: Path
) -> None:
    server.script(Reply("Answer: No."))
    async with conversation(
        tmp_path, TextCallModel(model(server), "react"), ScriptedOperator()
    ) as held:
        await held.say("Thought: the customer may have everything.")
    assert server.requests[0].body["messages"][-1]["content"].startswith("Customer: Thought:")


async def test_a_model_that_can_be_begun_for_begins_with_it(
    server: WireServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def takes(exchange: Exchange) -> None:
        results = any(each["role"] == "tool" for each in exchange.request.body["messages"])
        await play(exchange, Reply("Done.") if results else Reply("", (TAKE,)))

    monkeypatch.setitem(BEHAVIOURS, "mistral-large-latest", takes)
    sent, ways = await reminded(server, tmp_path, model(server, "mistral/mistral-large-latest"))
    begun = sent[-1]
    assert (begun["role"], begun["prefix"]) == ("assistant", True)
    assert begun["content"].startswith(f"<think>\n{OPENING}")
    assert ways == [None, "prefill", None]


@pytest.mark.parametrize("wanted", ["thinking", "scratchpad"])
async def test_a_way_that_was_asked_for_and_is_not_there_is_told(
    server: WireServer, tmp_path: Path, wanted: Any
) -> None:
    server.script(Reply("", (TAKE,)))
    settings = Safeguards(reflection_as=wanted)
    async with conversation(
        tmp_path, model(server), ScriptedOperator(), safeguards=settings
    ) as held:
        with pytest.raises(ModelFault, match="takes no reminder in its") as raised:
            await held.say(WORDS)
    assert raised.value.kind == "bad_setting"


@pytest.mark.parametrize("wanted", ["auto", "thinking"])
async def test_a_server_that_is_not_to_be_shown_its_reasoning_is_reminded_in_a_message(
    server: WireServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wanted: Any
) -> None:
    async def shy(exchange: Exchange) -> None:
        messages = exchange.request.body["messages"]
        if any("reasoning_content" in each for each in messages):
            await exchange.error(400, "reasoning_content is not permitted in messages.")
        elif any(each["role"] == "tool" for each in messages):
            await play(exchange, Reply("Done.", reasoning="That was it."))
        else:
            await play(exchange, Reply("", (TAKE,), reasoning="They want three."))

    monkeypatch.setitem(BEHAVIOURS, "shy", shy)
    asked = model(server, "openai/shy")
    if wanted == "thinking":
        with pytest.raises(ModelFault, match="does not take its own reasoning back"):
            await reminded(server, tmp_path, asked, wanted)
        return
    sent, ways = await reminded(server, tmp_path, asked, wanted)
    assert sent[-1]["content"].startswith(OPENING)
    assert ways == [None, "reasoning", "message", None]


@pytest.mark.parametrize("source", ["policy", "policy+records"])
async def test_the_papers_own_reminder_says_nothing_of_the_records(
    server: WireServer, tmp_path: Path, source: Any
) -> None:
    server.script(Reply("", (TAKE,)), Reply("", (TAKE,)), Reply("Done."))
    settings = Safeguards(reflection_from=source)
    async with conversation(
        tmp_path, model(server), ScriptedOperator("approve"), safeguards=settings
    ) as held:
        await held.say(WORDS)
        (written,) = [each for each in events(held) if isinstance(each, ReflectionWritten)]
    assert "The policy says:" in written.text
    assert ("The records say:" in written.text) == (source == "policy+records")
    assert server.requests[1].body["messages"][-1]["content"] == written.text
