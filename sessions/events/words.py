"""What customer and agent say, and what the agent has before it as it speaks."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from sessions.events.base import Event
from sessions.events.memory import Recalled


class CustomerSaid(Event):
    """A turn begins with the customer's words."""

    type: Literal["customer_said"] = "customer_said"
    text: str
    turn: int


class AgentSaid(Event):
    """Words of the agent to the customer."""

    type: Literal["agent_said"] = "agent_said"
    text: str
    about_card: str | None = None
    """The card that a question was asked about."""


class ContextAssembled(Event):
    """Which blocks of the conversation the model is sent for this turn (SABER, section 4.1).

    Blocks go by the turn that each began with; what they hold is in the log already. The size of
    this event does not grow with the conversation, or the log would grow with its square.
    """

    type: Literal["context_assembled"] = "context_assembled"
    turn: int
    blocks: int
    """How many blocks there are, the current one included."""

    everything: bool = False
    """True where the filter is off and no choice was made; `sent` is then empty."""

    sent: tuple[int, ...] = ()
    """The turns of the blocks chosen, in time order."""

    summarised: tuple[int, ...] = ()
    """Of those sent, the ones of which only the summary is."""

    pinned: dict[int, str] = Field(default_factory=dict)
    """Of those, the ones that are always sent, each with its reasons."""

    near_misses: tuple[int, ...] = ()
    """Of the blocks left out, the few that came nearest to being sent."""

    similarity: dict[int, float] = Field(default_factory=dict)
    """Cosine to the latest customer message by turn, where it was measured."""

    budget: int
    tokens: int
    """An estimate of all that is sent, policy included."""

    retrieval: str
    """How blocks were ranked: ``embedding``, or why not."""

    recalled: tuple[Recalled, ...] = ()
    """What of its memory the agent is handed in this turn, where it does not look it up."""

    @property
    def sent_count(self) -> int:
        """How many blocks the model is sent."""
        return self.blocks if self.everything else len(self.sent)

    @property
    def shortens(self) -> bool:
        """Whether the model is sent less than the whole conversation."""
        return self.sent_count < self.blocks or bool(self.summarised)

    def why(self, turn: int) -> str:
        """Why the block of that turn was sent or left out, in words."""
        if turn in self.pinned:
            return self.pinned[turn]
        if self.sent_count == self.blocks:
            return "everything fits"
        if turn not in self.sent:
            return f"{'less similar' if self.similarity else 'older'} than the {self.budget} sent"
        if not self.similarity:
            return "recent: blocks could not be ranked"
        return f"similar: {self._place(turn)} of {self.budget}"

    def _place(self, turn: int) -> int:
        """1 for the most similar of the blocks that were chosen for it."""
        chosen = (each for each in self.sent if each not in self.pinned)
        closest = sorted(chosen, key=lambda each: self.similarity[each], reverse=True)
        return closest.index(turn) + 1


class BlockSummarised(Event):
    """A finished block in a line, once for each (SABER, section 4.1)."""

    type: Literal["block_summarised"] = "block_summarised"
    turn: int
    text: str
    by: str = ""
    """The auxiliary model that wrote it; empty where it was put together by rule."""

    @property
    def key(self) -> str:
        """The block: once for each."""
        return str(self.turn)


class ReflectionWritten(Event):
    """What the agent was reminded of before a write (SABER, section 4.1)."""

    type: Literal["reflection_written"] = "reflection_written"
    call_id: str
    call_name: str
    arguments: dict[str, Any]
    """The call as proposed before the reflection."""

    text: str
    policy_lines: tuple[str, ...]
    by: str = ""
    """The auxiliary model that worded it; empty where the lines were chosen by rule."""

    struck: str = ""
    """What that model wrote, where it was not borne out and the rule's reminder was used."""
