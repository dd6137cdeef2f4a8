"""How long an agent's memory takes: reading one entry among 1,000, and opening such a bank.

``python -m tests.benchmarks.memory`` prints the median and the longest of 200, in milliseconds.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from agent.memory.keeping import change as keep
from agent.memory.keeping import make_bank, open_bank
from agent.memory.retrieval import remember
from domains.core.tool import ToolCall
from sessions.events.memory import RETRIEVE
from sessions.store.store import Store
from tests.agent.memory.entries import change, entry
from tests.toy import toy_domain

ENTRIES = 1_000
TIMES = 200


def measure(what: str, work: Callable[[], object], times: int) -> None:
    """Print how long it takes."""
    took = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        took.append((time.perf_counter() - began) * 1000)
    print(f"{what}: median {statistics.median(took):.3f} ms, longest {max(took):.3f} ms")


def main() -> None:
    """Measure."""
    lines = ["A line of the policy that is about as long as such lines are."] * 5
    with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / "s.db") as store:
        domain = toy_domain()
        made = [change("edit", entry(f"c{n}", policy_lines=lines)) for n in range(ENTRIES)]
        bank = keep(store, make_bank(store, "b", domain), made)
        records = remember(domain, bank).records()
        one = ToolCall(RETRIEVE, {"capabilities": ["c500"]})
        measure(f"one entry among {ENTRIES:,}", lambda: records.look_up(one), TIMES)
        every = ToolCall(RETRIEVE, {})
        measure(f"the headers of {ENTRIES:,}", lambda: records.look_up(every), TIMES)
        measure(f"opening a bank of {ENTRIES:,}", lambda: open_bank(store, "b"), 10)


if __name__ == "__main__":
    main()
