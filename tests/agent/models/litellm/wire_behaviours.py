"""How a model of the local server answers, well or badly on purpose, by its name."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable

from tests.agent.models.litellm.wire_protocol import USAGE, Call, Exchange, Json, Reply, play

Behaviour = Callable[[Exchange], Awaitable[None]]
BEHAVIOURS: dict[str, Behaviour] = {}
"""What a model of that name does."""


def behaviour(function: Behaviour) -> Behaviour:
    """Register a behaviour under its function's name."""
    BEHAVIOURS[getattr(function, "__name__", "")] = function
    return function


@behaviour
async def plain(exchange: Exchange) -> None:
    await play(exchange, Reply("Hello, how can I help you today?"))


@behaviour
async def fragments(exchange: Exchange) -> None:
    call = Call("get_order_details", {"order_id": "#W1234567"}, "c1")
    await play(exchange, Reply("One moment.", (call,), piece=2))


@behaviour
async def two_calls(exchange: Exchange) -> None:
    await play(exchange, Reply(calls=(Call("read", {"a": 1}, "c1"), Call("write", {"b": 2}, "c2"))))


@behaviour
async def index_zero(exchange: Exchange) -> None:
    await exchange.call(0, "c1", "read", '{"a": 1}')
    await exchange.call(0, "c2", "cancel", '{"id": "W1"}')
    await exchange.finish("tool_calls")


@behaviour
async def duplicate_ids(exchange: Exchange) -> None:
    await exchange.call(0, "c1", "read", '{"a": 1}')
    await exchange.call(1, "c1", "cancel", '{"id": "W1"}')
    await exchange.finish("tool_calls")


@behaviour
async def missing_ids(exchange: Exchange) -> None:
    await exchange.call(0, None, "read", '{"a": 1}')
    await exchange.call(1, None, "cancel", '{"id": "W1"}')
    await exchange.finish("tool_calls")


@behaviour
async def malformed_arguments(exchange: Exchange) -> None:
    await exchange.call(0, "c1", "cancel", '{"id": 1,')
    await exchange.finish("tool_calls")


@behaviour
async def unknown_tool(exchange: Exchange) -> None:
    await play(exchange, Reply(calls=(Call("drop_all_tables", {"really": True}, "c1"),)))


@behaviour
async def limited_once(exchange: Exchange) -> None:
    if exchange.hit == 1:
        await exchange.error(429, "Rate limit reached.", headers={"retry-after": "0.2"})
    else:
        await plain(exchange)


@behaviour
async def limited(exchange: Exchange) -> None:
    await exchange.error(429, "Rate limit reached.", headers={"retry-after": "7"})


@behaviour
async def no_credit(exchange: Exchange) -> None:
    await exchange.error(429, "You exceeded your current quota.", code="insufficient_quota")


@behaviour
async def broken(exchange: Exchange) -> None:
    await exchange.error(500, "The server had an error.")


@behaviour
async def overloaded(exchange: Exchange) -> None:
    await exchange.error(503, "The model is overloaded.")


@behaviour
async def bad_key(exchange: Exchange) -> None:
    key = exchange.request.headers.get("authorization", "").removeprefix("Bearer ")
    message = f"Incorrect API key provided: {key}. You can find your key at example.com."
    await exchange.error(401, message, code="invalid_api_key")


@behaviour
async def forbidden(exchange: Exchange) -> None:
    await exchange.error(403, "Your project may not use this model.")


@behaviour
async def not_found(exchange: Exchange) -> None:
    await exchange.error(404, "The model does not exist.", code="model_not_found")


@behaviour
async def too_long(exchange: Exchange) -> None:
    message = "This model's maximum context length is 8192 tokens. Your messages had 9001 tokens."
    await exchange.error(400, message, code="context_length_exceeded")


@behaviour
async def bad_request(exchange: Exchange) -> None:
    await exchange.error(400, "messages[3] is \x1b[31mnot\x1b[0m what it should be.")


@behaviour
async def toolless(exchange: Exchange) -> None:
    """A model of a local server that was not made for tools."""
    if "tools" in exchange.request.body:
        await exchange.error(400, "registry.ollama.ai/library/gemma does not support tools")
    elif exchange.hit < 3:
        step = 'Thought: The red jar.\nAction: {"name": "take", "arguments": {"jar": "red",'
        await play(exchange, Reply(f'{step} "coins": 3}}}}', piece=3))
    else:
        await play(exchange, Reply("Thought: Done.\nAnswer: Seven are left.", piece=3))


@behaviour
async def no_temperature(exchange: Exchange) -> None:
    if "temperature" in exchange.request.body:
        await exchange.error(400, "Unsupported value: 'temperature' does not support 0.")
    else:
        await plain(exchange)


@behaviour
async def cut(exchange: Exchange) -> None:
    await exchange.chunk({"role": "assistant", "content": "Your order is"})
    await exchange.break_off()


