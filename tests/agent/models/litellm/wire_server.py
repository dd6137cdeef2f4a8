"""A small local server that speaks OpenAI's chat-completions protocol, well or badly on purpose.

The model's name picks how it behaves (``wire_behaviours``); the model ``scripted`` answers with
the replies handed to :meth:`WireServer.script`, in order. Every request is kept in ``requests``.

``python -m tests.agent.models.litellm.wire_server PORT`` serves until interrupted, for use by hand:
``OPENAI_API_BASE=http://127.0.0.1:PORT/v1 OPENAI_API_KEY=x saber play --model openai/plain``.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections import Counter, deque
from collections.abc import Mapping

from tests.agent.models.litellm.wire_behaviours import BEHAVIOURS, Behaviour, not_found
from tests.agent.models.litellm.wire_protocol import Exchange, Reply, Request, play


class WireServer:
    """The server, as an asynchronous context manager."""

    def __init__(self, port: int = 0, behaviours: Mapping[str, Behaviour] = BEHAVIOURS) -> None:
        self._behaviours = behaviours
        self.requests: list[Request] = []
        self.dropped: list[str] = []
        """Models whose answer the client did not wait for."""

        self.asked = asyncio.Event()
        """A request has come in."""

        self.left = asyncio.Event()
        """A client has left before its answer was whole."""

        self._port = port
        self._hits: Counter[str] = Counter()
        self._script: deque[Reply] = deque()
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def base(self) -> str:
        """What ``OPENAI_API_BASE`` is set to."""
        assert self._server is not None
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/v1"

    def script(self, *replies: Reply) -> None:
        """Add replies for the model ``scripted``, which gives them in this order."""
        self._script.extend(replies)

    def hits(self, model: str) -> int:
        """How many requests a model has had."""
        return self._hits[model]

    async def __aenter__(self) -> WireServer:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", self._port)
        return self

    async def __aexit__(self, *exception: object) -> None:
        assert self._server is not None
        self._server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
                await self._serve(reader, writer)
        except asyncio.CancelledError:
            writer.transport.abort()
        finally:
            self._tasks.discard(task)
            writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        request = await _read(reader)
        model = str(request.body.get("model", ""))
        self.requests.append(request)
        self._hits[model] += 1
        self.asked.set()
        exchange = Exchange(request, self._hits[model], writer)
        answering = asyncio.ensure_future(self._answer(model, exchange))
        leaving = asyncio.ensure_future(reader.read())
        try:
            await asyncio.wait({answering, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if answering.done():
                answering.result()
            else:
                self.dropped.append(model)
                self.left.set()
        finally:
            answering.cancel()
            leaving.cancel()
            await asyncio.gather(answering, leaving, return_exceptions=True)

    async def _answer(self, model: str, exchange: Exchange) -> None:
        if model == "scripted":
            if not self._script:
                await exchange.error(400, "The script has no more replies.")
                return
            await play(exchange, self._script.popleft())
            return
        known = self._behaviours.get(model)
        await (known(exchange) if known else not_found(exchange))


async def _read(reader: asyncio.StreamReader) -> Request:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    headers = {
        name.strip().lower(): value.strip()
        for name, _, value in (line.partition(":") for line in head[1:] if line)
    }
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    return Request(head[0].split()[1], headers, json.loads(body or b"{}"))


async def _serve_forever(port: int) -> None:
    async with WireServer(port) as server:
        print(server.base, flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve_forever(int(sys.argv[1]) if len(sys.argv) > 1 else 0))
