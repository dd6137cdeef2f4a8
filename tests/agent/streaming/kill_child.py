"""A stream that the kill test shoots; it tells ``ready`` and, at its end, ``done``."""

from __future__ import annotations

import asyncio
from pathlib import Path

from agent.streaming.plan import StreamPlan
from agent.streaming.stream import Stream
from sessions.store.store import Store
from tests.agent.streaming.streams import EXPLAINED, NOTHING, Follower, gap_domain, stream_plan
from tests.agent.victims import Tell


def shot_plan() -> StreamPlan:
    """Two arms, two orders, two families."""
    return stream_plan(gap_domain(2), EXPLAINED, NOTHING, seeds=(0, 1), given_name="shot")


def play(tell: Tell, path: Path) -> None:
    """Play the streams, or what is left of them."""
    asyncio.run(_play(tell, path))


async def _play(tell: Tell, path: Path) -> None:
    with Store.open(path) as store:
        tell("ready")
        follower = Follower(pause=0.002)
        await Stream(store, shot_plan(), concurrency=3, model_of=lambda _: follower).play()
    tell("done")
