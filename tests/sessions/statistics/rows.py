"""Rows about sessions that were never held, for tests of what is computed from rows."""

from __future__ import annotations

from typing import Any

from sessions.statistics.card_facts import CardFacts
from sessions.statistics.distance import Actions, Deviations, Distance
from sessions.statistics.facts import SessionFacts
from sessions.statistics.rewards import Rewards

NO_CARDS = CardFacts(0, 0, 0, 0, 0, 0, 0, 0, ())


def deviating(
    mutating: int = 0, other: int = 0, *, decisive: str | None = None, at_an_end: bool = True
) -> Deviations:
    return Deviations(
        distance=Distance(mutating, other),
        decisive=decisive,
        decisive_seq=None if decisive is None else 7,
        at_an_end=at_an_end,
        lists_look_ups=False,
    )


def row(**more: Any) -> SessionFacts:
    fields: dict[str, Any] = {
        "session": "s",
        "began_at": "2026-11-21T12:00:00.000000Z",
        "domain": "toy",
        "source": "two orders",
        "scenario": "one",
        "scenario_digest": None,
        "model": "clerk",
        "safeguards": "gate + reflection + context",
        "program": "1",
        "policy_digest": "p" * 64,
        "tools_digest": "t" * 64,
        "records_digest": "r" * 64,
        "fork": False,
        "ended": "customer",
        "reward": 1.0,
        "turns": 2,
        "messages": 3,
        "actions": Actions(1, 2),
        "cards": NO_CARDS,
        "writes": 1,
        "writes_on_card": 1,
        "writes_in_words": 0,
        "deviations": None,
    }
    found = {**fields, **more}
    reward = found["reward"]
    return SessionFacts(**{"rewards": Rewards(reward, reward, reward), **found})
