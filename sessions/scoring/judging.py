"""Assertions in words: the conversation that a judge reads, and the judge's verdicts.

Without a judge an assertion is *not judged*; it never counts as met.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol

from domains.core.domain import Scenario
from domains.core.tool import ToolCall
from sessions.cleaning import clean
from sessions.events import (
    AgentSaid,
    AnyEvent,
    AssertionCheck,
    Card,
    CardAnswered,
    CardShown,
    CustomerSaid,
    DecisionMade,
    Logged,
    Record,
    Scored,
    ToolReturned,
    WriteApplied,
)
from sessions.scoring.trajectory import TrajectoryBuilder

Entry = dict[str, Any]
"""Something that happened, as JSON: a speaker's words, or a call and its result."""

NOBODY = "no model was asked"


class Judge(Protocol):
    """Reads a conversation and decides which statements about it are true."""

    async def judge(
        self, conversation: Sequence[Entry], assertions: Sequence[str], record: Record
    ) -> Sequence[AssertionCheck]:
        """Return one check per assertion, in order; those that cannot be judged are *not judged*.

        ``record`` is called with every model request and its cost.
        """
        ...


def not_judged(scenario: Scenario) -> tuple[AssertionCheck, ...]:
    """The scenario's assertions, all of them not judged."""
    return tuple(AssertionCheck(text=clean(text), why=NOBODY) for text in scenario.assertions)


def keep_verdicts(scenario: Scenario, earlier: Scored | None) -> tuple[AssertionCheck, ...]:
    """The scenario's assertions, with the verdicts from an earlier score."""
    told = {each.text: each for each in (earlier.assertions if earlier else ())}
    return tuple(told.get(each.text, each) for each in not_judged(scenario))


async def judge_assertions(
    judge: Judge, events: Sequence[Logged], checks: Sequence[AssertionCheck], record: Record
) -> tuple[AssertionCheck, ...]:
    """Return the checks after asking the judge about those that have no verdict yet.

    ``record`` writes the judge's cost to the log.
    """
    open_ones = [each.text for each in checks if each.verdict == "not judged"]
    if not open_ones:
        return tuple(checks)
    verdicts = await judge.judge(conversation(events), open_ones, record)
    told = {each.text: each for each in verdicts}
    return tuple(
        told.get(each.text, each) if each.verdict == "not judged" else each for each in checks
    )


def conversation(events: Iterable[Logged]) -> list[Entry]:
    """A session as a judge reads it: messages, calls with their results, and declined changes."""
    fold, cards, entries = TrajectoryBuilder(), dict[str, Card](), list[Entry]()
    for logged in events:
        entries += _words(logged.event, cards)
        ran = len(fold.found.calls)
        fold.add(logged.event)
        new = zip(fold.found.calls[ran:], fold.found.returned[ran:], strict=True)
        entries += [_call(call, returned) for call, returned in new]
    return entries


def _words(event: AnyEvent, cards: dict[str, Card]) -> Iterator[Entry]:
    match event:
        case CustomerSaid():
            yield {"customer": event.text}
        case AgentSaid():
            yield {"agent": event.text}
        case CardShown():
            cards[event.card.id] = event.card
        case DecisionMade(decision="ask"):
            yield {"customer": event.words}
        case CardAnswered():
            yield {"answered by the card, not by the agent": event.text}
        case DecisionMade() if event.decision != "approve" and event.card_id in cards:
            card = cards[event.card_id]
            proposed = {"name": card.tool, "arguments": card.arguments}
            yield {"proposed": proposed, "decision": "not carried out", "words": event.words}
        case _:
            pass


def _call(call: ToolCall, returned: ToolReturned | WriteApplied) -> Entry:
    text = returned.text if isinstance(returned, ToolReturned) else returned.result
    ran = {"name": call.name, "arguments": dict(call.arguments)}
    return {"call": ran, "result": text, "failed": returned.error}
