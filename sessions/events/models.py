"""Requests to models, and their answers."""

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
"""The purpose of a request to a model.

*act* and *answer_about_card* produce words to the customer, *route* decides which of two kinds of
session this is, and *verify* checks whether a change is right. All others go to the auxiliary model
(SABER, 4.2). A verifier's answer that replaces the change is the agent's next action and is
recorded as *act*.
"""

AGENT_PURPOSES: frozenset[str] = frozenset({"act", "answer_about_card", "route", "verify"})
"""The purposes for which the agent's own model is asked."""


SPOKEN_PURPOSES: frozenset[str] = frozenset({"act", "answer_about_card"})
"""The purposes whose answers are words to the customer."""


ReminderWay = Literal["reasoning", "prefill", "scratchpad", "message"]
"""How a reminder before a change reaches the agent.

At the end of its own reasoning, as the beginning of its answer, as a thought in its scratchpad, or
in a message.
"""


class ModelRequested(Event):
    """A request was sent to the model."""

    type: Literal["model_requested"] = "model_requested"
    model: str
    turn: int
    attempt: int
    purpose: Purpose = "act"
    messages: int
    """The number of messages sent."""

    reminder: ReminderWay | None = None
    """How a reminder was handed over with the request; None if there was none."""


class ProposedCall(BaseModel):
    """A tool call as the model wrote it."""

    model_config = ConfigDict(frozen=True)

    id: str
    name: str
    arguments: str
    """JSON text as received, apart from the characters that cleaning removed."""

    removed: tuple[str, ...] = ()
    """Code points that cleaning removed from the call's name and JSON text."""


class Usage(BaseModel):
    """The token counts of one model call."""

    model_config = ConfigDict(frozen=True)

    prompt: int = 0
    completion: int = 0
    cached: int = 0
    cost: float | None = None
    """US dollars by the price list of the installed litellm; None if the price is not known."""


class ModelAnswered(Event):
    """The model's whole answer: enough to replay the session without the model."""

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
    """Data that this provider wants back unchanged (signed thinking); sent to no other provider."""


class ModelFailed(Event):
    """The model gave no usable answer."""

    type: Literal["model_failed"] = "model_failed"
    model: str
    fault: str
    """Short name of the fault: ``rate_limit``, ``cut``, ``cancelled``, ``unknown_model``."""

    sentence: str
    """What happened and what to do next."""

    partial: str = ""
    """Text that had arrived before the fault."""

    retry_in: float | None = None
    """Seconds until the next attempt, or None if there is none."""
