"""What one gated write costs, here and in the systems that people would otherwise use.

    python -m tests.benchmarks.gate [--turns 20] [--rounds 15]       (extra: bench)

Every side gets the same fake model, which proposes to cancel one order, the same earlier messages,
and a script that says yes. Measured is the CPU time of this process, all its threads together, so
that neither the disk nor other programs count; garbage is collected between blocks, not in them.
For each history (0, 50 and 200 messages) each side makes `--turns` writes in each of `--rounds`
rounds, every write in a conversation of its own that was prepared beforehand; the table shows the
median of the rounds' medians, and the lowest and highest of them. How many times as much a peer
costs is told within each round, and the median of that counts: a machine that is half as quick for
a minute is so for all sides. So rounds are many and short.

T1   The model's whole output is ready -> the pause is on disk and whoever asks holds it.
     Ours: the answer assembled, cleaned and logged; the call parsed and tried on a copy of the
     records; the card made and logged; the operator called with it. LangGraph: the model's node
     returns -> `invoke` returns with `__interrupt__`, durability "sync". OpenAI Agents: the
     model's response -> `Runner.run` returns, the run state saved with fsync.
T2a  The person approves -> the tool's body is entered, in the run that counts.
     Ours: the decision logged, the write tried again to see that the records have not moved, the
     consent logged, the tool called. LangGraph: `invoke(Command(resume=...))` -> the tool. OpenAI
     Agents: (load the saved state,) approve, `Runner.run` -> the tool.
T2b  The person approves -> the tool's result is on disk; contains T2a. No side's interval contains
     another turn of the model: the peers' runs end with the tool, ours is cut off there.
Bytes  What a write adds to the disk, from the customer's request to the result: the growth of the
     SQLite file with its write-ahead log folded in; for OpenAI Agents the size of the saved state,
     which is one file for each conversation and overwritten by each save.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path

from tests.benchmarks.gate_langgraph import CreateAgent, LangGraph
from tests.benchmarks.gate_openai_agents import OpenAIAgents, OpenAIAgentsInMemory
from tests.benchmarks.gate_ours import Ours
from tests.benchmarks.gate_side import ORDERS, Side, Times
from tests.benchmarks.measuring import Spread, machine, quiet, table, verdict

SIDES: tuple[Callable[[Path], Side], ...] = (
    Ours,
    LangGraph,
    CreateAgent,
    OpenAIAgents,
    OpenAIAgentsInMemory,
)
HISTORIES = (0, 50, 200)
WARM_UP = 10
GROWTH = (1, 5, 10, 20, ORDERS)

MARKS = {"T1": 1.2, "T2a": 1.1, "T2b": 2.1}
"""CPU milliseconds of the best peer on the machine that issue 2 was written on."""

INTERVALS = {"T1": attrgetter("card"), "T2a": attrgetter("entered"), "T2b": attrgetter("durable")}
FLAT = 1.25
"""How many times as much a cell may cost with the longest history as with none."""

BYTES = 10_000


@dataclass(frozen=True, slots=True)
class Block:
    """One side's writes with one history, in one round."""

    times: list[Times]
    bytes: float
    """On disk, for each write."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One side with one history."""

    medians: dict[str, list[float]]
    """Of each round, by interval."""

    bytes: float

    def times(self, other: Cell, interval: str) -> float:
        """How many times as much as another it costs, in the same rounds."""
        rounds = zip(self.medians[interval], other.medians[interval], strict=True)
        return statistics.median(mine / theirs for mine, theirs in rounds)


def block(make: Callable[[Path], Side], history: int, turns: int) -> Block:
    """A side's writes, each in a conversation of its own."""
    with tempfile.TemporaryDirectory() as folder:
        side = make(Path(folder))
        threads = [f"t{number}" for number in range(WARM_UP + turns)]
        for thread in threads:
            side.seed(thread, history)
        for thread in threads[:WARM_UP]:
            side.turn(thread)
        before = side.size()
        with quiet():
            times = [side.turn(thread) for thread in threads[WARM_UP:]]
        grown = side.size() - before
        side.close()
    return Block(times, grown / turns)


def growth(make: Callable[[Path], Side]) -> list[int]:
    """Bytes on disk after so many gated writes in one conversation."""
    sizes = []
    with tempfile.TemporaryDirectory() as folder:
        side = make(Path(folder))
        side.seed("long", 0)
        start = side.size()
        for number in range(ORDERS):
            side.turn("long", number)
            if number + 1 in GROWTH:
                sizes.append(side.size() - start)
        side.close()
    return sizes


