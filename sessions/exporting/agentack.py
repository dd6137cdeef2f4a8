"""Export a session as a trace of approvals for AgentAck, in version 2 of its schema.

The trace says what the log says and no more: a change that no one approved is traced as one that
ran without an approval, so AgentAck finds it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from sessions.events import (
    AnyEvent,
    Card,
    CardShown,
    CustomerSaid,
    DecisionMade,
    Logged,
    ModelFailed,
    SessionEnded,
    ToolCalled,
    ToolReturned,
    WriteApplied,
)
from sessions.exporting.confirmations import Row
from sessions.statistics.consenting import CUSTOMERS

SCHEMA = 2
CHANGES = ("mcp", "call")
"""A change in AgentAck's terms (tool, operation): a call of an external tool, to be approved."""

LOOK_UPS = ("records", "read")


def rows(events: Sequence[Logged]) -> Iterator[Row]:
    """Yield the trace of one session; AgentAck reports one that has not ended as incomplete."""
    trace = _Trace(events)
    for logged in events:
        yield from trace.add(logged)


class _Trace:
    def __init__(self, events: Sequence[Logged]) -> None:
        self._last_turn = max((each.seq for each in events if _is_turn(each)), default=0)
        self._by_nobody = {card for each in events if (card := _card_without_customer(each))}
        self._turn = 0
        self._cards: dict[str, Card] = {}
        self._approved: set[str] = set()
        self._looking: dict[str, tuple[str, Row]] = {}
        self._logged = events[0]

    def add(self, logged: Logged) -> Iterator[Row]:
        self._logged, event = logged, logged.event
        match event:
            case CustomerSaid():
                yield from self._abandoned_rows()
                self._turn = event.turn
            case CardShown():
                yield from self._abandoned_rows()
                self._cards[event.card.id] = event.card
                yield from self._card_rows(event.card)
            case DecisionMade() if event.decision != "ask" and event.card_id in self._cards:
                yield from self._decision_rows(event)
            case WriteApplied():
                yield from self._ran(event)
            case _:
                yield from self._others(event)

    def _others(self, event: AnyEvent) -> Iterator[Row]:
        match event:
            case ToolCalled():
                action_id, action = f"look-up-{self._logged.seq}", _look_up(event)
                self._looking[event.call_id] = action_id, action
                yield self._row("action_proposed", action_id=action_id, action=action)
            case ToolReturned() if event.call_id in self._looking:
                action_id, action = self._looking.pop(event.call_id)
                yield self._row("action_executed", action_id=action_id, action=action)
            case ModelFailed(fault="cancelled") if self._logged.seq > self._last_turn:
                yield self._row("interrupt", reason="the person stopped the agent")
            case SessionEnded():
                yield from self._abandoned_rows()
                yield self._row("session_end", reason=event.reason)
            case _:
                pass

    def _card_rows(self, card: Card) -> Iterator[Row]:
        """Yield the rows for a new card.

        Only the customer can approve, so a card that was approved without them gets no approval
        request.
        """
        yield self._of("action_proposed", card.id, action=_change(card))
        if card.id not in self._by_nobody:
            yield self._of("approval_requested", card.id, approval_id=card.id, action=_change(card))

    def _decision_rows(self, made: DecisionMade) -> Iterator[Row]:
        card, approved = made.card_id, made.decision == "approve"
        if card in self._by_nobody:
            return
        decision = "allow" if approved else "deny"
        yield self._of("approval_decision", card, approval_id=card, decision=decision)
        if approved:
            self._approved.add(card)
        else:
            reason = f"{made.decision}: {made.words}" if made.words else made.decision
            yield self._of("action_blocked", card, approval_id=card, reason=reason)

    def _ran(self, written: WriteApplied) -> Iterator[Row]:
        action = _action(CHANGES, written.name, written.arguments)
        if written.card_id not in self._cards:  # a run of another program, without cards
            yield self._of("action_proposed", written.card_id, action=action)
        approval = {"approval_id": written.card_id} if written.card_id in self._approved else {}
        self._approved.discard(written.card_id)
        yield self._of("action_executed", written.card_id, **approval, action=action)

    def _abandoned_rows(self) -> Iterator[Row]:
        """Yield a row for each change that was approved but never carried out.

        An approved change that does not run before anything else happens never will.
        """
        for card_id in sorted(self._approved):
            reason = "the records changed or the program stopped first"
            yield self._of("action_blocked", card_id, approval_id=card_id, reason=reason)
        self._approved.clear()

    def _of(self, kind: str, action_id: str, **more: Any) -> Row:
        """A row about a change.

        All changes of a turn share an intent id, because a change that the customer denied must not
        be made in another way in the same turn.
        """
        return self._row(kind, action_id=action_id, intent_id=f"turn-{self._turn}", **more)

    def _row(self, kind: str, **more: Any) -> Row:
        at = datetime.fromisoformat(self._logged.at).isoformat()
        return {"schema_version": SCHEMA, "type": kind, "timestamp": at,
                "session_id": self._logged.session, **more}  # fmt: skip


def _is_turn(logged: Logged) -> bool:
    return isinstance(logged.event, CustomerSaid)


def _card_without_customer(logged: Logged) -> str | None:
    event = logged.event
    if isinstance(event, DecisionMade) and event.decision == "approve":
        return None if event.by in CUSTOMERS else event.card_id
    return None


def _change(card: Card) -> Row:
    return _action(CHANGES, card.tool, card.arguments)


def _look_up(called: ToolCalled) -> Row:
    return _action(LOOK_UPS, called.name, called.arguments)


def _action(kind: tuple[str, str], name: str, arguments: dict[str, Any]) -> Row:
    tool, operation = kind
    return {"tool": tool, "operation": operation, "resource": name, "parameters": arguments}
