"""What the session file costs: recording, opening, listing, searching, and bytes on the disk.

    python -m tests.benchmarks.store [--sessions 100000] [--file FILE]

Append     One event of 1 kB, durable before the call returns, through `Store.append` (the writing
           thread, the hash, the head and the counts included), against one `INSERT` and `COMMIT`
           of the same bytes with Python's `sqlite3` in the same settings (WAL, synchronous FULL).
           The two take turns event by event, so that the disk is the same for both.
Opening    A session of 10,000 events of the kinds and sizes of a live one, every hash checked: the
           CPU time of this process, so that other programs do not count; the clock beside it.
Lists      Pages of 50 of so many sessions, by filters and by words, each the first time that it
           is asked for by a new connection; the median of several.
Bytes      What a gated write adds to the disk, from the customer's request to the result, against
           LangGraph's `SqliteSaver` (extra: bench), in a new conversation and after 200 messages.

`--file` keeps the file of many sessions, and uses it again; making it takes a minute.
"""

from __future__ import annotations

import argparse
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from sessions.events import CustomerSaid, ToolReturned
from sessions.store.finding import SessionFilter, find
from sessions.store.store import Store
from tests.benchmarks.measuring import Spread, machine, quiet, table, verdict
from tests.benchmarks.store_filling import (
    COMMON,
    RARE,
    RARE_MODEL,
    fill,
    long_session,
    since_days,
    started,
)

APPENDS = 1000
OPENINGS = 7
PAGES = 7
LONG = 10_000
MANY = 100_000
WRITES = 20

FACTOR = 1.5
"""How many times as long an append may take as a plain one, at the median."""

FLAT = 1.25
"""How many times as many bytes a write may add after 200 messages as in a new conversation."""

OPENED = 300.0
"""Milliseconds for a long session."""

LISTED = 100.0
"""Milliseconds for a page."""

PAGES_OF: dict[str, SessionFilter] = {
    "newest": SessionFilter(),
    "one domain": SessionFilter(domain="airline"),
    "wrong, gate off": SessionFilter(result="wrong", off=("gate",)),
    "a model of 5 sessions": SessionFilter(model=RARE_MODEL),
    "none fits": SessionFilter(model="none", since=since_days(1)),
    "a word that 5 sessions say": SessionFilter(words=RARE),
    "a word that all say": SessionFilter(words=COMMON),
    "that, and a model of 5": SessionFilter(words=COMMON, model=RARE_MODEL),
    "two words, one domain, wrong": SessionFilter(
        words="cancel flight", domain="retail", result="wrong"
    ),
    "three words together": SessionFilter(words='"cancel return exchange"'),
}


def milliseconds(call: Callable[[], object]) -> float:
    """How long a call takes on the clock."""
    began = time.perf_counter()
    call()
    return 1000 * (time.perf_counter() - began)


def appends(folder: Path) -> dict[str, list[float]]:
    """Milliseconds of each append: ours, plain ones, and ours of words that are indexed."""
    text = "x" * 900
    event = ToolReturned(call_id="c1", name="get_order_details", text=text)
    said = CustomerSaid(text="I would like to cancel the order that I placed on Monday.", turn=1)
    found: dict[str, list[float]] = {"ours": [], "plain": [], "ours, words": []}
    with Store.open(folder / "ours.sqlite") as store, _plain(folder / "plain.sqlite") as plain:
        session = store.start(started(0))[0].session
        payload = event.model_dump_json()
        with quiet():
            for _ in range(APPENDS):
                found["ours"].append(milliseconds(lambda: store.append(session, [event])))
                found["plain"].append(milliseconds(lambda: plain(payload)))
                found["ours, words"].append(milliseconds(lambda: store.append(session, [said])))
    return found


