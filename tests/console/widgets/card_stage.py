"""What the tests of cards in a conversation share."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import partial

from agent.models.protocol import ModelRequest, Piece
from sessions.events import DecisionMade
from tests.agent.scripted import ScriptedModel, call
from tests.console.stage import SMALL, Stage, stage

small = partial(stage, size=SMALL)
"""Half of what the large one costs, and what is tested here is the same on both."""

THREE = call("take", jar="red", coins=3)
TOO_MANY = call("take", jar="red", coins=7)


class SlowToAnswer(ScriptedModel):
    """Acts at once, and never comes to an end of what it says about a card."""

    async def stream(self, request: ModelRequest) -> AsyncIterator[Piece]:
        if not request.tools:
            await asyncio.sleep(3600)
        async for piece in super().stream(request):
            yield piece


def decisions(held: Stage) -> list[DecisionMade]:
    return [event for event in held.events if isinstance(event, DecisionMade)]


def coins(held: Stage) -> int:
    record = held.held.records.get("jars", "red")
    assert record is not None
    return int(record["coins"])
