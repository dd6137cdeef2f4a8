"""How the models of the agent's side are asked: what is sent beside the conversation."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class RequestSettings(BaseModel):
    """What every request of the agent's model, and of its second model, has in common.

    What is None was not asked for, and is the program's to choose; what was asked for is sent, and
    a server that refuses it has refused the request.
    """

    model_config = ConfigDict(frozen=True)

    temperature: float | None = Field(default=None, ge=0, le=2)
    """None: 0, where the model takes one."""

    reasoning_effort: str | None = None
    """How much a model that reasons is to: ``low``, ``medium``, ``high``."""

    max_tokens: int | None = Field(default=None, ge=1)
    """Tokens that one answer may take, reasoning included."""

    timeout: float | None = Field(default=None, gt=0)
    """Seconds that an answer may be silent; as a whole it may take five times as long."""

    ask_as: Literal["saber", "tau2"] = "saber"
    """Whose system prompt, greeting, tool descriptions and parameters are sent: the program's own,
    or those of the installed τ²-bench, so that a baseline is the same here and there."""

    think_tool: bool = False
    """Whether the agent has τ-bench's tool that takes a thought and gives nothing back."""
