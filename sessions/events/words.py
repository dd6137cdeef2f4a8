"""What the customer and the agent say, and the context that the agent has when it speaks."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from sessions.events.base import Event
from sessions.events.memory import Recalled


class CustomerSaid(Event):
    """The customer spoke, which begins a turn."""

    type: Literal["customer_said"] = "customer_said"
    text: str
    turn: int


class AgentSaid(Event):
    """The agent spoke to the customer."""

    type: Literal["agent_said"] = "agent_said"
    text: str
    about_card: str | None = None
    """The card that the answered question was about."""


class ContextAssembled(Event):
    """The blocks of the conversation sent to the model in this turn (SABER, section 4.1).

    Blocks are identified by the turn that each began with; their content is in the log already. The
    size of this event does not grow with the conversation, because the log would otherwise grow
    quadratically.
    """

    type: Literal["context_assembled"] = "context_assembled"
    turn: int
    blocks: int
    """The total number of blocks, including the current one."""

    everything: bool = False
    """True if the filter is off and no selection was made; `sent` is then empty."""

    sent: tuple[int, ...] = ()
    """The turns of the selected blocks, in time order."""

    summarised: tuple[int, ...] = ()
    """The sent blocks of which only the summary is sent."""

    pinned: dict[int, str] = Field(default_factory=dict)
    """The sent blocks that are always sent, each with its reasons."""

    near_misses: tuple[int, ...] = ()
    """The few omitted blocks that came closest to being sent."""

    similarity: dict[int, float] = Field(default_factory=dict)
    """Cosine similarity to the latest customer message by turn, if measured."""

    budget: int
    tokens: int
    """Estimated tokens of everything sent, policy included."""

    retrieval: str
    """How blocks were ranked: ``embedding``, or why they were not."""

    recalled: tuple[Recalled, ...] = ()
    """The memory that the agent is handed in this turn, if it does not look it up itself."""

    @property
    def sent_count(self) -> int:
        """The number of blocks that the model is sent."""
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
        """The rank of a block among those chosen by similarity; 1 is the most similar."""
        chosen = (each for each in self.sent if each not in self.pinned)
        closest = sorted(chosen, key=lambda each: self.similarity[each], reverse=True)
        return closest.index(turn) + 1


class BlockSummarised(Event):
    """A finished block was summarised in one line, once per block (SABER, section 4.1)."""

    type: Literal["block_summarised"] = "block_summarised"
    turn: int
    text: str
    by: str = ""
    """The auxiliary model that wrote the summary; empty if a rule assembled it."""

    @property
    def key(self) -> str:
        """The idempotency key: one summary per block."""
        return str(self.turn)


class ReflectionWritten(Event):
    """The agent was given a reminder before a write (SABER, section 4.1)."""

    type: Literal["reflection_written"] = "reflection_written"
    call_id: str
    call_name: str
    arguments: dict[str, Any]
    """The arguments of the call as proposed before the reflection."""

    text: str
    policy_lines: tuple[str, ...]
    by: str = ""
    """The auxiliary model that worded the reminder; empty if a rule chose the lines."""

    struck: str = ""
    """The model's rejected wording, if it was unsupported and the rule's reminder was used."""
