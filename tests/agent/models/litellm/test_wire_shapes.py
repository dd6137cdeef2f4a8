"""What the big servers' streams come to, from their own shapes."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from agent.models.assembly import Answer, assemble, parse_arguments
from agent.models.litellm.model import LiteLLMModel
from agent.models.protocol import ModelRequest
from tests.agent.models.litellm import wire_shapes
from tests.agent.models.litellm.wire_server import WireServer

_TOOL = {
    "type": "function",
    "function": {"name": "get_order_details", "parameters": {"type": "object", "properties": {}}},
}


@pytest.fixture
async def server() -> AsyncIterator[WireServer]:
    async with WireServer() as running:
        yield running


async def _answer(server: WireServer, name: str, base: str | None = None) -> Answer:
    model = LiteLLMModel(name, api_base=base or server.base, api_key="k")
    request = ModelRequest([{"role": "user", "content": "hi"}], [_TOOL])
    return assemble([piece async for piece in model.stream(request)])


def _called(answer: Answer) -> list[tuple[str, str, object]]:
    return [(call.id, call.name, parse_arguments(call.arguments)) for call in answer.calls]


async def test_openais_parallel_calls_and_its_usage_in_a_chunk_of_its_own(
    server: WireServer,
) -> None:
    whole = await _answer(server, f"openai/{wire_shapes.openai_parallel.__name__}")
    assert _called(whole) == [
        ("call_62136354", "get_order_details", {"order_id": "#W1"}),
        ("call_62136355", "get_user_details", {"user_id": "ann"}),
    ]
    assert (whole.usage.prompt, whole.usage.completion, whole.usage.cached) == (120, 40, 20)
    assert (whole.text, whole.finish_reason) == ("", "tool_calls")


async def test_vllms_reasoning_is_no_word_to_the_customer(server: WireServer) -> None:
    whole = await _answer(server, f"hosted_vllm/{wire_shapes.vllm_thinks.__name__}")
    assert whole.reasoning == "Which order?"
    assert whole.text.strip() == ""
    assert _called(whole) == [
        ("chatcmpl-tool-8b3f61a0c0f54f5e", "get_order_details", {"order_id": "#W1"})
    ]
    assert (whole.usage.prompt, whole.usage.completion) == (120, 40)


async def test_newer_vllms_reasoning_is_none_either(server: WireServer) -> None:
    whole = await _answer(server, f"hosted_vllm/{wire_shapes.vllm_thinks_newer.__name__}")
    assert whole.text == "Which order is it?"
    assert whole.reasoning in ("Which order?", "")


async def test_claudes_parallel_calls_and_one_without_arguments(server: WireServer) -> None:
    base = server.base.removesuffix("/v1")
    whole = await _answer(server, f"anthropic/{wire_shapes.claude_parallel.__name__}", base)
    assert _called(whole) == [
        ("toolu_01A", "get_order_details", {"order_id": "#W1"}),
        ("toolu_01B", "list_products", {}),
    ]
    assert (whole.usage.prompt, whole.usage.completion) == (100, 40)
