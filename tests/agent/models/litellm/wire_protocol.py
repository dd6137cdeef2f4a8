"""OpenAI's chat-completions protocol from the server's side: what is asked, and ways to answer."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]

USAGE: Json = {
    "prompt_tokens": 120,
    "completion_tokens": 30,
    "total_tokens": 150,
    "prompt_tokens_details": {"cached_tokens": 64},
}


@dataclass(frozen=True)
class Request:
    """One request as it came in."""

    path: str
    headers: dict[str, str]
    body: Json


@dataclass(frozen=True)
class Call:
    """A tool call of a scripted reply."""

    name: str
    arguments: Json | str
    id: str | None = None

    @property
    def text(self) -> str:
        """The arguments as JSON text; a string is sent as it is."""
        if isinstance(self.arguments, str):
            return self.arguments
        return json.dumps(self.arguments)


@dataclass(frozen=True)
class Reply:
    """A scripted answer: words, then calls; or an HTTP error where ``status`` is not 200."""

    text: str = ""
    calls: Sequence[Call] = ()
    reasoning: str = ""
    status: int = 200
    error: str = "scripted error"
    headers: dict[str, str] = field(default_factory=dict)
    cut: bool = False
    """Stop in the middle, without a finish reason."""

    pause: float = 0.0
    """Seconds between pieces."""

    piece: int = 12
    """Characters in a piece."""


def to_the_last(reply: Reply) -> list[Reply]:
    """A reply as often as it is asked for: one without a word or a call is asked for again."""
    said_nothing = reply.status == 200 and not reply.text and not reply.calls
    return [reply] * (4 if said_nothing else 1)


class Exchange:
    """One connection: what was asked, and the ways to answer."""

    def __init__(self, request: Request, hit: int, writer: asyncio.StreamWriter) -> None:
        self.request = request
        self.hit = hit
        """How many requests this model has had, this one included."""

        self._writer = writer
        self._open = False

    async def error(
        self,
        status: int,
        message: str,
        *,
        code: str | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        """Answer with an error as OpenAI words it."""
        kind = "invalid_request_error" if status < 500 else "server_error"
        body = {"error": {"message": message, "type": kind, "param": None, "code": code}}
        await self.raw(status, json.dumps(body).encode(), headers or {})

    async def raw(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        """Answer with any bytes at all."""
        lines = [f"HTTP/1.1 {status} X", "content-type: application/json", "connection: close"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        lines += [f"content-length: {len(body)}", "", ""]
        self._writer.write("\r\n".join(lines).encode() + body)
        await self._writer.drain()

    async def bytes(self, data: bytes) -> None:
        """Send anything, as it is."""
        self._writer.write(data)
        await self._writer.drain()

    async def head(self, status: int = 200, *lines: str) -> None:
        """Begin a response of one's own: the status and the headers."""
        text = "\r\n".join([f"HTTP/1.1 {status} X", *lines, "connection: close", "", ""])
        await self.bytes(text.encode("latin-1", "replace"))

    async def line(self, text: str) -> None:
        """One server-sent event, as text."""
        if not self._open:
            self._open = True
            head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n"
            self._writer.write(f"{head}transfer-encoding: chunked\r\n\r\n".encode())
        data = f"data: {text}\n\n".encode()
        self._writer.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        await self._writer.drain()

    async def chunk(
        self, delta: Json | None = None, finish: str | None = None, usage: Json | None = None
    ) -> None:
        """One chunk of a streamed answer; without a delta, one with empty choices."""
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        await self.line(
            json.dumps(
                {
                    "id": "chatcmpl-wire",
                    "object": "chat.completion.chunk",
                    "created": 1,
                    "model": self.request.body.get("model"),
                    "choices": [] if delta is None else [choice],
                    "usage": usage,
                }
            )
        )

    async def call(self, index: int, id: str | None, name: str | None, arguments: str) -> None:
        """One fragment of a tool call."""
        function: Json = {"arguments": arguments}
        if name is not None:
            function["name"] = name
        fragment: Json = {"index": index, "type": "function", "function": function}
        if id is not None:
            fragment["id"] = id
        await self.chunk({"tool_calls": [fragment]})

    async def finish(self, reason: str = "stop", *, usage: bool = True) -> None:
        """End a whole answer."""
        await self.chunk({}, reason)
        if usage:
            await self.chunk(None, usage=USAGE)
        await self.line("[DONE]")
        await self.close()

    async def close(self) -> None:
        """End the body cleanly, whatever was sent."""
        self._writer.write(b"0\r\n\r\n")
        await self._writer.drain()

    async def break_off(self) -> None:
        """Drop the connection without ending the body."""
        await self._writer.drain()
        await asyncio.sleep(0.05)
        self._writer.transport.abort()


async def play(exchange: Exchange, reply: Reply) -> None:
    """Answer as a scripted reply says."""
    if reply.status != 200:
        await exchange.error(reply.status, reply.error, headers=reply.headers)
        return
    if not exchange.request.body.get("stream"):
        await exchange.raw(200, json.dumps(_whole(exchange, reply)).encode(), {})
        return
    await exchange.chunk({"role": "assistant", "content": ""})
    for field_name, text in (("reasoning_content", reply.reasoning), ("content", reply.text)):
        for part in pieces(text, reply.piece):
            await exchange.chunk({field_name: part})
            await asyncio.sleep(reply.pause)
    for index, call in enumerate(reply.calls):
        await exchange.call(index, call.id or f"call_{exchange.hit}_{index}", call.name, "")
        for part in pieces(call.text, reply.piece):
            await exchange.call(index, None, None, part)
            await asyncio.sleep(reply.pause)
    if reply.cut:
        await exchange.break_off()
        return
    await exchange.finish("tool_calls" if reply.calls else "stop")


def _whole(exchange: Exchange, reply: Reply) -> Json:
    """The answer as it is sent to whoever does not want it piece by piece."""
    calls = [
        {
            "id": call.id or f"call_{exchange.hit}_{index}",
            "type": "function",
            "function": {"name": call.name, "arguments": call.text},
        }
        for index, call in enumerate(reply.calls)
    ]
    message = {"role": "assistant", "content": reply.text or None, "tool_calls": calls or None}
    finish = "tool_calls" if calls else "stop"
    return {
        "id": "chatcmpl-wire",
        "object": "chat.completion",
        "created": 1,
        "model": exchange.request.body.get("model"),
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": USAGE,
    }


def pieces(text: str, size: int) -> Iterable[str]:
    """The text in runs of ``size`` characters."""
    return (text[start : start + size] for start in range(0, len(text), size))
