"""Where hostile answers are registered, and the few words that they are written in."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from tests.agent.models.litellm.wire_protocol import USAGE, Exchange

Answer = Callable[[Exchange], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Animal:
    """One hostile answer."""

    name: str
    answer: Answer
    quick: bool
    """Part of what is run with every change: over in a moment."""


ZOO: dict[str, Animal] = {}


def animal(name: str, answer: Answer, *, quick: bool = True) -> None:
    """Register an answer under a name, which is also the model's."""
    assert name not in ZOO
    ZOO[name] = Animal(name, answer, quick)


def chunk(
    delta: Any = None, finish: Any = None, *, index: Any = 0, usage: Any = None, **more: Any
) -> dict[str, Any]:
    """A chunk of OpenAI's; without a delta one with no choices."""
    choice = {"index": index, "delta": delta, "finish_reason": finish}
    whole = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    return {**whole, "choices": [] if delta is None else [choice], "usage": usage, **more}


def event(value: Any) -> bytes:
    """A server-sent event: JSON of a value, or a text as it is."""
    text = value if isinstance(value, str) else json.dumps(value)
    return f"data: {text}\n\n".encode("utf-8", "surrogatepass")


WORDS = event(chunk({"role": "assistant", "content": "Hello there. "}))
STOP = event(chunk({}, "stop"))
CALLED = event(chunk({}, "tool_calls"))
DONE = event(chunk(None, usage=USAGE)) + event("[DONE]")
SSE = "content-type: text/event-stream"


def call(name: Any, arguments: Any, id: Any = "c1", index: Any = 0) -> bytes:
    """The event of a whole call."""
    function = {"name": name, "arguments": arguments}
    one = {"index": index, "id": id, "type": "function", "function": function}
    return event(chunk({"tool_calls": [one]}))


def body(
    *parts: bytes, kind: str = SSE, status: int = 200, headers: tuple[str, ...] = ()
) -> Answer:
    """An answer that is one response with its length told, sent at once."""
    data = b"".join(parts)

    async def answer(exchange: Exchange) -> None:
        await exchange.head(status, kind, f"content-length: {len(data)}", *headers)
        await exchange.bytes(data)

    return answer


def stream(*values: Any) -> Answer:
    """An answer of these events and nothing else."""
    return body(*(each if isinstance(each, bytes) else event(each) for each in values))


def whole(*values: Any) -> Answer:
    """These events, then a proper end."""
    return stream(*values, STOP, DONE)
