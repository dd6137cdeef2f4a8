"""What block filtering saves and what it costs.

    python -m tests.benchmarks.context [--turns 60] [--queries 40]

First the prompt of every turn of one long conversation, with the filter and without: the same
customer, the same agent, the real loop, the real embeddings. Then the time that choosing among
ever more blocks adds to a turn, the embedding of the customer's new words included; earlier blocks
were embedded when they were new, and the encoder's own count shows that none is embedded again.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from collections.abc import AsyncIterator
from itertools import cycle, islice
from pathlib import Path
from statistics import median, quantiles

from agent.context.embedding import Embedder
from agent.gate.operator import AutoApprover
from agent.models.protocol import Finish, ModelRequest, Piece, TextPiece
from agent.session.conversation import Conversation
from domains import load
from sessions.events import ContextAssembled, Limits, Safeguards
from sessions.store.store import Store
from tests.benchmarks.measuring import machine, table, verdict

BLOCKS = (100, 1_000, 10_000)
MARK = 30.0
"""Milliseconds at the 95th percentile that ranking 1,000 blocks may take."""

_TOPICS = (
    "the mechanical keyboard", "my garden hose", "the espresso machine", "a return of the kettle",
    "the delivery address", "the gift card balance", "the wireless earbuds", "order number {n}",
    "the hiking boots in size 9", "a refund to PayPal", "the smart watch strap", "tracking",
)  # fmt: skip
_QUESTIONS = (
    "Could you tell me more about {topic}, please? I asked {n} times before.",
    "What happens with {topic} if I change my mind within {n} days?",
    "I would like to know when {topic} arrives, it has been {n} days.",
)
_ANSWER = "Here is what I found about that: it is in stock, costs ${n}.50 and ships within a week. "


class _Talker:
    """Answers at some length, as agents do."""

    name = "talker"

    def __init__(self) -> None:
        self._number = 0

    async def stream(self, request: ModelRequest) -> AsyncIterator[Piece]:
        self._number += 1
        yield TextPiece(_ANSWER.format(n=self._number) * 4)
        yield Finish("stop")


def lines(count: int) -> list[str]:
    """That many different things a customer may say."""
    pairs = zip(cycle(_QUESTIONS), cycle(_TOPICS), range(count), strict=False)
    return [each.format(topic=topic.format(n=n), n=n) for each, topic, n in islice(pairs, count)]


async def prompts(folder: Path, embedder: Embedder, turns: int, **settings: object) -> list[int]:
    """The estimated prompt tokens of every turn of one conversation."""
    safeguards = Safeguards.model_validate(settings)
    with Store.open(folder / "sessions.sqlite") as store:
        held = await Conversation.start(
            store, load("retail"), _Talker(), AutoApprover(), safeguards=safeguards,
            ranker=embedder, max_turns=turns + 1, limits=Limits(),
        )  # fmt: skip
        for line in lines(turns):
            await held.say(line)
        log = [logged.event for logged in held.log.events]
    return [event.tokens for event in log if isinstance(event, ContextAssembled)]


async def ranking(embedder: Embedder, blocks: int, queries: int) -> tuple[list[float], int]:
    """Milliseconds of each choice among so many blocks, and how many were embedded again."""
    texts = [f"{line}\n{_ANSWER.format(n=n)}" for n, line in enumerate(lines(blocks))]
    for start in range(0, blocks, 500):
        await embedder.rank("warm up", texts[start : start + 500], 600)
    before = await embedder.stats() or {}
    times: list[float] = []
    for number in range(queries):
        began = time.perf_counter()
        await embedder.rank(f"new words, number {number} of {blocks}", texts, 60)
        times.append((time.perf_counter() - began) * 1000)
    after = await embedder.stats() or {}
    return times, after["encoded"] - before["encoded"] - queries


async def measure(turns: int, queries: int) -> None:
    """Print both tables and what was promised."""
    with tempfile.TemporaryDirectory() as name:
        async with Embedder(Path(name) / "vectors.sqlite") as embedder:
            await _prompts(Path(name), embedder, turns)
            await _times(embedder, queries)


async def _prompts(folder: Path, embedder: Embedder, turns: int) -> None:
    settings: dict[str, dict[str, object]] = {
        "no filter": {"context": False},
        "16 blocks": {"blocks": 16},
        "6 blocks": {"blocks": 6},
        "16 blocks, a line each": {"blocks": 16, "blocks_as": "summaries"},
    }
    rows = [["prompt tokens in turn", *map(str, (10, 20, 40, turns)), "whole conversation"]]
    for place, (name, given) in enumerate(settings.items()):
        (folder / str(place)).mkdir()
        found = await prompts(folder / str(place), embedder, turns, **given)
        at = [f"{found[min(turn, turns) - 1]:,}" for turn in (10, 20, 40, turns)]
        rows.append([name, *at, f"{sum(found):,}"])
    print(table(rows))
    print()


async def _times(embedder: Embedder, queries: int) -> None:
    rows, told = [["blocks", "p50 ms", "p95 ms", "embedded again"]], []
    for blocks in BLOCKS:
        times, again = await ranking(embedder, blocks, queries)
        high = quantiles(times, n=20)[-1]
        rows.append([f"{blocks:,}", f"{median(times):.1f}", f"{high:.1f}", str(again)])
        told.append((blocks, high, again))
    print(table(rows))
    print()
    print(
        verdict(
            f"at most {MARK:.0f} ms for 1,000 blocks",
            told[1][1] <= MARK,
            f"{told[1][1]:.1f} ms at p95",
        )
    )
    print(verdict("no block embedded again", not any(again for *_, again in told), ""))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.context")
    parser.add_argument("--turns", type=int, default=60)
    parser.add_argument("--queries", type=int, default=40)
    given = parser.parse_args()
    print(machine("sentence-transformers", "faiss-cpu"))
    asyncio.run(measure(given.turns, given.queries))


if __name__ == "__main__":
    main()