def measured(turns: int, rounds: int) -> dict[tuple[str, int], Cell]:
    """Every cell; the sides take turns within each round."""
    blocks: dict[tuple[str, int], list[Block]] = {}
    for number in range(rounds):
        for history in HISTORIES:
            for make in SIDES:
                name = str(getattr(make, "name"))  # noqa: B009 - a class, seen as a callable
                _progress(f"round {number + 1} of {rounds}, {history} messages: {name}")
                blocks.setdefault((name, history), []).append(block(make, history, turns))
    _progress("")
    return {key: _cell(found) for key, found in blocks.items()}


def _cell(blocks: Sequence[Block]) -> Cell:
    medians = {
        interval: [statistics.median(map(value, each.times)) for each in blocks]
        for interval, value in INTERVALS.items()
    }
    return Cell(medians, statistics.median(each.bytes for each in blocks))


def cell_rows(cells: dict[tuple[str, int], Cell]) -> list[list[str]]:
    """The table: a row for each history and side, with how many times ours it is."""
    rows = [["messages, system", *(f"{each} CPU ms" for each in INTERVALS), "bytes/write"]]
    for history in HISTORIES:
        ours = cells[Ours.name, history]
        for (name, at), cell in cells.items():
            if at == history:
                rows.append([f"{history:>3}  {name}", *_against(cell, ours)])
    return rows


def _against(cell: Cell, ours: Cell) -> list[str]:
    texts = [
        f"{Spread.of(medians).text()}  {cell.times(ours, interval):4.2f}x"
        for interval, medians in cell.medians.items()
    ]
    # a few writes may fit into pages that the file has already
    times = f"  {cell.bytes / ours.bytes:5.1f}x" if ours.bytes else ""
    return [*texts, f"{cell.bytes:,.0f}{times}"]


def verdicts(cells: dict[tuple[str, int], Cell], sizes: dict[str, list[int]]) -> list[str]:
    """What was promised, and whether it holds in this run."""
    ours = {history: cells[Ours.name, history] for history in HISTORIES}
    return [_below(cells), *_under_marks(ours), *_flat(ours), _small(ours), _linear(sizes)]


def _below(cells: dict[tuple[str, int], Cell]) -> str:
    lost = [
        f"{interval} with {history} messages ({name})"
        for (name, history), cell in cells.items()
        for interval in INTERVALS
        if name != Ours.name and cell.times(cells[Ours.name, history], interval) <= 1
    ]
    return verdict("below every peer in every cell", not lost, ", ".join(lost))


def _under_marks(ours: dict[int, Cell]) -> list[str]:
    worst = {
        each: max(statistics.median(cell.medians[each]) for cell in ours.values())
        for each in INTERVALS
    }
    return [
        verdict(f"{each} at most {mark} ms", worst[each] <= mark, f"{worst[each]:.2f} ms")
        for each, mark in MARKS.items()
    ]


def _flat(ours: dict[int, Cell]) -> list[str]:
    short, long = ours[HISTORIES[0]], ours[HISTORIES[-1]]
    ratios = {each: long.times(short, each) for each in INTERVALS}
    return [
        verdict(f"{each} flat in the history", ratio <= FLAT, f"{ratio:.2f}x from 0 to 200")
        for each, ratio in ratios.items()
    ]


def _small(ours: dict[int, Cell]) -> str:
    most = max(cell.bytes for cell in ours.values())
    return verdict(f"at most {BYTES:,} bytes for a write", most <= BYTES, f"{most:,.0f}")


def _linear(sizes: dict[str, list[int]]) -> str:
    *_, half, whole = sizes[Ours.name]
    ratio = (whole - half) / half
    return verdict("growth is linear", ratio <= FLAT, f"second half {ratio:.2f}x the first")


def _progress(text: str) -> None:
    """Say on a terminal what is being measured; the line is overwritten."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()


def main() -> None:
    """Measure, and print the tables and the verdicts."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.gate")
    parser.add_argument("--turns", type=int, default=20, help="writes in each block")
    parser.add_argument("--rounds", type=int, default=15, help="blocks for each cell")
    wanted = parser.parse_args()
    print(machine("langgraph", "langgraph-checkpoint-sqlite", "langchain", "openai-agents"))
    cells = measured(wanted.turns, wanted.rounds)
    print(f"\nCPU ms of one gated write, {wanted.rounds} rounds of {wanted.turns}:")
    print(table(cell_rows(cells)))
    sizes = {str(getattr(make, "name")): growth(make) for make in SIDES}  # noqa: B009
    print("\nBytes on disk after so many gated writes in one conversation:")
    heading = ["writes", *map(str, GROWTH)]
    print(table([heading, *([name, *(f"{s:,}" for s in row)] for name, row in sizes.items())]))
    print("\n" + "\n".join(verdicts(cells, sizes)))


if __name__ == "__main__":
    main()
