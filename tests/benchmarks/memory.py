"""How long an agent's memory takes: reading one entry among 1,000, and opening such a bank.

``python -m tests.benchmarks.memory`` prints the median and the longest of 200, in milliseconds; and
how long the customer's first words wait for what is closest to them in a memory of 5,000, with
nothing embedded before, and how long the next words do, in seconds.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from agent.headless.late_embedder import LateEmbedder
from agent.memory.keeping import apply_changes as keep
from agent.memory.keeping import make_bank, open_bank
from agent.memory.recalling import recall
from agent.memory.retrieval import with_memory_lookup
from domains.core.tool import ToolCall
from sessions.events import CustomerSaid
from sessions.events.memory import RETRIEVE
from sessions.log import Log
from sessions.store.store import Store
from tests.agent.memory.entries import change, entry
from tests.sessions.toy import started
from tests.toy import toy_domain

ENTRIES = 1_000
MANY = 5_000
TIMES = 200
THINGS = ("box", "bottle", "chair", "lamp", "phone", "kettle", "jacket", "puzzle")
LINES = ["A line of the policy that is about as long as such lines are."] * 5


def measure(what: str, work: Callable[[], object], times: int) -> None:
    """Print how long it takes."""
    took = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        took.append((time.perf_counter() - began) * 1000)
    print(f"{what}: median {statistics.median(took):.3f} ms, longest {max(took):.3f} ms")


async def measure_closest(store: Store, cache: Path) -> None:
    """Print how long the first turns of a session wait for what comes closest to their words."""
    told = [f"A {THINGS[n % len(THINGS)]} of kind {n} may be opened." for n in range(MANY)]
    made = [
        change("edit", entry(f"c{n}", eligibility=LINES, key_insight=each))
        for n, each in enumerate(told)
    ]
    bank = replace(keep(store, make_bank(store, "many", toy_domain()), made), read_by="embedding")
    async with LateEmbedder(cache) as ranker:
        await ranker.rank("whether it is there", ["warm"], 60)
        for words in ("May I open the box?", "And the bottle?", "So I may open it."):
            log = await Log.start(store, started())
            await log.append(CustomerSaid(turn=1, text=words))
            began = time.perf_counter()
            found = await recall(bank, log, ranker)
            how = "by their vectors" if found[0].similarity is not None else "newest, unranked"
            took = time.perf_counter() - began
            print(f"the closest of {MANY:,}, {how}: {took:.2f} s  “{words}”")


def main() -> None:
    """Measure."""
    with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / "s.db") as store:
        domain = toy_domain()
        made = [change("edit", entry(f"c{n}", policy_lines=LINES)) for n in range(ENTRIES)]
        bank = keep(store, make_bank(store, "b", domain), made)
        records = with_memory_lookup(domain, bank).records()
        one = ToolCall(RETRIEVE, {"capabilities": ["c500"]})
        measure(f"one entry among {ENTRIES:,}", lambda: records.look_up(one), TIMES)
        every = ToolCall(RETRIEVE, {})
        measure(f"the headers of {ENTRIES:,}", lambda: records.look_up(every), TIMES)
        measure(f"opening a bank of {ENTRIES:,}", lambda: open_bank(store, "b"), 10)
        asyncio.run(measure_closest(store, Path(folder) / "vectors.sqlite"))


if __name__ == "__main__":
    main()
