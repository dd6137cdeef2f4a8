"""The whole zoo of hostile answers, against the real client over real HTTP.

    python -m tests.agent.hostile [--fast] [WORD ...]

Prints for each what the person saw, how long Esc took, how long the event loop stood still, and
whether anything was written. `--fast` is what the tests run; words pick by name.
"""

from __future__ import annotations

import argparse
import asyncio
import time

from agent.models.litellm.setup import import_litellm
from console import garbage_collection
from tests.agent.hostile.serving import serving
from tests.agent.hostile.visiting import DEADLINE, HURRY, Visit, visit
from tests.agent.hostile.zoo import ZOO, Animal
from tests.benchmarks.measuring import percentile, verdict

MOST = 0.1
"""Seconds in which Esc takes effect."""


def chosen(fast: bool, words: list[str]) -> list[Animal]:
    """Those that are visited."""
    return [
        each
        for each in ZOO.values()
        if (each.quick or not fast) and (not words or any(word in each.name for word in words))
    ]


async def tour(animals: list[Animal], base: str, deadline: float) -> list[Visit]:
    """Visit each, and print it."""
    visits = []
    for each in animals:
        visits.append(await visit(each.name, base, deadline))
        print(line(visits[-1]), flush=True)
    return visits


def line(seen: Visit) -> str:
    """One visit in two lines."""
    esc = "-" if seen.esc is None else f"{1000 * seen.esc:.0f} ms"
    figures = f"Esc {esc}, still {1000 * seen.stalled:.0f} ms, took {seen.took:.1f} s"
    return f"{seen.name}\n    {figures}, {seen.written} written\n    {seen.saw}"


def main() -> None:
    """Visit, print, and say whether it holds."""
    parser = argparse.ArgumentParser(prog="python -m tests.agent.hostile")
    parser.add_argument("--fast", action="store_true")
    parser.add_argument("words", nargs="*", metavar="WORD")
    wanted = parser.parse_args()
    import_litellm()
    garbage_collection.enable_and_freeze()  # as the app does once it has imported all that it needs
    began = time.perf_counter()
    with serving() as base:
        deadline = HURRY if wanted.fast else DEADLINE
        visits = asyncio.run(tour(chosen(wanted.fast, wanted.words), base, deadline))
    waits = [each.esc for each in visits if each.esc is not None]
    written = sum(each.written for each in visits)
    print(f"\n{len(visits)} answers in {time.perf_counter() - began:.0f} s")
    print(verdict("nothing was written without a yes", not written, f"{written} written"))
    if waits:
        longest = f"{len(waits)} presses, p99 {1000 * percentile(waits, 0.99):.0f} ms, longest"
        told = f"{longest} {1000 * max(waits):.0f} ms"
        print(verdict(f"Esc takes effect in {1000 * MOST:.0f} ms", max(waits) < MOST, told))


if __name__ == "__main__":
    main()
