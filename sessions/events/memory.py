"""The memory that a session uses, and what it says about a check on a card."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

BOUNDARY = " – but: "
"""Joins an earlier insight and a later limit to it in one sentence."""

KEPT_BOUNDARY = "But: "
"""Prefix of an entry's condition that was once such a limit, before a later one replaced it."""

ANY_TOOL = "any_tool"
"""The tool name of an entry about a whole conversation rather than one tool."""

RETRIEVE = "retrieve_policy"
"""The tool with which an agent reads its memory; it returns what was learned, never records."""


ReadBy = Literal["tool", "embedding", "whole", "none", "insights", "examples"]
"""How the agent reads a memory (PolicyBank, section 5 and figure 5).

``tool``: it calls the look-up. ``embedding``: each turn it receives the entries closest to the
customer's words. ``whole``: each turn it receives all of them. ``none``: never, as a control.
``insights`` and ``examples`` belong to the baselines, which hold other content and are read like
``embedding``.
"""


class MemoryUsed(BaseModel):
    """One revision of a memory bank; later revisions belong to other sessions."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    bank: str
    revision: int
    by: ReadBy = "tool"
    digest: str = ""
    """Digest of the bank's initial content and of all changes up to this revision.

    Empty in logs of older versions, which identified a bank by its name alone.
    """

    def told(self) -> tuple[str | int, ...]:
        """Everything that identifies this memory, as input for a digest."""
        return self.bank, self.revision, self.by, *filter(None, [self.digest])


class Recalled(BaseModel):
    """Part of a memory that the agent was handed in a turn without asking for it."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    capability: str
    """The name of the entry in the session's memory."""

    text: str
    """The text that the agent's model was sent, word for word."""

    similarity: float | None = None
    """Cosine similarity to the customer's latest words; None if it was not chosen by that."""


class Learned(BaseModel):
    """What an entry in force says about a check: a person's words, not verified by any code."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    check: str
    """The check's name as the entry gives it; a card may have no check of that name."""

    effect: Literal["relaxes", "tightens"]
    told: str
    """One line with the quoted condition, the date since which it applies, and its source."""

    capability: str
    """The name of the entry in the session's memory."""

    read: bool
    """Whether the agent was handed the entry in this session before the card."""
