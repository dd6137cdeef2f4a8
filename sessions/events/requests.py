"""Settings for requests to the agent's models: everything sent besides the conversation."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class RequestSettings(BaseModel):
    """The settings shared by all requests to the agent's model and to its auxiliary model.

    A setting that is None was not specified, and the program chooses. A setting that was specified
    is sent, and the request fails if the server refuses it.
    """

    model_config = ConfigDict(frozen=True)

    temperature: float | None = Field(default=None, ge=0, le=2)
    """None means 0, if the model accepts a temperature."""

    reasoning_effort: str | None = None
    """How much a reasoning model should reason: ``low``, ``medium``, or ``high``."""

    max_tokens: int | None = Field(default=None, ge=1)
    """Maximum tokens of one answer, reasoning included."""

    timeout: float | None = Field(default=None, gt=0)
    """Seconds without output before an answer times out; in total it may take five times this."""

    ask_as: Literal["saber", "tau2"] = "saber"
    """The source of the system prompt, greeting, tool descriptions, and parameters.

    Either the program's own or those of the installed τ²-bench, so that a baseline is the same in
    both programs.
    """

    think_tool: bool = False
    """Whether the agent has τ-bench's tool that takes a thought and returns nothing."""
