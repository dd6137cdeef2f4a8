"""Retell a session as a conversation: messages, calls that ran, and declined changes.

A declined change never ran, so it is told as what it was: a proposal and the customer's answer. If
it were told as a call, anyone who replays the conversation would carry it out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sessions.events import (
    AgentSaid,
    AnyEvent,
    Card,
    CardAnswered,
    CardShown,
    CustomerSaid,
    DecisionMade,
    Logged,
    ModelAnswered,
    ToolReturned,
    WriteApplied,
)
from sessions.scoring.trajectory import TrajectoryBuilder


@dataclass(frozen=True, slots=True)
class Words:
    """A message from the agent or the customer."""

    seq: int
    at: str
    who: Literal["agent", "customer"]
    text: str


@dataclass(frozen=True, slots=True)
class CallRun:
    """A call that ran, and its result."""

    seq: int
    at: str
    call_id: str
    name: str
    arguments: dict[str, Any]
    text: str
    error: bool
    wrote: bool
    answer: int = 0
    """The answer of the agent that made the call, as its place in the log.

    Calls of one answer were made at once.
    """

    asked_at: str = ""
    """The time of that answer."""

    decision: DecisionMade | None = None
    """The approval of a change; None for a look-up and in an imported run."""


@dataclass(frozen=True, slots=True)
class Declined:
    """A change that was proposed but not carried out."""

    seq: int
    at: str
    card: Card
    decision: DecisionMade


Step = Words | CallRun | Declined


def conversation_steps(events: Sequence[Logged]) -> Iterator[Step]:
    """Yield everything that happened in the conversation, in order."""
    teller = _Teller()
    for logged in events:
        yield from teller.add(logged)
    yield from teller.asked


class _Teller:
    """Retells one event after another; leaves out questions that the card itself answered."""

    def __init__(self) -> None:
        self._fold = TrajectoryBuilder()
        self._cards: dict[str, Card] = {}
        self._approvals: dict[str, DecisionMade] = {}
        self.asked: tuple[Words, ...] = ()
        """A question about a card, held back until it is known that it goes to the agent."""
        self._answer, self._asked_at = 0, ""

    def add(self, logged: Logged) -> Iterator[Step]:
        if not isinstance(logged.event, CardAnswered):
            yield from self.asked
        self.asked = ()
        found, ran = self._fold.found, len(self._fold.found.calls)
        self._fold.add(logged.event)
        if isinstance(logged.event, ModelAnswered) and logged.event.purpose == "act":
            self._answer, self._asked_at = logged.seq, logged.at
        yield from self._tell_words(logged, logged.event)
        for call, back in zip(found.calls[ran:], found.returned[ran:], strict=True):
            wrote = isinstance(back, WriteApplied)
            yield CallRun(
                logged.seq,
                logged.at,
                back.call_id,
                call.name,
                dict(call.arguments),
                back.text if isinstance(back, ToolReturned) else back.result,
                back.error,
                wrote,
                self._answer,
                self._asked_at,
                self._approvals.get(back.card_id) if isinstance(back, WriteApplied) else None,
            )

    def _tell_words(self, logged: Logged, event: AnyEvent) -> Iterator[Step]:
        match event:
            case CustomerSaid():
                yield Words(logged.seq, logged.at, "customer", event.text)
            case AgentSaid() if event.text.strip():
                yield Words(logged.seq, logged.at, "agent", event.text)
            case CardShown():
                self._cards[event.card.id] = event.card
            case DecisionMade(decision="ask"):
                self.asked = (Words(logged.seq, logged.at, "customer", event.words),)
            case DecisionMade(decision="approve"):
                self._approvals[event.card_id] = event
            case DecisionMade() if event.card_id in self._cards:
                yield Declined(logged.seq, logged.at, self._cards[event.card_id], event)
            case _:
                pass
