from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agent.models.assembly import Answer, BadArguments, assemble, parse_arguments
from agent.models.litellm.model import LiteLLMModel
from agent.models.litellm.setup import import_litellm
from agent.models.protocol import Finish, ModelFault, ModelRequest, Piece, ReasoningPiece, TextPiece
from agent.models.retries import answer_with_retries
from tests.agent.models.litellm.wire_behaviours import BEHAVIOURS
from tests.agent.models.litellm.wire_protocol import Call, Reply
from tests.agent.models.litellm.wire_server import WireServer

KEY = "sk-canary-0123456789abcdef"
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "get_order_details",
            "description": "Look an order up.",
            "parameters": {"type": "object", "properties": {"order_id": {"type": "string"}}},
        },
    }
]
ROOT = Path(__file__).resolve().parents[4]


@pytest.fixture
async def server() -> AsyncIterator[WireServer]:
    async with WireServer() as running:
        yield running


def model(server: WireServer, behaviour: str, **limits: float) -> LiteLLMModel:
    return LiteLLMModel(f"openai/{behaviour}", api_base=server.base, api_key=KEY, **limits)  # type: ignore[arg-type]


def request(*messages: dict[str, Any], tools: bool = True) -> ModelRequest:
    said = list(messages) or [{"role": "user", "content": "Where is my order?"}]
    return ModelRequest(said, TOOLS if tools else [])


async def pieces_of(server: WireServer, behaviour: str, **limits: float) -> list[Piece]:
    return await drain(model(server, behaviour, **limits))


async def drain(asked: LiteLLMModel, wanted: ModelRequest | None = None) -> list[Piece]:
    return [piece async for piece in asked.stream(wanted or request())]


async def answer(server: WireServer, behaviour: str) -> Answer:
    return assemble(await pieces_of(server, behaviour))


async def fault(server: WireServer, behaviour: str, **limits: float) -> ModelFault:
    with pytest.raises(ModelFault) as raised:
        await pieces_of(server, behaviour, **limits)
    assert KEY not in raised.value.sentence
    assert "litellm" not in raised.value.sentence
    return raised.value


async def test_words_arrive_piece_by_piece_and_end_with_usage(server: WireServer) -> None:
    pieces = await pieces_of(server, "plain")
    assert sum(isinstance(piece, TextPiece) for piece in pieces) > 1
    whole = assemble(pieces)
    assert whole.text == "Hello, how can I help you today?"
    assert (whole.usage.prompt, whole.usage.completion, whole.usage.cached) == (120, 30, 64)
    assert whole.usage.cost is None
    assert whole.finish_reason == "stop"


async def test_a_request_carries_tools_and_asks_for_one_call_at_a_time(server: WireServer) -> None:
    await answer(server, "plain")
    body = server.requests[0].body
    assert body["tools"] == TOOLS
    assert body["parallel_tool_calls"] is False
    assert body["temperature"] == 0
    assert body["stream_options"] == {"include_usage": True}
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"


async def test_a_seed_is_sent_where_there_is_one(server: WireServer) -> None:
    await drain(model(server, "plain"))
    await drain(model(server, "plain"), replace(request(), seed=7))
    assert [each.body.get("seed") for each in server.requests] == [None, 7]


async def test_a_request_without_tools_says_nothing_of_them(server: WireServer) -> None:
    await drain(model(server, "plain"), request(tools=False))
    assert not {"tools", "parallel_tool_calls"} & server.requests[0].body.keys()


async def test_a_call_in_many_fragments_is_put_together(server: WireServer) -> None:
    whole = await answer(server, "fragments")
    assert whole.text == "One moment."
    assert [(call.id, call.name) for call in whole.calls] == [("c1", "get_order_details")]
    assert parse_arguments(whole.calls[0].arguments) == {"order_id": "#W1234567"}


@pytest.mark.parametrize("behaviour", ["index_zero", "duplicate_ids", "missing_ids"])
async def test_two_calls_stay_two_however_they_are_numbered(
    server: WireServer, behaviour: str
) -> None:
    whole = await answer(server, behaviour)
    assert [(call.name, parse_arguments(call.arguments)) for call in whole.calls] == [
        ("read", {"a": 1}),
        ("cancel", {"id": "W1"}),
    ]
    assert len({call.id for call in whole.calls}) == 2


