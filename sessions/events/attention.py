"""Attention checks: deliberately wrong cards that are shown before the agent's own.

They are separate event types rather than flagged cards, so code that reads cards, decisions, or
consents cannot mistake one for a pending write (law 2).
"""

from __future__ import annotations

from typing import Any, Literal

from sessions.events.base import Event
from sessions.events.cards import Card, Choice


class AttentionCheckShown(Event):
    """A deliberately altered card was shown; the call on it is never carried out."""

    type: Literal["attention_check_shown"] = "attention_check_shown"
    card: Card
    """The card of the altered call, as it was shown to the person."""

    words_digest: str
    meant: dict[str, Any]
    """The arguments of the call that the agent had proposed."""

    altered: str
    """What was swapped, in the words that the person is given after the decision."""

    @property
    def key(self) -> str:
        """The idempotency key: one event per card."""
        return self.card.id


class AttentionCheckAsked(Event):
    """The person asked about the card, and the trial of its call answered; the check stays open."""

    type: Literal["attention_check_asked"] = "attention_check_asked"
    card_id: str
    words: str
    answer: str
    """What the trial of the altered call says, or that it says nothing about the question."""


class AttentionCheckDecided(Event):
    """The person decided on the card before being told that it was an attention check.

    The decision *ask* occurs only in older logs, where a question ended the check.
    """

    type: Literal["attention_check_decided"] = "attention_check_decided"
    card_id: str
    decision: Choice
    words: str = ""
    by: str
    milliseconds: int
    """Time from when the card became readable until the decision."""

    overrode: tuple[str, ...] = ()
    """Names of failing policy checks that were approved anyway, with a second key."""

    @property
    def is_caught(self) -> bool | None:
        """Whether the swap was noticed; None if nothing was decided or a question was asked."""
        return {"approve": False, "reject": True, "change": True}.get(self.decision)

    @property
    def key(self) -> str:
        """The idempotency key: one decision per card."""
        return self.card_id
