"""Our own side at the gate: the real loop, gate, session store and retail domain.

Nothing is left out but what the peers do not have: the reminder before a write is switched off,
and blocks are not ranked, since no embedder runs. The card is made in full, with its preview, its
preconditions and its effects, and the write is checked against it again before it runs.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import Any

from agent.gate.operator import Decision
from agent.loop import take_turn
from agent.models.protocol import CallPiece, Finish, ModelRequest, Piece, TextPiece
from agent.session.conversation import Conversation
from domains import load
from domains.core.domain import Domain
from domains.core.records import Base
from domains.core.tool import Tool, Toolset
from sessions.events import AnyEvent, Card, Logged, Safeguards, WriteApplied
from sessions.store.store import Store
from tests.benchmarks.gate_side import (
    ORDERS,
    REQUEST,
    TOOL,
    Stamps,
    Times,
    arguments_text,
    call_id,
    chat,
    order_id,
)


class Ours:
    """A conversation over the session file (WAL, FULL), approved by a script."""

    name = "saber-console"

    def __init__(self, folder: Path) -> None:
        self.path = folder / "sessions.db"
        self.stamps = Stamps()
        self.number = 0
        self._store = Store.open(self.path)
        self._domain = _domain(self.stamps)
        self._loop = asyncio.Runner()
        self._open: dict[str, Conversation] = {}
        self._earlier: dict[int, list[AnyEvent]] = {}

    def seed(self, thread: str, messages: int) -> None:
        """Give a conversation its earlier messages: what talking would have left.

        That is the events and, as the messages were taken in one by one, where they led to; a
        conversation that has just been read from its file takes them in at its next turn.
        """
        self._loop.run(self._seed(thread, messages))

    async def _seed(self, thread: str, messages: int) -> None:
        if messages not in self._earlier:
            self._earlier[messages] = await self._talked(messages)
        self._open[thread] = await self._started()
        if messages:
            conversation = self._open[thread]
            await conversation.log.append(*self._earlier[messages])
            conversation.blocks.for_model(conversation.model.name)
            conversation.log.turn  # noqa: B018  # asked for to be worked out

    async def _started(self) -> Conversation:
        return await Conversation.start(
            self._store,
            self._domain,
            _Model(self),
            _Approver(self.stamps),
            safeguards=Safeguards(reflection=False),
        )

    async def _talked(self, messages: int) -> list[AnyEvent]:
        """What a conversation without calls leaves in the log, recorded by having one."""
        scratch = await self._started()
        begun = len(scratch.log.events)
        lines = [text for _, text in chat(messages)]
        scratch.model = _Talker(lines[1::2])
        for words in lines[::2]:
            await take_turn(scratch, words)
        return [logged.event for logged in scratch.log.events[begun:]]

    def turn(self, thread: str, number: int = 0) -> Times:
        """One gated write, from the customer's words to the result."""
        self.number = number
        self._loop.run(self._turn(self._open[thread]))
        return self.stamps.times()

    async def _turn(self, conversation: Conversation) -> None:
        """The turn is cut off once the result is durable: there the peers' runs end as well."""
        turn = asyncio.ensure_future(take_turn(conversation, REQUEST))

        def heard(logged: Logged) -> None:
            if isinstance(logged.event, WriteApplied) and not logged.event.error:
                self.stamps.durable()
                turn.cancel()

        stop = conversation.subscribe(heard)
        with suppress(asyncio.CancelledError):
            await turn
        stop()

    def size(self) -> int:
        """Bytes on disk, with the write-ahead log folded in."""
        with closing(sqlite3.connect(self.path)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return self.path.stat().st_size

    def close(self) -> None:
        """Close the session file and the event loop."""
        self._loop.close()
        self._store.close()


class _Model:
    """The fake model in our form; its output is ready before its first piece is handed over."""

    name = "fake"

    def __init__(self, side: Ours) -> None:
        self._side = side

    async def stream(self, request: ModelRequest) -> AsyncIterator[Piece]:
        number = self._side.number
        text = arguments_text(number)
        self._side.stamps.output()
        yield CallPiece(0, call_id(number), TOOL, text)
        yield Finish("tool_calls")


class _Talker:
    """Gives prepared answers in words, one after the other."""

    name = "fake"

    def __init__(self, answers: Sequence[str]) -> None:
        self._answers = list(answers)

    async def stream(self, request: ModelRequest) -> AsyncIterator[Piece]:
        yield TextPiece(self._answers.pop(0))
        yield Finish("stop")


class _Approver:
    """Says yes the moment it is asked."""

    by = "script"

    def __init__(self, stamps: Stamps) -> None:
        self._stamps = stamps

    async def decide(self, card: Card) -> Decision:
        self._stamps.ready()
        yes = Decision("approve", overrode=tuple(each.name for each in card.failing))
        self._stamps.approved()
        return yes


def _domain(stamps: Stamps) -> Domain:
    """Retail on its demo store, with the orders to cancel added and entry to the tool stamped."""
    domain = load("retail")
    orders = domain.base.collections["orders"]
    model = next(order for order in orders.values() if order["status"] == "pending")
    added = {each: {**model, "order_id": each} for each in map(order_id, range(ORDERS))}
    base = Base({**domain.base.collections, "orders": {**orders, **added}}, domain.base.source)
    tools = (_stamped(tool, stamps) if tool.name == TOOL else tool for tool in domain.tools)
    return replace(domain, base=base, tools=Toolset("RetailTools", tuple(tools)))


def _stamped(tool: Tool, stamps: Stamps) -> Tool:
    @wraps(tool.function)
    def run(*arguments: Any, **named: Any) -> Any:
        stamps.entered()
        return tool.function(*arguments, **named)

    return Tool(run, tool.kind, tool.notes)