async def test_two_calls_at_once_keep_their_ids_and_order(server: WireServer) -> None:
    whole = await answer(server, "two_calls")
    assert [(call.id, call.name) for call in whole.calls] == [("c1", "read"), ("c2", "write")]


async def test_malformed_arguments_are_kept_as_written_and_never_read(server: WireServer) -> None:
    whole = await answer(server, "malformed_arguments")
    assert whole.calls[0].arguments == '{"id": 1,'
    with pytest.raises(BadArguments):
        parse_arguments(whole.calls[0].arguments)


async def test_a_tool_that_nobody_has_is_passed_on_by_name(server: WireServer) -> None:
    assert (await answer(server, "unknown_tool")).calls[0].name == "drop_all_tables"


@pytest.mark.parametrize("behaviour", ["cut", "cut_cleanly", "cut_in_call", "cut_after_call"])
async def test_a_cut_stream_is_no_answer(server: WireServer, behaviour: str) -> None:
    seen: list[Piece] = []

    async def listen() -> None:
        async for piece in model(server, behaviour).stream(request()):
            seen.append(piece)

    with pytest.raises(ModelFault) as raised:
        await listen()
    assert (raised.value.kind, raised.value.retryable) == ("cut", True)
    assert seen
    assert not any(isinstance(piece, Finish) for piece in seen)


@pytest.mark.parametrize(
    ("behaviour", "kind", "retryable", "says"),
    [
        ("limited", "rate_limit", True, "Wait 7 seconds"),
        ("no_credit", "rate_limit", False, "no credit"),
        ("broken", "server", True, "The server had an error"),
        ("overloaded", "server", True, "overloaded"),
        ("bad_key", "bad_key", False, "OPENAI_API_KEY"),
        ("forbidden", "bad_key", False, "may not use this model"),
        ("not_found", "unknown_model", False, "does not know a model named not_found"),
        ("too_long", "too_long", False, "maximum context length is 8192"),
        ("toolless", "no_tools", False, "toolless+react"),
        ("bad_request", "bad_request", False, "messages[3] is [31mnot[0m what"),
        ("garbage", "garbled", True, "cannot be read"),
        ("not_json", "garbled", False, "a web page instead of an answer"),
        ("empty_choices", "garbled", True, "answered with nothing"),
        ("nothing_said", "garbled", True, "answered with nothing"),
        ("error_in_stream", "server", True, "Overloaded"),
        ("refusal", "refused", False, "I cannot"),
        ("filtered", "refused", False, "declined"),
    ],
)
async def test_every_failure_is_told_in_a_sentence_that_says_what_to_do(
    server: WireServer, behaviour: str, kind: str, retryable: bool, says: str
) -> None:
    told = await fault(server, behaviour)
    assert (told.kind, told.retryable) == (kind, retryable)
    assert says in told.sentence
    assert "change" in told.sentence.lower()
    assert server.hits(behaviour) == 1


async def test_the_wait_a_provider_asks_for_travels_with_the_fault(server: WireServer) -> None:
    assert (await fault(server, "limited")).retry_after == 7.0


async def test_a_parameter_that_is_refused_is_left_out_from_then_on(server: WireServer) -> None:
    asked = model(server, "no_temperature")
    for _ in range(2):
        assert assemble(await drain(asked)).text
    assert ["temperature" in each.body for each in server.requests] == [True, False, False]


async def test_an_answer_that_hits_its_limit_says_so(server: WireServer) -> None:
    whole = await answer(server, "length")
    assert (whole.text, whole.finish_reason) == ("Once upon a", "length")


async def test_reasoning_is_kept_apart_from_words(server: WireServer) -> None:
    pieces = await pieces_of(server, "reasoning")
    assert any(isinstance(piece, ReasoningPiece) for piece in pieces)
    whole = assemble(pieces)
    assert (whole.text, whole.reasoning) == ("Forty-two.", "Let me think about that.")
    assert whole.provider == {"provider": "openai", "reasoning_content": whole.reasoning}


