"""Attention checks: cards that are wrong on purpose, put before the agent's own.

They are events of their own, not cards that carry a mark: nothing that reads cards, decisions or
consents can take one for a write on its way (law 2).
"""

from __future__ import annotations

from typing import Any, Literal

from sessions.events.base import Event
from sessions.events.cards import Card, Choice


class AttentionCheckShown(Event):
    """A card was shown in which something had been swapped on purpose; it is never carried out."""

    type: Literal["attention_check_shown"] = "attention_check_shown"
    card: Card
    """What the person was shown: the card of the altered call."""

    words_digest: str
    meant: dict[str, Any]
    """The arguments of the call that the agent had proposed."""

    altered: str
    """What was swapped, in words, as the person is told after the decision."""

    @property
    def key(self) -> str:
        """The card: once for each."""
        return self.card.id


class AttentionCheckAsked(Event):
    """The person asked about it and was answered by no model; it goes on waiting."""

    type: Literal["attention_check_asked"] = "attention_check_asked"
    card_id: str
    words: str
    answer: str
    """What the trial of the altered call tells, or that it tells nothing of this."""


class AttentionCheckDecided(Event):
    """What the person decided on it, before being told that it was one.

    The decision *ask* stands in older logs alone, in which a question ended the check.
    """

    type: Literal["attention_check_decided"] = "attention_check_decided"
    card_id: str
    decision: Choice
    words: str = ""
    by: str
    milliseconds: int
    """From the card being readable to the decision."""

    overrode: tuple[str, ...] = ()
    """Names of failing policy checks that were approved all the same, with a second key."""

    @property
    def is_caught(self) -> bool | None:
        """Whether the swap was seen; None where nothing was decided, or a question was asked."""
        return {"approve": False, "reject": True, "change": True}.get(self.decision)

    @property
    def key(self) -> str:
        """The card, which is settled once."""
        return self.card_id
