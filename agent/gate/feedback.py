"""Interprets the customer's words on earlier cards of this turn for the next change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agent.next_step import events_of_this_turn
from domains.core.consent import call_digest
from domains.core.tool import ToolCall
from sessions.events import AnyEvent, CardShown, DecisionMade, Logged, Safeguards, WriteVerified

NO_MORE = (
    "Error: not shown to the customer, who has already declined {count} changes in this turn. "
    "Do not call any tool that changes records: say what is still open and let the customer reply."
)
"""The text for an agent that has asked too often."""


def refusal_of_another_card(log: Sequence[Logged], safeguards: Safeguards) -> str | None:
    """The text for the agent instead of another card; None while it may still ask.

    An agent that keeps asking wears a person down until they say yes. The count starts again when
    the customer next speaks.
    """
    count = sum(1 for _ in _declines(events_of_this_turn(log)))
    return NO_MORE.format(count=count) if count >= safeguards.declines else None


def is_settled_by_feedback(log: Sequence[Logged], call: ToolCall) -> bool:
    """Whether a call follows the customer's words on a card and need not be shown again.

    SABER, section 4.1: the action after the customer's feedback is carried out directly. Two kinds
    of call are shown all the same: one that the customer declined in this turn, because a no is
    final until they speak again, and one that was to be verified and could not be, because a person
    must look at it.
    """
    declined: set[str] = set()
    unverified = False
    last: CardShown | DecisionMade | None = None
    shown: dict[str, str] = {}
    for event in events_of_this_turn(log):
        if isinstance(event, CardShown):
            shown[event.card.id] = event.card.call_digest
            last = event
        elif isinstance(event, DecisionMade) and event.decision != "ask":
            last, unverified = event, False
            if event.decision != "approve":
                declined.add(shown.get(event.card_id, ""))
        elif isinstance(event, WriteVerified):
            unverified = event.outcome == "unverified"
    if not isinstance(last, DecisionMade) or last.decision not in ("reject", "change"):
        return False
    return bool(last.words.strip()) and not unverified and call_digest(call) not in declined


def _declines(turn: Iterator[AnyEvent]) -> Iterator[DecisionMade]:
    for event in turn:
        if isinstance(event, DecisionMade) and event.decision in ("reject", "change"):
            yield event
