"""Which memory a session is held with, and what it says of a check on a card."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

BOUNDARY = " – but: "
"""How what was learned later limits what was learned before, in one sentence."""

KEPT_BOUNDARY = "But: "
"""How a condition of an entry begins that was such a limit, before a later one took its place."""

ANY_TOOL = "any_tool"
"""The tool of what is remembered of a whole conversation, and not of one tool."""

RETRIEVE = "retrieve_policy"
"""The look-up by which an agent reads its memory: of what was learned, and never of records."""


ReadBy = Literal["tool", "embedding", "whole", "none", "insights", "examples"]
"""How the agent reads a memory (PolicyBank, section 5 and figure 5): by calling the look-up; at
each turn the entries that are closest to the customer's words; at each turn all of them; not at
all, as a control. ``insights`` and ``examples`` are the baselines', which hold something else and
are read like ``embedding``.
"""


class MemoryUsed(BaseModel):
    """A memory bank as of one of its revisions: later ones are another session's."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    bank: str
    revision: int
    by: ReadBy = "tool"
    digest: str = ""
    """Of how the bank began and all that was changed in it up to this revision; empty in what
    older versions recorded, which told a bank by its name alone."""

    def told(self) -> tuple[str | int, ...]:
        """All that it says, for a digest of it."""
        return self.bank, self.revision, self.by, *filter(None, [self.digest])


class Recalled(BaseModel):
    """Something of a memory that the agent was handed in a turn without asking for it."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    capability: str
    """Which entry of the session's memory."""

    text: str
    """What of it, word for word as the agent's model was sent it."""

    similarity: float | None = None
    """Cosine to the customer's latest words; None where it was not chosen by that."""


class Learned(BaseModel):
    """What an entry in force says of a check: somebody's words, which no code has borne out."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    check: str
    """The check's name, as the entry has it; a card may have none of that name."""

    effect: Literal["relaxes", "tightens"]
    told: str
    """When, and since when by whose word, as one line: the condition quoted in it."""

    capability: str
    """The entry of the session's memory."""

    read: bool
    """Whether the agent was handed the entry in this session before the card."""