@behaviour
async def cut_cleanly(exchange: Exchange) -> None:
    await exchange.chunk({"role": "assistant", "content": "Your order is"})
    await exchange.close()


@behaviour
async def cut_in_call(exchange: Exchange) -> None:
    await exchange.call(0, "c1", "cancel", '{"id": ')
    await exchange.break_off()


@behaviour
async def cut_after_call(exchange: Exchange) -> None:
    await exchange.call(0, "c1", "cancel", '{"id": "W1"}')
    await exchange.close()


@behaviour
async def garbage(exchange: Exchange) -> None:
    await exchange.chunk({"role": "assistant", "content": "Your "})
    await exchange.line("<html>{{{ not json")
    await exchange.close()


@behaviour
async def not_json(exchange: Exchange) -> None:
    await exchange.raw(200, b"<html>welcome to the hotel wifi</html>", {})


@behaviour
async def error_in_stream(exchange: Exchange) -> None:
    await exchange.chunk({"role": "assistant", "content": "Your "})
    await exchange.line(json.dumps({"error": {"message": "Overloaded", "type": "server_error"}}))
    await exchange.close()


@behaviour
async def stall(exchange: Exchange) -> None:
    await exchange.chunk({"role": "assistant", "content": "Your "})
    await asyncio.sleep(60)


@behaviour
async def silent(exchange: Exchange) -> None:
    await asyncio.sleep(60)


@behaviour
async def dripping(exchange: Exchange) -> None:
    for number in range(10_000):
        await exchange.chunk({"content": f"{number} "})
        await asyncio.sleep(0.05)


@behaviour
async def empty_choices(exchange: Exchange) -> None:
    await exchange.chunk(None, usage=USAGE)
    await exchange.line("[DONE]")
    await exchange.close()


@behaviour
async def nothing_said(exchange: Exchange) -> None:
    await exchange.chunk({"role": "assistant", "content": ""})
    await exchange.finish()


@behaviour
async def refusal(exchange: Exchange) -> None:
    await exchange.chunk({"role": "assistant", "content": None, "refusal": "I cannot "})
    await exchange.chunk({"refusal": "help with that."})
    await exchange.finish()


@behaviour
async def filtered(exchange: Exchange) -> None:
    await exchange.chunk({"role": "assistant", "content": "Well, "})
    await exchange.finish("content_filter")


@behaviour
async def length(exchange: Exchange) -> None:
    await exchange.chunk({"role": "assistant", "content": "Once upon a"})
    await exchange.finish("length")


@behaviour
async def slow(exchange: Exchange) -> None:
    await play(exchange, Reply(" ".join(f"word{n}" for n in range(60)), pause=0.01, piece=5))


@behaviour
async def reasoning(exchange: Exchange) -> None:
    await play(exchange, Reply("Forty-two.", reasoning="Let me think about that."))


@behaviour
async def no_usage(exchange: Exchange) -> None:
    await exchange.chunk({"role": "assistant", "content": "Hello."})
    await exchange.finish(usage=False)


@behaviour
async def escapes(exchange: Exchange) -> None:
    await play(exchange, Reply("a\x1b[31mb\x1b]52;c;AAAA\x07c\u202ed\r\ne [bold red]f", piece=1))


@behaviour
async def claude_thinks(exchange: Exchange) -> None:
    """Anthropic's protocol: signed thinking in pieces, a redacted block, words and a call."""
    usage = {"input_tokens": 100, "output_tokens": 1, "cache_read_input_tokens": 20}
    start = {"id": "m1", "role": "assistant", "content": [], "model": "x", "usage": usage}
    blocks: list[tuple[Json, list[Json]]] = [
        (
            {"type": "thinking", "thinking": "", "signature": ""},
            [
                {"type": "thinking_delta", "thinking": "Which "},
                {"type": "thinking_delta", "thinking": "order?"},
                {"type": "signature_delta", "signature": "c2lnbmVk"},
            ],
        ),
        ({"type": "redacted_thinking", "data": "aGlkZGVu"}, []),
        ({"type": "text", "text": ""}, [{"type": "text_delta", "text": "One moment."}]),
        (
            {"type": "tool_use", "id": "toolu_1", "name": "get_order_details", "input": {}},
            [
                {"type": "input_json_delta", "partial_json": '{"order_id": '},
                {"type": "input_json_delta", "partial_json": '"#W1"}'},
            ],
        ),
    ]
    await exchange.line(json.dumps({"type": "message_start", "message": start}))
    for index, (block, deltas) in enumerate(blocks):
        begin = {"type": "content_block_start", "index": index, "content_block": block}
        await exchange.line(json.dumps(begin))
        for delta in deltas:
            more = {"type": "content_block_delta", "index": index, "delta": delta}
            await exchange.line(json.dumps(more))
        await exchange.line(json.dumps({"type": "content_block_stop", "index": index}))
    end = {"delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 40}}
    await exchange.line(json.dumps({"type": "message_delta", **end}))
    await exchange.line(json.dumps({"type": "message_stop"}))
    await exchange.close()
