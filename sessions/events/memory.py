"""Which memory a session is held with."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

RETRIEVE = "retrieve_policy"
"""The look-up by which an agent reads its memory: of what was learned, and never of records."""


class MemoryUsed(BaseModel):
    """A memory bank as of one of its revisions: later ones are another session's."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    bank: str
    revision: int
