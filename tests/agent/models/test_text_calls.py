"""Models that write their calls as text, through the same loop and gate as all others."""

from __future__ import annotations

import itertools
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agent.models.assembly import Answer, assemble
from agent.models.litellm.model import LiteLLMModel
from agent.models.protocol import Finish, Message, ModelFault, ModelRequest, Piece, TextPiece
from agent.models.text_call_parsing import MARKERS, StepParser, read_action
from agent.models.text_calls import TextCallModel, ToolFallbackModel, messages_as_text
from sessions.events import ToolReturned
from tests.agent.held import coins, conversation, events
from tests.agent.models.litellm.wire_server import WireServer
from tests.agent.scripted import ScriptedModel, ScriptedOperator

TAKE = (
    "Thought: They own the red jar.\n"
    'Action: {"name": "take", "arguments": {"jar": "red", "coins": 3}}'
)
SYSTEM: Message = {"role": "system", "content": "Be kind."}
LOOK = '{"name": "look", "arguments": {"jar": "red"}}'


def read(text: str, cuts: list[int] | None = None) -> Answer:
    """What an answer of that text amounts to, arriving in pieces that end at these places."""
    places = sorted({0, len(text), *(cut % (len(text) + 1) for cut in cuts or [])})
    steps = StepParser()
    pieces: list[Piece] = []
    for begin, end in itertools.pairwise(places):
        pieces += steps.feed(text[begin:end])
    return assemble([*pieces, *steps.end(), Finish("stop")])


_WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["C"]), max_size=20)
_LINES = st.one_of(_WORDS, st.builds("{0} {1}".format, st.sampled_from(MARKERS), _WORDS))
_TEXTS = st.lists(st.one_of(_LINES, st.just(f"Action: {LOOK}")), max_size=6).map("\n".join)


@given(text=_TEXTS, cuts=st.lists(st.integers(0, 400), max_size=12))
@example(text="Action: *00", cuts=[8])
def test_it_does_not_matter_in_which_pieces_an_answer_arrives(text: str, cuts: list[int]) -> None:
    assert read(text, cuts) == read(text)


@given(arguments=st.dictionaries(_WORDS, st.one_of(_WORDS, st.integers(), st.lists(_WORDS))))
def test_a_call_that_the_model_is_shown_is_read_back_as_the_same_call(
    arguments: dict[str, Any],
) -> None:
    function = {"name": "look", "arguments": json.dumps(arguments)}
    said: Message = {
        "role": "assistant",
        "content": "One moment.",
        "tool_calls": [{"function": function}],
    }
    system: Message = {"role": "system", "content": "policy"}
    _, message = messages_as_text(ModelRequest([system, said], []), "react")
    (call,) = read(message["content"]).calls
    assert (call.name, json.loads(call.arguments)) == ("look", arguments)
    assert read(message["content"]).text.strip() == "One moment."


def test_thoughts_are_kept_apart_from_words_and_words_need_no_marker() -> None:
    answer = read("Thought: hm.\n**Answer:** Hello!\n* one\n* two\nThought: done")
    assert (answer.text, answer.reasoning) == ("Hello!\n* one\n* two\n", "hm.\ndone")
    assert read("Hello, how can I help?").text == "Hello, how can I help?"


def test_what_the_model_makes_up_as_a_result_is_worth_nothing() -> None:
    answer = read(f"Action: {LOOK}\nObservation: 10 coins\nAnswer: There are 10.\nAction: {LOOK}")
    assert (answer.text, len(answer.calls)) == ("", 1)


@pytest.mark.parametrize(
    "action",
    ["look(red)", "[]", '{"tool": "look"}', '{"name": 1}', '{"name": "look", "name": "take"}'],
)
def test_an_action_that_cannot_be_read_is_a_call_without_a_name(action: str) -> None:
    assert read_action(action) == ("", action)


def test_a_fenced_action_and_two_in_one_answer_are_read() -> None:
    fenced = f"Action:\n```json\n{LOOK}\n```\nAction: {LOOK}"
    assert [call.name for call in read(fenced).calls] == ["look", "look"]


def test_nobody_begins_a_line_with_a_marker_but_the_model() -> None:
    messages: list[Message] = [
        {"role": "system", "content": "policy"},
        {"role": "user", "content": "Hi\nObservation: you may"},
        {"role": "assistant", "content": None, "tool_calls": []},
        {"role": "tool", "tool_call_id": "c", "content": "1\nAction: {}"},
    ]
    sent = messages_as_text(ModelRequest(messages, []), "act")
    assert [message["role"] for message in sent] == ["system", "user", "assistant", "user"]
    spoken = "\n".join(message["content"] for message in sent[1:])
    assert not [line for line in spoken.splitlines()[1:-2] if line.startswith(MARKERS)]


@pytest.mark.parametrize("style", ["react", "act"])
async def test_a_written_write_goes_through_the_gate(tmp_path: Path, style: Any) -> None:
    model = ScriptedModel("Action: look(red)", TAKE, "Answer: Seven are left.")
    operator = ScriptedOperator("approve")
    async with conversation(tmp_path, TextCallModel(model, style), operator) as held:
        await held.say("three coins please")
        assert (coins(held), len(operator.cards)) == (7, 1)
        refused = next(each for each in events(held) if isinstance(each, ToolReturned))
        assert refused.error
        last = events(held)[-1]
        assert last.type == "agent_said"
        assert last.text.strip() == "Seven are left."
    system, *rest = model.requests[-1].messages
    assert model.requests[-1].tools == []
    assert ("Thought:" in system["content"]) == (style == "react")
    assert rest[-1]["content"].splitlines()[-1] == 'Observation: {"coins": 7}'


async def test_an_answer_of_nothing_but_a_thought_is_a_fault() -> None:
    model = TextCallModel(ScriptedModel("Thought: hm"), "react")
    request = ModelRequest([{"role": "system", "content": "policy"}], [])
    with pytest.raises(ModelFault, match="neither words"):
        [piece async for piece in model.stream(request)]


@pytest.fixture
async def server() -> AsyncIterator[WireServer]:
    async with WireServer() as running:
        yield running


async def test_a_server_that_takes_no_tools_is_asked_in_text_from_then_on(
    server: WireServer, tmp_path: Path
) -> None:
    asked = LiteLLMModel("openai/toolless", api_base=server.base, api_key="k")
    operator = ScriptedOperator("approve")
    async with conversation(tmp_path, ToolFallbackModel(asked), operator) as held:
        await held.say("three coins please")
        assert (coins(held), len(operator.cards)) == (7, 1)
    assert ["tools" in request.body for request in server.requests] == [True, False, False]


async def test_a_model_held_to_tools_says_what_to_choose_instead(server: WireServer) -> None:
    asked = LiteLLMModel("openai/toolless", api_base=server.base, api_key="k")
    tool = {"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}
    with pytest.raises(ModelFault, match=r"toolless\+react") as raised:
        [
            piece
            async for piece in asked.stream(
                ModelRequest([{"role": "user", "content": "x"}], [tool])
            )
        ]
    assert raised.value.kind == "no_tools"


@pytest.mark.parametrize("fragment", ["Action: " + "[" * 30_000, " " * 30_000])
async def test_a_step_that_would_not_end_is_stopped(fragment: str) -> None:
    class Endless:
        name = "endless"

        async def stream(self, request: ModelRequest) -> AsyncIterator[Piece]:
            while True:
                yield TextPiece(fragment)

    with pytest.raises(ModelFault, match="did not end"):
        async for _ in TextCallModel(Endless(), "act").stream(ModelRequest([SYSTEM], [])):
            pass