async def test_escapes_and_reordering_are_taken_out_of_words(server: WireServer) -> None:
    assert (await answer(server, "escapes")).text == "a[31mb]52;c;AAAAcd\ne [bold red]f"


async def test_a_hundred_pieces_a_second_arrive_as_they_are_sent(server: WireServer) -> None:
    arrived = []
    async for piece in model(server, "slow").stream(request()):
        arrived.append((time.monotonic(), piece))
    assert len(arrived) > 60
    assert arrived[-1][0] - arrived[0][0] > 0.5


async def test_tokens_are_estimated_where_the_server_counts_none(server: WireServer) -> None:
    assert (await answer(server, "no_usage")).usage.prompt > 0


async def test_silence_ends_after_its_limit(server: WireServer) -> None:
    for behaviour in ("silent", "stall"):
        begun = time.monotonic()
        told = await fault(server, behaviour, timeout=0.3)
        assert time.monotonic() - begun < 1.5
        assert told.kind == "timeout"
        assert "sent nothing for 0.3 seconds" in told.sentence


async def test_an_answer_that_never_ends_is_ended(server: WireServer) -> None:
    begun = time.monotonic()
    told = await fault(server, "dripping", deadline=0.6)
    assert time.monotonic() - begun < 1.5
    assert told.kind == "timeout"
    assert "had not finished" in told.sentence
    await until_dropped(server, "dripping")


@pytest.mark.parametrize("behaviour", ["silent", "stall", "dripping"])
async def test_cancelling_is_prompt_and_closes_the_connection(
    server: WireServer, behaviour: str
) -> None:
    async def listen() -> None:
        async with aclosing(model(server, behaviour).stream(request())) as pieces:
            async for _ in pieces:
                pass

    task = asyncio.create_task(listen())
    await server.asked.wait()
    await asyncio.sleep(0.2)
    begun = time.monotonic()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert time.monotonic() - begun < 0.3
    await until_dropped(server, behaviour)


