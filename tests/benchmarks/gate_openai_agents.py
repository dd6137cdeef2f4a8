"""The OpenAI Agents SDK at the gate, built the way its own documentation shows.

In the cheapest durable form: tracing off, no further model turn after the tool, an async tool where
a plain one would go through a thread, and the saved state overwritten in place.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from agents import (
    Agent,
    Model,
    ModelResponse,
    Runner,
    RunState,
    Usage,
    function_tool,
    set_tracing_disabled,
)
from openai.types.responses import ResponseFunctionToolCall

from tests.benchmarks.gate_side import (
    REQUEST,
    TOOL,
    Stamps,
    Times,
    arguments_text,
    call_id,
    cancel,
    chat,
    order_id,
    small_orders,
)

set_tracing_disabled(True)

_REQUEST: Any = {"role": "user", "content": REQUEST}


class OpenAIAgents:
    """The Agents SDK; the paused run is saved as JSON with fsync, and loaded to go on."""

    name = "OpenAI Agents, run state saved and loaded"
    reloads = True

    def __init__(self, folder: Path) -> None:
        self.folder = folder / f"runs{self.reloads}"
        self.folder.mkdir()
        self.stamps = Stamps()
        self.orders = small_orders()
        self.number = 0
        self._history: dict[str, list[Any]] = {}
        self._loop = asyncio.Runner()
        self._agent: Agent[Any] = self._made()

    def _made(self) -> Agent[Any]:
        side = self

        @function_tool(needs_approval=True)
        async def cancel_pending_order(order_id: str, reason: str) -> str:
            """Cancel a pending order."""
            side.stamps.entered()
            return cancel(side.orders, order_id, reason)

        return Agent(
            name="clerk",
            model=_ResponsesModel(self),
            tools=[cancel_pending_order],
            tool_use_behavior="stop_on_first_tool",
        )

    def seed(self, thread: str, messages: int) -> None:
        """Give a conversation its earlier messages; the SDK is handed them with each run."""
        self._history[thread] = [{"role": role, "content": text} for role, text in chat(messages)]

    def turn(self, thread: str, number: int = 0) -> Times:
        """One gated write, from the customer's words to the result."""
        self.orders, self.number = small_orders(), number
        self._loop.run(self._turn(thread))
        if self.orders[order_id(number)]["status"] != "cancelled":
            raise RuntimeError("the SDK did not run the call")
        return self.stamps.times()

    async def _turn(self, thread: str) -> None:
        path = self.folder / f"{thread}.json"
        result = await Runner.run(self._agent, [*self._history[thread], _REQUEST])
        state: Any = result.to_state()
        _save(path, state.to_string())
        self.stamps.ready()
        self.stamps.approved()
        if self.reloads:
            state = await RunState.from_string(self._agent, path.read_text())
        state.approve(state.get_interruptions()[0])
        result = await Runner.run(self._agent, state)
        _save(path, result.to_state().to_string())
        self.stamps.durable()
        self._history[thread] = result.to_input_list()

    def size(self) -> int:
        """Bytes on disk: one state per conversation, overwritten by each save."""
        return sum(path.stat().st_size for path in self.folder.iterdir())

    def close(self) -> None:
        """End the event loop."""
        self._loop.close()


class OpenAIAgentsInMemory(OpenAIAgents):
    """The same, but the paused run is also kept in memory and goes on from there."""

    name = "OpenAI Agents, saved, kept in memory"
    reloads = False


class _ResponsesModel(Model):
    """The fake model in the Agents SDK's form."""

    def __init__(self, side: OpenAIAgents) -> None:
        self._side = side

    async def get_response(self, *_: Any, **__: Any) -> ModelResponse:
        call = ResponseFunctionToolCall(
            type="function_call",
            call_id=call_id(self._side.number),
            name=TOOL,
            arguments=arguments_text(self._side.number),
        )
        response = ModelResponse(output=[call], usage=Usage(), response_id=None)
        self._side.stamps.output()
        return response

    def stream_response(self, *_: Any, **__: Any) -> AsyncIterator[Any]:
        raise NotImplementedError("these runs are not streamed")


def _save(path: Path, text: str) -> None:
    """Write and fsync, in place: cheaper than a rename, and not crash-safe as ours is."""
    with path.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
