"""What τ-bench's trajectories must look like; what is not used here is passed over."""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationError

from sessions.errors import ImportRefused


def _finite(number: float) -> float:
    if not math.isfinite(number):
        raise ValueError("a number should be finite")
    return number


Reward = Annotated[float, AfterValidator(_finite)]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class Function(_Part):
    """What is called."""

    name: str
    arguments: str


class Call(_Part):
    """A call that the agent made."""

    id: str
    function: Function


class Message(_Part):
    """A message in OpenAI's form."""

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
    """What was to be done."""

    instruction: str
    actions: list[Action]
    outputs: list[str] = []


class Info(_Part):
    """What the program noted beside the messages."""

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


def read(entry: Any, place: str) -> Recorded:
    """One run; ImportRefused names the field that does not fit."""
    try:
        return Recorded.model_validate(entry)
    except ValidationError as error:
        raise misfit(error, place) from error


def misfit(error: ValidationError, place: str) -> ImportRefused:
    """The first thing that is wrong, in a sentence."""
    first = error.errors(include_url=False)[0]
    field = ".".join(map(str, first["loc"])) or "the whole"
    shown = "".join(each for each in field if each.isprintable())[:100]
    return ImportRefused(f"{place}: {shown}: {first['msg'].lower()}. Nothing was imported.")
