"""One visit to a hostile answer: what the person saw, how long Esc took, what was written."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import AsyncGenerator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from agent.models.litellm.model import LiteLLMModel
from agent.models.protocol import ModelFault, ModelRequest, Piece
from agent.session.conversation import Conversation, SessionOver
from sessions.events import AgentSaid, ModelFailed
from tests.agent.held import conversation, events, types
from tests.agent.hostile.serving import model_of
from tests.agent.scripted import ScriptedOperator

SILENCE, DEADLINE = 0.7, 6.0
"""The line's limits, in seconds; far shorter than a person's, so that a visit ends."""

HURRY = 1.2
"""Seconds that are an answer's deadline where many are to be visited soon."""

UNTIL_ESC = 0.2
"""Seconds into an answer at which Esc is pressed."""

BEAT = 0.005
"""Seconds between looks at the event loop."""


@dataclass(frozen=True, slots=True)
class Visit:
    """What came of it; times in seconds."""

    name: str
    saw: str
    """The last sentence that the person was told."""

    took: float
    stalled: float
    """The longest in which the event loop, and with it the screen, stood still."""

    esc: float | None
    """From the press to the end of the turn; None where the turn was over before it."""

    written: int
    """Changes that nobody approved."""


async def visit(name: str, base: str, deadline: float = DEADLINE) -> Visit:
    """Ask the model to the end, and once more, to be stopped, where that leaves time for it."""
    model = _Once(
        f"openai/{model_of(name)}", timeout=SILENCE, deadline=deadline, api_base=base, api_key="k"
    )
    with tempfile.TemporaryDirectory() as folder:
        saw, took, stalled, written = await _to_the_end(Path(folder), model)
    if took < UNTIL_ESC:
        return Visit(name, saw, took, stalled, None, written)
    with tempfile.TemporaryDirectory() as folder:
        esc, also, more = await _stopped(Path(folder), model)
    return Visit(name, saw, took, max(stalled, also), esc, written + more)


async def _to_the_end(folder: Path, model: LiteLLMModel) -> tuple[str, float, float, int]:
    async with conversation(folder, model, ScriptedOperator()) as held:
        began = time.perf_counter()
        async with Pulse() as pulse:
            fault = await _say(held)
        return _seen(held, fault), time.perf_counter() - began, pulse.longest, _written(held)


async def _stopped(folder: Path, model: LiteLLMModel) -> tuple[float | None, float, int]:
    async with conversation(folder, model, ScriptedOperator()) as held:
        task = asyncio.create_task(_say(held))
        loop, pressed = asyncio.get_running_loop(), 0.0

        def press() -> None:
            nonlocal pressed
            time.sleep(UNTIL_ESC)
            pressed = time.perf_counter()
            loop.call_soon_threadsafe(task.cancel)

        async with Pulse() as pulse:
            pressing = asyncio.create_task(asyncio.to_thread(press))
            with suppress(asyncio.CancelledError):
                await task
        ended = time.perf_counter()
        await pressing
        cancelled = bool(pressed) and ended > pressed
        return ended - pressed if cancelled else None, pulse.longest, _written(held)


async def _say(held: Conversation) -> str:
    """One turn, and one attempt; the fault's sentence, or nothing."""
    try:
        await held.say("three coins from the red jar, please")
    except ModelFault as fault:
        return fault.sentence
    except SessionOver as over:
        return f"over: {over}"
    return ""


class _Once(LiteLLMModel):
    """Asked no second time after a fault: waiting between attempts is measured elsewhere."""

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Piece, None]:
        """Answer as it does."""
        try:
            async for piece in super().stream(request):
                yield piece
        except ModelFault as fault:
            fault.retryable = False
            raise


def _seen(held: Conversation, fault: str) -> str:
    if fault:
        return fault
    told = [each for each in events(held) if isinstance(each, AgentSaid | ModelFailed)]
    last = told[-1] if told else None
    if isinstance(last, ModelFailed):
        return last.sentence
    words = last.text if last is not None else ""
    return f"said: {words[:90]!r}" if words else f"ended with {types(held)[-1]}"


def _written(held: Conversation) -> int:
    return types(held).count("write_applied")


class Pulse:
    """Looks at the event loop every few milliseconds, and remembers the longest that it waited."""

    longest = 0.0

    async def __aenter__(self) -> Pulse:
        self._task = asyncio.create_task(self._beat())
        return self

    async def __aexit__(self, *exception: object) -> None:
        self._task.cancel()

    async def _beat(self) -> None:
        while True:
            before = time.perf_counter()
            await asyncio.sleep(BEAT)
            self.longest = max(self.longest, time.perf_counter() - before - BEAT)
