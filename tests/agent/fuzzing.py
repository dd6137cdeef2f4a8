"""Whatever a model may write, through the whole loop: ``python -m tests.agent.fuzzing``.

Seeded, so that a finding can be had again. Every so many turns the process's memory is looked at;
the laws are checked on the log of every session.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import resource
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from agent.control.experiment_arms import ARMS
from agent.gate.operator import Decision
from agent.models import asking as answering
from agent.models import retries as retrying
from agent.models.protocol import ModelFault
from agent.session.conversation import Conversation, SessionOver
from domains import load
from sessions.events import (
    Card,
    CardShown,
    Choice,
    ContextAssembled,
    Logged,
    Safeguards,
    ToolReturned,
    WriteApplied,
    WriteVerified,
)
from sessions.events.memory import RETRIEVE, ReadBy
from sessions.store.store import Store
from tests.agent.babbler import Babbler
from tests.agent.consent_law import check
from tests.agent.memory.hostile_banks import hostile_bank

TURNS_IN_A_SESSION = 25
"""A session is left for a new one after so many, as conversations are."""


class Capricious:
    """A person who decides anything at all."""

    by = "person"

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    async def decide(self, card: Card) -> Decision:
        choices: list[Choice] = ["approve", "approve", "reject", "change", "ask"]
        choice = self._random.choice(choices)
        return Decision(choice, self._random.choice(["", "why?", "the other\x1b[1m one"]))


class Arm(NamedTuple):
    """One way to guard the agent."""

    control: str
    card: bool


ALL_ARMS = [Arm(name, card) for card in (True, False) for name in ARMS]


WAYS: list[ReadBy | None] = [None, "tool", "whole", "embedding", "none"]
"""How a session's agent reads a memory of a stranger's: sessions take them in turn, with every arm.

None is a session without one.
"""


def safeguards_of(arm: Arm) -> Safeguards:
    """What an arm sets."""
    return Safeguards.model_validate({**ARMS[arm.control], "gate": arm.card})


@dataclass
class Found:
    """What came of it."""

    turns: int = 0
    answers: int = 0
    cards: int = 0
    faults: int = 0
    arms: Counter[Arm] = field(default_factory=Counter)
    """Writes by arm."""

    read: Counter[str] = field(default_factory=Counter)
    """What was read of a stranger's memory, by how it came to the agent."""

    outcomes: Counter[str] = field(default_factory=Counter)
    """What became of writes that were verified."""

    memory: list[int] = field(default_factory=list)
    """Resident kilobytes at their highest, looked at from time to time."""

    def add(self, arm: Arm, log: Sequence[Logged]) -> None:
        """Count what a session came to."""
        for event in (logged.event for logged in log):
            match event:
                case WriteApplied():
                    self.arms[arm] += 1
                case CardShown():
                    self.cards += 1
                case WriteVerified():
                    self.outcomes[event.outcome] += 1
                case ToolReturned(name=name, error=False) if name == RETRIEVE:
                    self.read["looked up"] += 1
                case ContextAssembled(recalled=recalled) if recalled:
                    self.read["handed"] += 1
                case _:
                    pass

    @property
    def writes(self) -> int:
        return self.arms.total()


async def fuzz(folder: Path, turns: int, seed: int = 0) -> Found:
    """Play that many turns; raises AssertionError where a law is broken, or what was not caught."""
    domain, found = load("retail"), Found()
    model, person = Babbler(domain, seed), Capricious(seed)
    at_once = partial(retrying.answer_with_retries, first_wait=0.0)
    with (
        patch.object(answering, "answer_with_retries", at_once),
        Store.open(folder / "sessions.sqlite") as store,
    ):
        for count, (arm, way) in enumerate(zip(cycle(ALL_ARMS), cycle(WAYS), strict=False)):
            if found.turns >= turns:
                break
            chance = random.Random(seed + count)
            held = await Conversation.start(
                store, domain, model, person, max_turns=TURNS_IN_A_SESSION,
                safeguards=safeguards_of(arm),
                memory=None if way is None else hostile_bank(store, domain, way, chance),
            )  # fmt: skip
            await _session(held, found, turns, " ".join(model.pending))
            check(held.log.store.read(held.log.session), held.log.events, arm.card)
            found.add(arm, held.log.events)
            store.delete(held.log.session)
            found.memory.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    found.answers = model.answers
    return found


async def _session(held: Conversation, found: Found, turns: int, orders: str) -> None:
    while found.turns < turns:
        found.turns += 1
        try:
            await held.say(f"please {found.turns} {orders}")
        except ModelFault:
            found.faults += 1
        except SessionOver:
            return
        if held.status.ended:
            return


def main() -> None:
    """Fuzz, and print what came of it."""
    parser = argparse.ArgumentParser(prog="python -m tests.agent.fuzzing")
    parser.add_argument("--turns", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(fuzz(Path(folder), given.turns, given.seed))
    half = found.memory[len(found.memory) // 2]
    grown = found.memory[-1] / half - 1
    print(f"{found.turns:,} turns, {found.answers:,} answers, {found.faults:,} faults told")
    print(f"{found.cards:,} cards, {found.writes:,} writes, none without a recorded yes:")
    for arm in ALL_ARMS:
        card = "card" if arm.card else "no card, which the consent says"
        print(f"  {found.arms[arm]:6,} with {arm.control}, {card}")
    told = ", ".join(f"{number:,} {outcome}" for outcome, number in found.outcomes.most_common())
    print(f"verified: {told}")
    print(f"entries of a stranger's memory: {dict(found.read)}")
    print(f"memory: {half / 1024:.0f} MB half way, {found.memory[-1] / 1024:.0f} MB at the end")
    print(f"{'yes' if grown < 0.05 else 'NO '}  memory is flat: {grown:+.1%} in the second half")


if __name__ == "__main__":
    main()
