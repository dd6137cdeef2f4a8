"""A run that the kill test shoots: ``python -m tests.agent.headless.kill_child FILE``.

Every task takes three coins with a card and a yes; prints ``ready`` and, at its end, ``done``.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from agent.headless.run import Run
from sessions.store.store import Store
from tests.agent.headless.plans import Taker, many_tasks, plan

TASKS = 6
TRIALS = 2


async def _play(path: Path) -> None:
    with Store.open(path) as store:
        what = plan(many_tasks(TASKS), trials=TRIALS, given_name="shot")
        print("ready", flush=True)
        await Run(store, what, concurrency=3, model_of=lambda _: Taker(pause=0.003)).play()
    print("done", flush=True)


if __name__ == "__main__":
    asyncio.run(_play(Path(sys.argv[1])))
