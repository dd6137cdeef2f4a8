"""A run that the kill test shoots.

Every task takes three coins with a card and a yes; it tells ``ready`` and, at its end, ``done``.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

from agent.headless.run import Run
from sessions.store.store import Store
from tests.agent.headless.plans import Taker, many_tasks, plan
from tests.agent.victims import Tell

TASKS = 6
TRIALS = 2


def play(tell: Tell, path: Path) -> None:
    """Play the run, or what is left of it."""
    asyncio.run(_play(tell, path))


async def _play(tell: Tell, path: Path) -> None:
    with Store.open(path) as store:
        what = plan(many_tasks(TASKS), trials=TRIALS, given_name="shot")
        tell("ready")
        await Run(store, what, concurrency=3, model_of=lambda _: Taker(pause=0.003)).play()
    tell("done")
