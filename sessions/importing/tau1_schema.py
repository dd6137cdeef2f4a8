"""The schema of τ-bench's trajectories; fields that are not used here are ignored."""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationError


def _finite(number: float) -> float:
    if not math.isfinite(number):
        raise ValueError("a number should be finite")
    return number


Reward = Annotated[float, AfterValidator(_finite)]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class Function(_Part):
    """The function that a call names."""

    name: str
    arguments: str


class Call(_Part):
    """A call that the agent made."""

    id: str
    function: Function


class Message(_Part):
    """A message in OpenAI's format."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str | None = None
    tool_calls: list[Call] | None = None
    tool_call_id: str | None = None
    name: str | None = None


class Action(_Part):
    """A call that the task expects."""

    name: str
    kwargs: dict[str, Any]


class Task(_Part):
    """The task of a run."""

    user_id: str = ""
    instruction: str
    actions: list[Action]
    outputs: list[str] = []


class Found(_Part):
    """What the program found: whether the records were right, or which texts were said."""

    r_actions: float | None = None
    outputs: dict[str, bool] | None = None


class Checks(_Part):
    """How the reward was determined, and the expected calls that were used for it."""

    info: Found = Found()
    actions: list[Action] = []


class Info(_Part):
    """What the program recorded besides the messages."""

    task: Task | None = None
    reward_info: dict[str, Any] | None = None
    error: str | None = None


class Recorded(_Part):
    """One run."""

    task_id: int
    trial: int = 0
    reward: Reward
    info: Info
    traj: list[Message]


def read(entry: Any) -> Recorded:
    """Parse one run; raises pydantic's ValidationError, to be put into words by :func:`fault`."""
    return Recorded.model_validate(entry)


def read_checks(found: Recorded) -> Checks:
    """How the reward of a run was determined; empty if it is recorded in another format."""
    try:
        return Checks.model_validate(found.info.reward_info or {})
    except ValidationError:
        return Checks()


def fault(error: ValidationError) -> str:
    """The first validation error, in words."""
    first = error.errors(include_url=False)[0]
    field = ".".join(map(str, first["loc"])) or "the whole"
    shown = "".join(each for each in field if each.isprintable())[:100]
    return f"{shown}: {first['msg'].lower()}"
