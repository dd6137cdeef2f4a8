"""The interface between the loop and a model: messages and tools in, a stream of pieces out."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from sessions.events import ReminderWay, RequestSettings, Usage

Message = dict[str, Any]
"""A chat message in OpenAI's format: ``role``, ``content``, ``tool_calls`` / ``tool_call_id``."""


Effort = Literal["low", "high"]


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One request: the messages so far, and the tools that the model may call."""

    messages: list[Message]
    tools: list[dict[str, Any]]
    seed: int | None = None
    """The random seed for providers that accept one; 32 bits."""

    longest: int | None = None
    """The most tokens that the answer may take; None for the usual cap."""
    effort: Effort | None = None
    """How much the model should think, if that can be set; None leaves it to the model."""

    settings: RequestSettings = field(default_factory=RequestSettings)
    """The session's settings, which apply to all of its requests."""


@dataclass(frozen=True, slots=True)
class TextPiece:
    """Text of the answer, as it arrives."""

    text: str


@dataclass(frozen=True, slots=True)
class ReasoningPiece:
    """Reasoning that the provider chose to show."""

    text: str


@dataclass(frozen=True, slots=True)
class CallPiece:
    """A fragment of a tool call; pieces with the same index and no new id belong together."""

    index: int
    id: str | None = None
    name: str | None = None
    arguments: str = ""


@dataclass(frozen=True, slots=True)
class Finish:
    """The last piece of a complete answer.

    A stream without one was cut off and is not an answer.
    """

    reason: str
    usage: Usage = field(default_factory=Usage)
    provider: dict[str, Any] = field(default_factory=dict)
    """What this provider wants back unchanged on the assistant message (signed thinking)."""


Piece = TextPiece | ReasoningPiece | CallPiece | Finish

OWN_FAILURES = frozenset({"garbled", "too_long", "refused", "stuck"})
"""The kinds of fault that are the model's own: it sent no usable answer, cannot read that much,
declined, or did not come to an end. All others are the line's: network, provider or key."""


class ModelFault(Exception):
    """No usable answer arrived; the sentence tells the user what happened and what to do."""

    def __init__(
        self, kind: str, sentence: str, *, retryable: bool = False, retry_after: float | None = None
    ) -> None:
        super().__init__(sentence)
        self.kind = kind
        """One of ``rate_limit``, ``server``, ``connection``, ``timeout``, ``cut``, ``no_key``,
        ``bad_key``, ``unknown_model``, ``bad_request``, ``no_tools``, ``too_long``,
        ``bad_setting``, ``no_reasoning``, ``garbled``, ``refused``, ``stuck``."""
        self.sentence = sentence
        self.retryable = retryable
        self.retry_after = retry_after
        """Seconds that the provider asked us to wait, if it said so."""

    @property
    def is_models_own(self) -> bool:
        """Whether the model itself failed, so that a trial that ends this way counts as failed."""
        return self.kind in OWN_FAILURES


def ways_to_remind(model: ChatModel) -> frozenset[ReminderWay]:
    """The ways in which a model accepts a reminder before a write; by default, only a message."""
    ways: frozenset[ReminderWay] = getattr(model, "ways_to_remind", frozenset({"message"}))
    return ways


class ChatModel(Protocol):
    """Anything that answers like a tool-calling chat model."""

    @property
    def name(self) -> str:
        """The name that the user chose it by: ``clerk``, ``gpt-4o``."""
        ...

    def stream(self, request: ModelRequest) -> AsyncIterator[Piece]:
        """Answer piece by piece, ending with one Finish; raises ModelFault."""
        ...