@contextmanager
def _plain(path: Path) -> Iterator[Callable[[str], None]]:
    """A plain table of events; calling adds one, durably."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("CREATE TABLE events (id INTEGER PRIMARY KEY, type TEXT, payload TEXT)")

        def add(payload: str) -> None:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("INSERT INTO events (type, payload) VALUES ('said', ?)", [payload])
            connection.execute("COMMIT")

        yield add


def openings(folder: Path) -> tuple[list[float], list[float]]:
    """Milliseconds to read a long session: of CPU time, and on the clock."""
    with Store.open(folder / "long.sqlite") as store:
        session = long_session(store, LONG)
        cpu, clock = [], []
        for _ in range(OPENINGS):
            began = time.process_time()
            clock.append(milliseconds(lambda: store.read(session)))
            cpu.append(1000 * (time.process_time() - began))
    return cpu, clock


def pages(path: Path, sessions: int) -> dict[str, tuple[int, list[float]]]:
    """Sessions on the first page and milliseconds for it, by what was asked for."""
    if not path.exists():
        with Store.open(path) as store:
            fill(store, sessions)
    with Store.open(path, read_only=True) as store:
        return {
            name: (
                len(find(store, wanted).found),
                [milliseconds(lambda w=wanted: find(store, w)) for _ in range(PAGES)],  # type: ignore[misc]
            )
            for name, wanted in PAGES_OF.items()
        }


def bytes_per_write() -> dict[tuple[str, int], float] | None:
    """Bytes on disk by side and earlier messages; None where LangGraph is not installed."""
    try:
        from tests.benchmarks.gate_langgraph import LangGraph
    except ImportError:
        return None
    from tests.benchmarks.gate_ours import Ours

    sides: tuple[Any, ...] = (Ours, LangGraph)
    return {(side.name, history): _grown(side, history) for side in sides for history in (0, 200)}


def _grown(make: Any, history: int) -> float:
    with tempfile.TemporaryDirectory() as folder:
        side = make(Path(folder))
        threads = [f"t{number}" for number in range(WRITES)]
        for thread in threads:
            side.seed(thread, history)
        before = side.size()
        for thread in threads:
            side.turn(thread)
        grown = side.size() - before
        side.close()
    return float(grown) / WRITES


def report_appends(found: dict[str, list[float]]) -> None:
    """Print what recording takes."""
    rows = [("durable append", "median ms", "p99 ms")]
    for name, times in found.items():
        ninety_ninth = statistics.quantiles(times, n=100)[-1]
        rows.append((name, f"{statistics.median(times):.3f}", f"{ninety_ninth:.3f}"))
    ratio = statistics.median(found["ours"]) / statistics.median(found["plain"])
    print(table(rows))
    print(
        verdict(f"at most {FACTOR} times a plain append", ratio <= FACTOR, f"{ratio:.2f} times"),
        end="\n\n",
    )


def report_openings(cpu: list[float], clock: list[float]) -> None:
    """Print what opening takes."""
    claim = f"a session of {LONG:,} events opens in less than {OPENED:g} ms"
    spread = Spread.of(cpu)
    told = f"{spread.text(0)} ms; on the clock {Spread.of(clock).text(0)} ms"
    print(verdict(claim, spread.median < OPENED, told), end="\n\n")


def report_pages(found: dict[str, tuple[int, list[float]]], sessions: int) -> None:
    """Print what lists and searches take."""
    rows = [("a page of 50", "found", "median ms (min..max)")]
    rows += [(name, str(n), Spread.of(times).text(1)) for name, (n, times) in found.items()]
    slowest = max(Spread.of(times).median for _, times in found.values())
    print(table(rows))
    claim = f"{sessions:,} sessions are listed and searched in less than {LISTED:g} ms"
    print(verdict(claim, slowest < LISTED, f"{slowest:.0f} ms at most"), end="\n\n")


def report_bytes(found: dict[tuple[str, int], float] | None) -> None:
    """Print what a gated write adds to the disk."""
    if found is None:
        print("Bytes per gated write: LangGraph is not installed; pip install -e '.[bench]'.")
        return
    rows = [("bytes per gated write", "new conversation", "after 200 messages")]
    names = dict.fromkeys(name for name, _ in found)
    rows += [(name, f"{found[name, 0]:,.0f}", f"{found[name, 200]:,.0f}") for name in names]
    print(table(rows))
    ours, theirs = names
    ratio = found[ours, 200] / found[theirs, 200]
    print(verdict(f"less than {theirs} after 200 messages", ratio < 1, f"{ratio:.2f} times"))
    grown = found[ours, 200] / found[ours, 0]
    print(verdict("ours does not grow with the conversation", grown < FLAT, f"{grown:.2f} times"))


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--sessions", type=int, default=MANY)
    options.add_argument("--file", type=Path, help="Where to keep the file of many sessions.")
    given = options.parse_args()
    print(machine("saber-console", "pydantic", "sqlite-utils", "langgraph"), end="\n\n")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        report_appends(appends(folder))
        report_openings(*openings(folder))
        report_pages(pages(given.file or folder / "many.sqlite", given.sessions), given.sessions)
    report_bytes(bytes_per_write())


if __name__ == "__main__":
    main()
