"""``python -m tests.benchmarks.run``: headless sessions, many at once, and what a turn costs.

The retail scenarios are played by the clerk and the scripted customer, as ``saber run`` does it,
until there have been 200 sessions; their logs tell how often the customer said yes to each write,
on a card or in words, beside an agent that asks in words before each card. Then the engine's own
share of a turn is measured, one session at a time: everything between the customer's words and the
answer, without the model and without the customer deciding on cards. It is the CPU time of this
process, the thread that writes the log included, so that neither the disk nor other programs count;
the time on the clock stands beside it.
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Self

from agent.clerk.clerk import Clerk
from agent.gate.operator import Decision
from agent.headless.plan import Arm, Plan, choose_scenarios
from agent.headless.run import Run
from agent.models.protocol import ChatModel, ModelRequest, Piece
from agent.session.conversation import Conversation
from agent.simulated.customer import AtTheGate, customer_history
from agent.simulated.scripted import ScriptedCustomer
from domains import load
from domains.core.domain import Domain, Scenario
from sessions.events import Card, Safeguards
from sessions.store.store import Store
from tests.benchmarks.asking import Asking, asking
from tests.benchmarks.measuring import Spread, machine, percentile, quiet, table, verdict

SESSIONS = 200
TASKS = 20
CONCURRENCY = 16
ASKS_IN_WORDS = "clerk+asks-in-words"
"""An agent that asks in words for what the card asks for."""

ROUNDS = 5
TARGET = 5.0
"""Milliseconds of a turn that may be the engine's own, at the median."""


@dataclass(frozen=True, slots=True)
class Spent:
    """Seconds on the clock and of CPU time."""

    clock: float = 0.0
    cpu: float = 0.0

    @classmethod
    def now(cls) -> Self:
        return cls(time.perf_counter(), time.process_time())

    def __add__(self, other: Spent) -> Spent:
        return Spent(self.clock + other.clock, self.cpu + other.cpu)

    def __sub__(self, other: Spent) -> Spent:
        return Spent(self.clock - other.clock, self.cpu - other.cpu)


class Timed:
    """A model whose own time is added up."""

    def __init__(self, model: ChatModel) -> None:
        self.name = model.name
        self.spent = Spent()
        self._model = model

    async def stream(self, request: ModelRequest) -> AsyncIterator[Piece]:
        began = Spent.now()
        async with aclosing(self._model.stream(request)) as pieces:  # type: ignore[type-var]
            async for piece in pieces:
                self.spent += Spent.now() - began
                yield piece
                began = Spent.now()
        self.spent += Spent.now() - began


class TimedGate(AtTheGate):
    """A customer at the gate whose own time is added up."""

    spent = Spent()

    async def decide(self, card: Card) -> Decision:
        began = Spent.now()
        try:
            return await super().decide(card)
        finally:
            self.spent += Spent.now() - began


async def played(
    domain: Domain, path: Path, concurrency: int, model: str = "clerk", sessions: int = SESSIONS
) -> tuple[float, Asking]:
    """Play all sessions, so many at once; the seconds that it took, and what was asked."""
    scenarios = tuple(choose_scenarios(domain))[:TASKS]
    arms = (Arm(Safeguards()),)
    plan = Plan(domain, scenarios, model, "scripted", arms, trials=sessions // TASKS)
    with Store.open(path) as store:
        run = Run(store, plan, concurrency=concurrency)
        began = time.perf_counter()
        progress = await run.play()
        seconds = time.perf_counter() - began
        asked = asking(store, plan)
    if progress.lost:
        raise progress.lost[0].error
    if progress.finished != sessions:
        raise RuntimeError(f"{progress.finished} of {sessions} sessions were played")
    return seconds, asked


async def turns(domain: Domain, store: Store, scenario: Scenario) -> list[Spent]:
    """What each turn of a session takes of the engine's own."""
    model, customer = Timed(Clerk()), ScriptedCustomer(scenario)
    gate = TimedGate(customer)
    held = await Conversation.start(store, domain, model, gate, scenario=scenario)
    gate.listen(held.log.events)
    found: list[Spent] = []
    while held.status.ended is None:
        words = await customer.speak(customer_history(held.log.events))
        if words is None:
            break
        began = Spent.now() - model.spent - gate.spent
        await held.say(words)
        found.append(Spent.now() - model.spent - gate.spent - began)
    return found


async def overheads(domain: Domain, path: Path) -> list[list[Spent]]:
    """The turns of every scenario, round by round, after a session that warms up."""
    scenarios = choose_scenarios(domain)
    with Store.open(path) as store:
        await turns(domain, store, scenarios[0])
        with quiet():
            return [await _round(domain, store, scenarios) for _ in range(ROUNDS)]


async def _round(domain: Domain, store: Store, scenarios: Sequence[Scenario]) -> list[Spent]:
    return [each for scenario in scenarios for each in await turns(domain, store, scenario)]


def report(
    seconds: float,
    concurrency: int,
    rounds: Sequence[Sequence[Spent]],
    asked: Asking,
    asked_in_words: Asking,
) -> None:
    """Print what was measured."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    cpu = [[1000 * each.cpu for each in own] for own in rounds]
    clock = [[1000 * each.clock for each in own] for own in rounds]
    middle = Spread.of([median(own) for own in cpu])
    print(machine("saber-console", "pydantic", "sqlite-utils"))
    print(f"{SESSIONS} sessions, {concurrency} at once, offline: clerk and scripted customer\n")
    print(
        table(
            [
                ("", "value"),
                ("sessions per second", f"{SESSIONS / seconds:.1f}"),
                ("seconds in all", f"{seconds:.1f}"),
                ("peak memory, MB", f"{peak:.0f}"),
                ("engine's own CPU ms per turn, median", middle.text()),
                ("95th percentile", _over_rounds(cpu, 0.95).text()),
                ("the same on the clock, median", _over_rounds(clock, 0.5).text()),
                ("yeses asked for, per write", asked.text()),
                (f"the same of {ASKS_IN_WORDS}", asked_in_words.text()),
            ]
        )
    )
    print(f"\n{len(rounds)} rounds of {len(rounds[0])} turns: median of the rounds (least..most)")
    within = middle.median <= TARGET
    once = asked.per_write == 1
    print(verdict("the customer is asked once for a write", once, f"{asked.per_write:.2f}"))
    print(verdict(f"a turn's own overhead is at most {TARGET:g} ms", within, middle.text()))


def _over_rounds(rounds: Sequence[Sequence[float]], share: float) -> Spread:
    return Spread.of([percentile(own, share) for own in rounds])


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    options.add_argument("--concurrency", type=int, default=CONCURRENCY)
    given = options.parse_args()
    domain = load("retail")
    with tempfile.TemporaryDirectory() as folder:
        own = asyncio.run(overheads(domain, Path(folder) / "turns.sqlite"))
        path = Path(folder) / "run.sqlite"
        seconds, asked = asyncio.run(played(domain, path, given.concurrency))
        _, in_words = asyncio.run(played(domain, path, given.concurrency, ASKS_IN_WORDS, TASKS))
    report(seconds, given.concurrency, own, asked, in_words)


if __name__ == "__main__":
    main()