async def test_a_stream_that_is_left_is_closed_though_somebody_holds_it(
    server: WireServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    litellm, held = import_litellm(), []
    open_stream = litellm.acompletion

    async def holding(**arguments: Any) -> Any:
        held.append(await open_stream(**arguments))
        return held[0]

    monkeypatch.setattr(litellm, "acompletion", holding)
    async with aclosing(model(server, "dripping").stream(request())) as pieces:
        await anext(pieces)
    await until_dropped(server, "dripping")
    assert held


async def until_dropped(server: WireServer, behaviour: str) -> None:
    await asyncio.wait_for(server.left.wait(), timeout=1)
    assert server.dropped == [behaviour]


async def test_nobody_listening_is_a_fault_that_names_the_address() -> None:
    async with WireServer() as closed:
        base = closed.base
    with pytest.raises(ModelFault) as raised:
        await drain(LiteLLMModel("openai/x", api_base=base, api_key=KEY))
    assert raised.value.kind == "connection"
    assert base in raised.value.sentence


async def test_a_name_that_belongs_to_nobody_is_a_fault() -> None:
    with pytest.raises(ModelFault) as raised:
        await drain(LiteLLMModel("no-such-model"))
    assert raised.value.kind == "unknown_model"
    assert "openai/no-such-model" in raised.value.sentence


async def test_a_missing_key_is_a_fault_that_names_the_variable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for variable in ("ANTHROPIC_API_KEY", "ANTHROPIC_API_BASE", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(variable, raising=False)
    with pytest.raises(ModelFault) as raised:
        await drain(LiteLLMModel("claude-sonnet-5-5"))
    assert raised.value.kind == "no_key"
    assert "Set ANTHROPIC_API_KEY" in raised.value.sentence


async def test_a_server_of_ones_own_is_found_by_the_environment_and_needs_no_key(
    server: WireServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.setenv("OPENAI_API_BASE", server.base)
    assert assemble(await drain(LiteLLMModel("openai/plain"))).text


async def test_what_a_provider_wants_back_is_sent_to_it_and_to_no_other(
    server: WireServer,
) -> None:
    call = {"id": "c1__thought__AAAA", "type": "function"}
    call["function"] = {"name": "get_order_details", "arguments": "{}"}  # type: ignore[assignment]
    kept = {"provider": "anthropic", "thinking_blocks": [{"type": "thinking", "thinking": "hm"}]}
    history: list[dict[str, Any]] = [
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": "", "tool_calls": [call], "provider": kept},
        {"role": "tool", "tool_call_id": "c1__thought__AAAA", "content": "ok"},
    ]
    await drain(model(server, "plain"), request(*history))
    sent = server.requests[0].body["messages"]
    assert "hm" not in str(sent)
    assert "__thought__" not in str(sent)
    assert sent[1]["tool_calls"][0]["id"] == sent[2]["tool_call_id"] == "c1"


async def test_signed_thinking_comes_together_and_goes_back_as_it_came(
    server: WireServer,
) -> None:
    claude = LiteLLMModel(
        "anthropic/claude_thinks", api_base=server.base.removesuffix("/v1"), api_key=KEY
    )
    whole = assemble(await drain(claude))
    assert (whole.text, whole.finish_reason) == ("One moment.", "tool_calls")
    assert whole.reasoning == "Which order?"
    assert parse_arguments(whole.calls[0].arguments) == {"order_id": "#W1"}
    assert (whole.usage.prompt, whole.usage.completion, whole.usage.cached) == (120, 40, 20)
    thinking = [
        {"type": "thinking", "thinking": "Which order?", "signature": "c2lnbmVk"},
        {"type": "redacted_thinking", "data": "aGlkZGVu"},
    ]
    assert whole.provider == {"provider": "anthropic", "thinking_blocks": thinking}
    function = {"name": "get_order_details", "arguments": whole.calls[0].arguments}
    call = {"id": whole.calls[0].id, "type": "function", "function": function}
    said = {"role": "assistant", "content": whole.text, "tool_calls": [call]}
    await drain(
        claude,
        request(
            {"role": "user", "content": "hi"},
            {**said, "provider": whole.provider},
            {"role": "tool", "tool_call_id": call["id"], "content": "ok"},
        ),
    )
    assert server.requests[1].body["messages"][1]["content"][:2] == thinking


async def test_a_limit_that_passes_is_waited_out_in_sight(server: WireServer) -> None:
    told: list[tuple[str, int, float]] = []
    heard: list[Piece] = []

    async def on_retry(fault: ModelFault, attempt: int, seconds: float) -> None:
        told.append((fault.kind, attempt, seconds))

    whole = await answer_with_retries(
        model(server, "limited_once"), request(), on_piece=heard.append, on_retry=on_retry
    )
    assert whole.text == "Hello, how can I help you today?"
    assert told == [("rate_limit", 1, 0.2)]
    assert server.hits("limited_once") == 2
    assert heard


async def test_a_key_is_in_no_fault_wherever_it_comes_from(
    server: WireServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    planted = {"OPENAI_API_KEY": "odd-shape-env-0001", "SOME_SERVICE_TOKEN": "another_env_secret"}
    for name, value in planted.items():
        monkeypatch.setenv(name, value)
    argument = "plain words of a key 42"
    for error in [*planted.values(), argument]:
        server.script(Reply(status=400, error=f"You sent {error}, x-api-key: {error}"))
        asked = LiteLLMModel("openai/scripted", api_base=server.base, api_key=argument)
        with pytest.raises(ModelFault) as raised:
            await drain(asked)
        assert error not in raised.value.sentence
        assert raised.value.__cause__ is None
        assert raised.value.__suppress_context__


async def test_a_script_is_answered_in_order(server: WireServer) -> None:
    server.script(
        Reply("Let me look.", (Call("get_order_details", {"order_id": "#W1"}),)),
        Reply("It is on its way."),
        Reply("never", cut=True),
    )
    first, second = await answer(server, "scripted"), await answer(server, "scripted")
    assert (first.text, first.calls[0].name) == ("Let me look.", "get_order_details")
    assert second.text == "It is on its way."
    assert (await fault(server, "scripted")).kind == "cut"


def test_every_behaviour_is_tried() -> None:
    files = (ROOT / "tests" / "agent").rglob("test_*.py")
    tried = "".join(file.read_text(encoding="utf-8") for file in files)
    assert [name for name in BEHAVIOURS if not re.search(rf"\b{name}\b", tried)] == []
