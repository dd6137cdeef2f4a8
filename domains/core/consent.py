"""A person's approval of one exact call, valid for one execution (law 2).

Only the gate (``agent/gate/``) creates one, from one approval that is already in the log.
"""

from __future__ import annotations

from dataclasses import dataclass

from domains.core.canonical import digest
from domains.core.tool import ToolCall


class ConsentRefused(Exception):
    """A write was attempted with a consent that does not fit; nothing was changed."""


@dataclass(frozen=True, slots=True)
class Consent:
    """What one approval is bound to, including the card that was shown and answered."""

    card_id: str
    call: str
    """Digest of the tool's name and exact arguments."""

    state: str
    """Digest of the records that the preview touched."""

    words: str
    """Digest of the card's words."""

    @property
    def seal(self) -> str:
        """One digest of everything that the approval is bound to."""
        return digest([self.card_id, self.call, self.state, self.words])


def call_digest(call: ToolCall) -> str:
    """Digest of a tool's name and exact arguments."""
    return digest([call.name, dict(call.arguments)])
