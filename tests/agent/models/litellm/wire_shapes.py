"""Streams in the shapes that servers send them: every key that they send, values made up."""

from __future__ import annotations

import json
from typing import Any

from tests.agent.models.litellm.wire_behaviours import behaviour
from tests.agent.models.litellm.wire_protocol import Exchange, Json

_OPENAI: Json = {
    "id": "chatcmpl-B9MHDbslfkBeAs8l4bebGdFOJ6PeG",
    "object": "chat.completion.chunk",
    "created": 1741570283,
    "model": "gpt-4o-2024-08-06",
    "service_tier": "default",
    "system_fingerprint": "fp_fc9f1d7035",
    "obfuscation": "k3Jx",
}
_VLLM: Json = {
    "id": "chatcmpl-6d1a2f3e",
    "object": "chat.completion.chunk",
    "created": 1741570283,
    "model": "Qwen/Qwen3-32B",
    "prompt_token_ids": None,
}
_USAGE: Json = {
    "prompt_tokens": 120,
    "completion_tokens": 40,
    "total_tokens": 160,
    "prompt_tokens_details": {"cached_tokens": 20, "audio_tokens": 0},
    "completion_tokens_details": {"reasoning_tokens": 12, "accepted_prediction_tokens": 0},
}


async def _send(
    exchange: Exchange, envelope: Json, deltas: list[Json], finish: str, **more: Any
) -> None:
    """The deltas one by one, then why it ended, then the usage with no choices at all."""
    for delta in deltas:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": None, **more}
        await exchange.line(json.dumps({**envelope, "choices": [choice], "usage": None}))
    last = {"index": 0, "delta": {}, "logprobs": None, "finish_reason": finish, **more}
    await exchange.line(json.dumps({**envelope, "choices": [last], "usage": None}))
    await exchange.line(json.dumps({**envelope, "choices": [], "usage": _USAGE}))
    await exchange.line("[DONE]")
    await exchange.close()


def _calls(*fragments: tuple[int, str | None, str | None, str]) -> list[Json]:
    """Fragments of calls: index, id, name, piece of the arguments."""
    found: list[Json] = []
    for index, id, name, arguments in fragments:
        call: Json = {"index": index, "function": {"arguments": arguments}}
        if id is not None:
            call = {"index": index, "id": id, "type": "function"}
            call["function"] = {"name": name, "arguments": arguments}
        found.append({"tool_calls": [call]})
    return found


@behaviour
async def openai_parallel(exchange: Exchange) -> None:
    """Two calls at once, each in fragments, the first chunk with a role and null content."""
    first: Json = {"role": "assistant", "content": None, "refusal": None}
    first |= _calls((0, "call_62136354", "get_order_details", ""))[0]
    rest = _calls(
        (0, None, None, '{"order'), (0, None, None, '_id": "#W1"}'),
        (1, "call_62136355", "get_user_details", ""), (1, None, None, '{"user_id": "ann"}'),
    )  # fmt: skip
    await _send(exchange, _OPENAI, [first, *rest], "tool_calls")


@behaviour
async def vllm_thinks(exchange: Exchange) -> None:
    """Reasoning in a field of its own, then a call under vLLM's long id."""
    deltas: list[Json] = [
        {"role": "assistant", "content": ""},
        {"reasoning_content": "Which "},
        {"reasoning_content": "order?"},
        {"content": "\n\n"},
        *_calls(
            (0, "chatcmpl-tool-8b3f61a0c0f54f5e", "get_order_details", ""),
            (0, None, None, '{"order_id": '), (0, None, None, '"#W1"'), (0, None, None, "}"),
        ),
    ]  # fmt: skip
    await _send(exchange, _VLLM, deltas, "tool_calls", stop_reason=None, token_ids=None)


@behaviour
async def vllm_thinks_newer(exchange: Exchange) -> None:
    """The same field under the name that newer versions give it."""
    deltas: list[Json] = [
        {"role": "assistant", "content": ""},
        {"reasoning": "Which "},
        {"reasoning": "order?"},
        {"content": "Which order is it?"},
    ]
    await _send(exchange, _VLLM, deltas, "stop", stop_reason=None, token_ids=None)


@behaviour
async def claude_parallel(exchange: Exchange) -> None:
    """Anthropic's protocol: two calls in blocks of their own, one of them without arguments."""
    usage: Json = {"input_tokens": 100, "output_tokens": 1, "cache_creation_input_tokens": 0}
    usage |= {"cache_read_input_tokens": 0, "service_tier": "standard"}
    start: Json = {"id": "msg_01", "type": "message", "role": "assistant", "content": []}
    start |= {"model": "x", "stop_reason": None, "stop_sequence": None, "usage": usage}
    await exchange.line(json.dumps({"type": "message_start", "message": start}))
    await exchange.line(json.dumps({"type": "ping"}))
    calls = (("toolu_01A", "get_order_details", ['{"order_id"', ': "#W1"}']),)
    for index, (id, name, parts) in enumerate((*calls, ("toolu_01B", "list_products", [""]))):
        block = {"type": "tool_use", "id": id, "name": name, "input": {}}
        begin = {"type": "content_block_start", "index": index, "content_block": block}
        await exchange.line(json.dumps(begin))
        for part in parts:
            delta = {"type": "input_json_delta", "partial_json": part}
            more = {"type": "content_block_delta", "index": index, "delta": delta}
            await exchange.line(json.dumps(more))
        await exchange.line(json.dumps({"type": "content_block_stop", "index": index}))
    end: Json = {"delta": {"stop_reason": "tool_use", "stop_sequence": None}}
    end |= {"usage": {"output_tokens": 40}}
    await exchange.line(json.dumps({"type": "message_delta", **end}))
    await exchange.line(json.dumps({"type": "message_stop"}))
    await exchange.close()
