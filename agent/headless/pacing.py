"""Limits the number of concurrent requests, and lowers it for a while after a rate limit."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import replace

from agent.models.protocol import ChatModel, ModelFault, ModelRequest, Piece, ways_to_remind
from sessions.events import ReminderWay

USUAL_REST = 5.0
"""Seconds to stay at the lower limit if the provider did not say how long to wait."""

LONGEST_REST = 300.0
"""Seconds to stay at the lower limit at most, whatever the provider asked for."""


class Pace:
    """Lets a limited number of requests run at a time, in the order in which they arrived."""

    def __init__(self, most: int) -> None:
        """``most`` is the limit while no provider complains; at least 1."""
        if most < 1:
            raise ValueError(f"at least one request at a time is needed, not {most}")
        self._most = most
        self._lowered = most
        self._until = 0.0
        self._under_way = 0
        self._waiting: deque[asyncio.Future[None]] = deque()

    @property
    def capacity(self) -> int:
        """The number of requests that may run now."""
        return self._most if time.monotonic() >= self._until else self._lowered

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        """Wait for a free slot, and hold it inside the ``async with`` block."""
        await self._enter()
        try:
            yield
        finally:
            self._under_way -= 1
            self._let_in()

    def slow_down(self, seconds: float | None) -> None:
        """Halve the limit for this many seconds; it never falls below one."""
        rest = min(USUAL_REST if seconds is None else seconds, LONGEST_REST)
        now = time.monotonic()
        self._lowered = max(1, min(self.capacity, max(self._under_way, 1)) // 2)
        self._until = max(self._until, now + rest)
        asyncio.get_running_loop().call_later(self._until - now, self._let_in)

    async def _enter(self) -> None:
        if not self._waiting and self._under_way < self.capacity:
            self._under_way += 1
            return
        waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(waiting)
        try:
            await waiting
        except asyncio.CancelledError:
            if waiting.done() and not waiting.cancelled():
                self._under_way -= 1
                self._let_in()
            else:
                with suppress(ValueError):  # already removed from the queue
                    self._waiting.remove(waiting)
            raise

    def _let_in(self) -> None:
        while self._waiting and self._under_way < self.capacity:
            waiting = self._waiting.popleft()
            if not waiting.done():
                self._under_way += 1
                waiting.set_result(None)


class PacedModel:
    """A model in one session of a run, with the shared pace and the session's own random seed."""

    def __init__(self, model: ChatModel, pace: Pace, seed: int | None = None) -> None:
        self._model = model
        self._pace = pace
        self._seed = seed

    @property
    def name(self) -> str:
        """The wrapped model's name."""
        return self._model.name

    @property
    def ways_to_remind(self) -> frozenset[ReminderWay]:
        """Those of the wrapped model."""
        return ways_to_remind(self._model)

    async def stream(self, request: ModelRequest) -> AsyncIterator[Piece]:
        """Answer piece by piece, ending with one Finish; raises ModelFault."""
        async with self._pace.slot():
            try:
                seeded = replace(request, seed=self._seed)
                async with aclosing(self._model.stream(seeded)) as pieces:  # type: ignore[type-var]
                    async for piece in pieces:
                        yield piece
            except ModelFault as fault:
                if fault.kind == "rate_limit":
                    self._pace.slow_down(fault.retry_after)
                raise
