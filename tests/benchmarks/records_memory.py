"""What sessions hold in memory, on both sides of the records benchmark."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass

from domains.core.canonical import canonical
from tests.benchmarks.records_ours import Ours, opened
from tests.benchmarks.records_tau2 import Tau2

SESSIONS = 200
FORKS = 200


@dataclass(frozen=True, slots=True)
class Memory:
    """Bytes, as tracemalloc counts them."""

    base: int
    hundred: int
    two_hundred: int
    touched: int
    """The JSON text of the records that the sessions changed."""

    fork: float
    """What one more fork of the session with the most writes takes."""

    peer: int


def memory(name: str, ours: Ours, peer: Tau2, count: int) -> Memory:
    """What sessions hold, two hundred of them and with each the writes of a task."""
    order = [number % (SESSIONS // 2) % count for number in range(SESSIONS)]
    sessions = [ours.session(number) for number in order[: SESSIONS // 2]]
    largest = max(sessions, key=lambda each: len(each.diff()))
    texts = [canonical(change.after) for each in sessions for change in each.diff()]
    base, peers = traced(lambda: opened(name)), traced(peer.open_again)
    hundred, both = (
        traced(lambda numbers=numbers: [ours.session(number) for number in numbers])  # type: ignore[misc]
        for numbers in (order[: SESSIONS // 2], order)
    )
    forks = traced(lambda: [ours.fork(largest) for _ in range(FORKS)])
    return Memory(base, hundred, both, 2 * sum(map(len, texts)), forks / FORKS, peers)


def traced(make: Callable[[], object]) -> int:
    """Bytes that what is made holds."""
    gc.collect()
    tracemalloc.start()
    kept = make()
    gc.collect()
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del kept
    return held


def memory_lines(name: str, held: Memory) -> list[str]:
    """What sessions hold, in words."""
    together = held.base + held.two_hundred
    return [
        f"{name}: one base of {held.base / 1e6:.1f} MB for all sessions; {SESSIONS} sessions hold "
        f"{held.two_hundred / 1e6:.2f} MB more, {held.two_hundred / SESSIONS / 1e3:.1f} kB each "
        f"({held.two_hundred / held.touched:.1f} times the text of the records they changed);",
        f"  a fork of the one with the most writes takes {held.fork / 1e3:.1f} kB. "
        f"Each session of the peer holds {held.peer / 1e6:.1f} MB: {SESSIONS} of them hold "
        f"{held.peer * SESSIONS / together:,.0f} times as much.",
    ]
