"""Which memory a session is held with, and what it says of a check on a card."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

RETRIEVE = "retrieve_policy"
"""The look-up by which an agent reads its memory: of what was learned, and never of records."""


class MemoryUsed(BaseModel):
    """A memory bank as of one of its revisions: later ones are another session's."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    bank: str
    revision: int


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
