"""Measure what sessions cost: the customer's effort, calls, time and model usage.

(Difficulty-routed control, section 5.3: dialogue overhead and tool-use profile.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sessions.statistics.facts import SessionFacts
from sessions.statistics.intervals import Estimate
from sessions.statistics.over_tasks import mean, ratio


@dataclass(frozen=True, slots=True)
class Overhead:
    """Means per session, unless stated otherwise."""

    sessions: int
    turns: Estimate
    """How often the customer spoke."""

    agreed: Estimate
    """How often the customer said yes, on a card or in words."""

    messages: Estimate
    """The number of the agent's messages."""

    calls: Estimate
    """The number of tool calls, writes included."""

    writes: Estimate
    """The number of writes carried out without an error."""

    tools: Estimate
    """The number of different tools called."""

    calls_per_turn: Estimate
    cards_per_write: Estimate
    """The number of cards put to the customer for each write that was carried out."""

    seconds: Estimate
    """The length of a conversation in seconds, over the sessions for which it is known."""

    tokens: Estimate
    cost: Estimate
    """The cost in US dollars, over the sessions whose prices are known."""

    by_tool: Mapping[str, float]
    """How often each tool was called per session, most frequent first."""


def overhead(rows: Sequence[SessionFacts]) -> Overhead:
    """Compute the overhead of these sessions."""
    timed = [row for row in rows if row.seconds is not None]
    priced = [row for row in rows if row.expenses.total.cost is not None]
    return Overhead(
        sessions=len(rows),
        turns=mean(rows, lambda row: row.turns),
        agreed=mean(rows, lambda row: row.cards.approved + row.agreed_in_words),
        messages=mean(rows, lambda row: row.messages),
        calls=mean(rows, _calls),
        writes=mean(rows, lambda row: row.writes),
        tools=mean(rows, lambda row: len(row.calls)),
        calls_per_turn=ratio(rows, _calls, lambda row: row.turns),
        cards_per_write=ratio(rows, lambda row: row.cards.put, lambda row: row.writes),
        seconds=mean(timed, lambda row: row.seconds or 0.0),
        tokens=mean(rows, lambda row: row.expenses.total.tokens),
        cost=mean(priced, lambda row: row.expenses.total.cost or 0.0),
        by_tool=_by_tool(rows),
    )


def tools_by_calls(found: Sequence[Overhead]) -> list[str]:
    """The tools called in any of these, most frequent first."""
    most: dict[str, float] = {}
    for each in found:
        for tool, calls in each.by_tool.items():
            most[tool] = max(calls, most.get(tool, 0.0))
    return sorted(most, key=lambda each: (-most[each], each))


def _calls(row: SessionFacts) -> int:
    return sum(row.calls.values())


def _by_tool(rows: Sequence[SessionFacts]) -> dict[str, float]:
    total = sum((Counter(row.calls) for row in rows), Counter[str]())
    return {
        tool: number / len(rows)
        for tool, number in sorted(total.items(), key=lambda each: (-each[1], each[0]))
    }
