"""What models are asked, and what they answer."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from sessions.events.base import Event

Purpose = Literal[
    "act",
    "answer_about_card",
    "route",
    "verify",
    "word_card",
    "reflect",
    "summarise",
    "judge_tool",
]
"""What a model is asked for. The first two are words to the customer, *route* is which of two ways
the session is held, *verify* whether a change is right; all others are the auxiliary model's
(SABER, 4.2). A verifier's answer that takes the change's place is what the agent does next, and is
recorded as *act*."""

OWN: frozenset[str] = frozenset({"act", "answer_about_card", "route", "verify"})
"""The purposes for which the agent's own model is asked."""


SPOKEN: frozenset[str] = frozenset({"act", "answer_about_card"})
"""The purposes whose answers are words to the customer."""


ReminderWay = Literal["reasoning", "prefill", "scratchpad", "message"]
"""How a reminder before a change reaches the agent: at the end of its own reasoning, as the
beginning of its answer, as a thought in its scratchpad, or in a message."""


class ModelRequested(Event):
    """A request went to the model."""

    type: Literal["model_requested"] = "model_requested"
    model: str
    turn: int
    attempt: int
    purpose: Purpose = "act"
    messages: int
    """How many messages were sent."""

    reminder: ReminderWay | None = None
    """How a reminder was handed over with it; None where there was none."""


class ProposedCall(BaseModel):
    """A tool call as the model wrote it."""

    model_config = ConfigDict(frozen=True)

    id: str
    name: str
    arguments: str
    """JSON text, as received but for what cleaning takes out."""

    removed: tuple[str, ...] = ()
    """Code points that cleaning took out of the JSON text."""


class Usage(BaseModel):
    """Tokens of one model call."""

    model_config = ConfigDict(frozen=True)

    prompt: int = 0
    completion: int = 0
    cached: int = 0
    cost: float | None = None
    """US dollars by the price list of the installed litellm; None where it is not known."""


class ModelAnswered(Event):
    """The model's whole answer: enough to play the session again without the model."""

    type: Literal["model_answered"] = "model_answered"
    model: str
    purpose: Purpose = "act"
    text: str
    reasoning: str = ""
    calls: tuple[ProposedCall, ...] = ()
    usage: Usage = Usage()
    finish_reason: str = "stop"
    milliseconds: int = 0
    provider: dict[str, Any] = Field(default_factory=dict)
    """What this provider wants back unchanged (signed thinking); sent to no other."""


class ModelFailed(Event):
    """The model gave no usable answer."""

    type: Literal["model_failed"] = "model_failed"
    model: str
    fault: str
    """A short name of the kind: ``rate_limit``, ``cut``, ``cancelled``, ``unknown_model``."""

    sentence: str
    """What happened and what to do next."""

    partial: str = ""
    """Text that had arrived before."""

    retry_in: float | None = None
    """Seconds until the next attempt, or None where there is none."""
