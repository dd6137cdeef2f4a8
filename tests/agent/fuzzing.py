"""Whatever a model may write, through the whole loop: ``python -m tests.agent.fuzzing``.

Seeded, so that a finding can be had again. Every so many turns the process's memory is looked at;
the laws are checked on the log of every session.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import resource
import tempfile
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from unittest.mock import patch

from agent.gate.operator import Decision
from agent.models import asking as answering
from agent.models import retries as retrying
from agent.models.protocol import (
    CallPiece,
    Finish,
    ModelFault,
    ModelRequest,
    Piece,
    ReasoningPiece,
    TextPiece,
)
from agent.session.conversation import Conversation, SessionOver
from domains import load
from domains.core.domain import Domain
from sessions.events import (
    Card,
    Choice,
    ConsentUsed,
    DecisionMade,
    Logged,
    Safeguards,
    ToolReturned,
    WriteApplied,
)
from sessions.events.memory import RETRIEVE
from sessions.store.store import Store
from tests.agent.memory.hostile_banks import hostile_bank

TURNS_IN_A_SESSION = 25
"""A session is left for a new one after so many, as conversations are."""

_GARBAGE = "\x00\x1b[31m\u202eabc{}[]\"'\\/:,0123456789eE+-.  \n\té💥\ud800nulltrue<tool_call>"


class Babbler:
    """A model that writes anything at all."""

    name = "babbler"

    def __init__(self, domain: Domain, seed: int) -> None:
        self._random = random.Random(seed)
        self._tools = [tool.name for tool in domain.tools]
        orders = domain.base.collections["orders"]
        self.pending = [key for key, order in orders.items() if order["status"] == "pending"]
        self._ids = [key for records in domain.base.collections.values() for key in records]
        self.answers = 0

    async def stream(self, request: ModelRequest) -> AsyncIterator[Piece]:
        self.answers += 1
        pick = self._random
        if pick.random() < 0.02:
            raise ModelFault("garbled", "Noise.")
        if pick.random() < 0.5:
            yield TextPiece(self._text(200))
        if pick.random() < 0.2:
            yield ReasoningPiece(self._text(200))
        if request.tools and pick.random() < 0.55:
            for piece in self._calls():
                yield piece
        if pick.random() < 0.98:  # else the stream is cut
            yield Finish(pick.choice(["stop", "tool_calls", "length", self._text(9)]))

    def _calls(self) -> list[Piece]:
        pick = self._random
        count = pick.choice([1, 1, 1, 2, 3, 50, 70])
        return [
            piece
            for index in range(count)
            for piece in self._call(pick.choice([index, index, 0, 10**9]))
        ]

    def _call(self, index: int) -> list[Piece]:
        pick = self._random
        if pick.random() < 0.15:
            reason = pick.choice(["no longer needed", "ordered by mistake"])
            right = {"order_id": pick.choice(self.pending), "reason": reason}
            return [
                CallPiece(index, f"c{pick.random()}", "cancel_pending_order", json.dumps(right))
            ]
        if pick.random() < 0.15:
            wanted = pick.choice([{}, {"capabilities": pick.sample(self._tools, 1)}])
            return [CallPiece(index, f"c{pick.random()}", RETRIEVE, json.dumps(wanted))]
        name = pick.choice([*self._tools * 3, "", "drop_tables", self._text(12), None])
        id = pick.choice([None, "", "same", f"c{pick.random()}"])
        text = pick.choice([self._plausible, self._plausible, self._half, self._strange])()
        cut = pick.randrange(len(text) + 1)
        return [CallPiece(index, id, name, text[:cut]), CallPiece(index, None, None, text[cut:])]

    def _plausible(self) -> str:
        """Arguments of the kind that tools take, with ids that exist."""
        pick, some = self._random, self._ids
        values: list[Callable[[], object]] = [
            lambda: pick.choice(some),
            lambda: [pick.choice(some) for _ in range(pick.randrange(3))],
            lambda: pick.choice(["no longer needed", "paypal_1", "economy", "yes", ""]),
            lambda: pick.randrange(-5, 99),
        ]
        names = [
            "order_id", "user_id", "reason", "item_ids", "new_item_ids", "payment_method_id",
            "product_id", "email", "address1", "city", "zip", "expression", "summary", "item_id",
        ]  # fmt: skip
        chosen = pick.sample(names, pick.randrange(5))
        return json.dumps({name: pick.choice(values)() for name in chosen})

    def _half(self) -> str:
        whole = self._plausible()
        return whole[: self._random.randrange(len(whole))]

    def _strange(self) -> str:
        pick = self._random
        return pick.choice(
            [
                "[" * pick.randrange(1, 3_000),
                '{"a":' * 40 + "1" + "}" * 40,
                '{"order_id": NaN}',
                f'{{"expression": "{"9**" * 30}9"}}',
                f'{{"zip": {"9" * 5_000}}}',
                f'{{"reason": "{"x" * pick.choice([10, 20_000, 200_000])}"}}',
                '{"order_id": "a", "order_id": "b"}',
                self._text(300),
            ]
        )

    def _text(self, most: int) -> str:
        return "".join(self._random.choices(_GARBAGE, k=self._random.randrange(most)))


class Capricious:
    """A person who decides anything at all."""

    by = "person"

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    async def decide(self, card: Card) -> Decision:
        choices: list[Choice] = ["approve", "approve", "reject", "change", "ask"]
        choice = self._random.choice(choices)
        return Decision(choice, self._random.choice(["", "why?", "the other\x1b[1m one"]))


@dataclass
class Found:
    """What came of it."""

    turns: int = 0
    answers: int = 0
    cards: int = 0
    writes: int = 0
    faults: int = 0
    verified: int = 0
    read: int = 0
    """How often entries of a hostile memory were read."""

    memory: list[int] = field(default_factory=list)
    """Resident kilobytes at their highest, looked at from time to time."""


async def fuzz(folder: Path, turns: int, seed: int = 0) -> Found:
    """Play that many turns; raises AssertionError where a law is broken, or what was not caught."""
    domain, found = load("retail"), Found()
    model, person = Babbler(domain, seed), Capricious(seed)
    at_once = partial(retrying.answer_with_retries, first_wait=0.0)
    with (
        patch.object(answering, "answer_with_retries", at_once),
        Store.open(folder / "sessions.sqlite") as store,
    ):
        count = 0
        while found.turns < turns:
            banks = count % 2 == 1
            held = await Conversation.start(
                store, domain, model, person, max_turns=TURNS_IN_A_SESSION,
                safeguards=Safeguards(
                    gate=count % 4 != 3,
                    reflection=found.turns % 2 == 0,
                    control="routed" if found.turns % 3 else "baseline",
                ),
                memory=hostile_bank(store, domain, random.Random(seed + count)) if banks else None,
            )  # fmt: skip
            count += 1
            await _session(held, found, turns, " ".join(model.pending))
            _check(held, found)
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


def _check(held: Conversation, found: Found) -> None:
    """Every write was consented to, and the log is whole on the disk as in memory.

    By the person; where the gate is off, the consent says that nobody was asked.
    """
    log = held.log.store.read(held.log.session)
    assert [each.hash for each in log] == [each.hash for each in held.log.events]
    who = "person" if held.status.safeguards.gate else "auto"
    approved: set[str] = set()
    consented: set[str] = set()
    for event in (logged.event for logged in log):
        match event:
            case DecisionMade(decision="approve", by=by) if by == who:
                approved.add(event.card_id)
            case ConsentUsed():
                assert event.card_id in approved
                consented.add(event.card_id)
            case WriteApplied():
                assert event.card_id in consented
                consented.remove(event.card_id)
                found.writes += 1
            case _:
                pass
    found.read += sum(
        each.event.name == RETRIEVE and not each.event.error
        for each in log
        if isinstance(each.event, ToolReturned)
    )
    found.verified += sum(logged.event.type == "write_verified" for logged in log)
    found.cards += sum(logged.event.type == "card_shown" for logged in log)
    assert not any(_dangerous(logged) for logged in log)


def _dangerous(logged: Logged) -> bool:
    text = logged.event.model_dump_json()
    return "\\u001b" in text or "\\u202e" in text or "\u202e" in text


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
    print(f"{found.cards:,} cards, {found.writes:,} writes, none without a recorded yes")
    print(f"memory: {half / 1024:.0f} MB half way, {found.memory[-1] / 1024:.0f} MB at the end")
    print(f"{'yes' if grown < 0.05 else 'NO '}  memory is flat: {grown:+.1%} in the second half")


if __name__ == "__main__":
    main()
