"""Session files to measure on: many sessions at once, and one long session."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlite_utils import Database

from sessions.events import (
    AgentSaid,
    AnyEvent,
    ContextAssembled,
    CustomerSaid,
    ModelAnswered,
    ModelRequested,
    ProposedCall,
    Safeguards,
    Scored,
    SessionEnded,
    SessionStarted,
    ToolCalled,
    ToolReturned,
)
from sessions.store import writing
from sessions.store.ids import new_session_id
from sessions.store.store import Store

RARE = "zanzibar"
"""A word that a handful of the sessions say."""

COMMON = "order"
"""A word that every session says."""

MODELS = ("clerk", "gpt-4o", "claude-sonnet-4-5", "gemini-2.5-pro")
RARE_MODEL = "ollama/qwen3"
_WORDS = (
    *("please", "cancel", "return", "exchange", "my", "the", "a", "mug", "shirt", "lamp"),
    *("address", "card", "refund", "broken", "late", "delivery", "change", "payment", "confirm"),
    *("yes", "no", "thanks", "agent", "hello", "which", "item", "when", "why", "reason", "status"),
    *("pending", "delivered", "flight", "seat", "bag", "insurance", "upgrade", "gift"),
)
_BATCH = 1000


def started(number: int) -> SessionStarted:
    """The first event of one of many sessions."""
    return SessionStarted(
        domain=("retail", "retail", "airline")[number % 3],
        source="made up",
        scenario=f"task-{number % 115}",
        model=RARE_MODEL if number % 20_000 == 7 else MODELS[number % len(MODELS)],
        safeguards=Safeguards(gate=number % 5 != 0),
        program="bench",
        policy_digest="p",
        tools_digest="t",
        records_digest="r",
    )


def _events(number: int, chance: random.Random) -> Iterator[AnyEvent]:
    def words(count: int) -> str:
        return " ".join(chance.choices(_WORDS, k=count))

    yield started(number)
    for turn in (1, 2):
        rare = f" {RARE}" if number % 20_000 == 11 else ""
        yield CustomerSaid(text=f"{words(12)} {COMMON}{rare}", turn=turn)
        yield AgentSaid(text=words(20))
    if number % 10:
        yield SessionEnded(reason="customer")
    if number % 10 > 1:
        right = number % 3 > 0
        yield Scored(scenario="task", reward=float(right), records_match=right, communicated=True)


def fill(store: Store, count: int) -> None:
    """Record so many short sessions, a thousand to a transaction."""
    chance = random.Random(5)
    for first in range(0, count, _BATCH):
        numbers = range(first, min(first + _BATCH, count))

        def record(database: Database, numbers: range = numbers) -> None:
            for number in numbers:
                writing.record(new_session_id(), list(_events(number, chance)), None, database)

        store.submit(record).result()


def long_session(store: Store, events: int) -> str:
    """Record one session with so many events, of the kinds and sizes that a live one has."""
    session = store.start(started(0))[0].session
    left, turn = events - 1, 0
    while left > 0:
        turn += 1
        batch = _turn(turn)[:left]
        store.append(session, batch)
        left -= len(batch)
    return session


def _turn(turn: int) -> list[AnyEvent]:
    sent = tuple(range(max(1, turn - 16), turn))
    call = ProposedCall(id=f"c{turn}", name="get_order", arguments='{"order_id":"#W1"}')
    return [
        CustomerSaid(text="When will the order that I placed on Monday arrive? " * 2, turn=turn),
        ContextAssembled(
            turn=turn, blocks=turn, budget=16, tokens=4000, retrieval="embedding", sent=sent,
            similarity={each: 0.5 for each in sent},
        ),
        ModelRequested(model="clerk", turn=turn, attempt=1, messages=40),
        ModelAnswered(model="clerk", text="", calls=(call,)),
        ToolCalled(call_id=call.id, name=call.name, arguments={"order_id": "#W1"}),
        ToolReturned(call_id=call.id, name=call.name, text='{"status":"pending"}' * 40),
        ModelRequested(model="clerk", turn=turn, attempt=1, messages=42),
        AgentSaid(text="It is on its way and will be with you on Thursday. " * 3),
    ]  # fmt: skip


def since_days(days: int) -> str:
    """The UTC date so many days ago."""
    return (datetime.now(UTC) - timedelta(days=days)).date().isoformat()


def sized(path: Path) -> int:
    """Bytes of a file and of the write-ahead log beside it."""
    log = path.with_name(f"{path.name}-wal")
    return path.stat().st_size + (log.stat().st_size if log.exists() else 0)
