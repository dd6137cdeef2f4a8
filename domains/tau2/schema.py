"""The schema of τ²-bench's tasks; used only when a file is read.

Fields of a task that are not used here differ between editions and are ignored. Within a field that
is used, an unknown name is an error: a misspelled ``reward_basis`` would be scored by the default.
"""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, model_validator
from pydantic.types import JsonValue

LONGEST = 20_000
"""The most characters in one text; several times the longest that was published."""


def _finite(value: JsonValue) -> JsonValue:
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError("a number should be finite")
    if isinstance(value, dict):
        for each in value.values():
            _finite(each)
    if isinstance(value, list):
        for each in value:
            _finite(each)
    return value


def _printable(text: str) -> str:
    if not text.isprintable() or text != text.strip():
        raise ValueError("an id should be printable and without blanks around it")
    return text


def _nothing(value: Any) -> None:
    if value.values() if isinstance(value, dict) else value:
        raise ValueError("it must be empty: these domains do not support it")


Text = Annotated[str, Field(max_length=LONGEST)]
Nothing = Annotated[Any, AfterValidator(_nothing)]


class _Part(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Call(_Part):
    """A call that the agent is expected to make."""

    action_id: Text
    requestor: Literal["assistant"] = "assistant"
    name: Text
    arguments: Annotated[dict[str, JsonValue], AfterValidator(_finite)]
    info: Text | None = None
    compare_args: list[Text] | None = None


class Criteria(_Part):
    """How a session is scored."""

    actions: list[Call] | None = None
    env_assertions: Nothing = None
    communicate_info: list[Text] | None = None
    nl_assertions: list[Text] | None = None
    reward_basis: list[Literal["DB", "COMMUNICATE", "ACTION", "NL_ASSERTION"]] = [
        "DB",
        "COMMUNICATE",
    ]


class Instructions(_Part):
    """What the customer is told; a task may give it as one text."""

    domain: Text = ""
    reason_for_call: Text
    known_info: Text | None = None
    unknown_info: Text | None = None
    task_instructions: Text

    @model_validator(mode="before")
    @classmethod
    def _in_parts(cls, told: Any) -> Any:
        return {"reason_for_call": told, "task_instructions": ""} if isinstance(told, str) else told


class User(_Part):
    """The customer to be played."""

    persona: Text | None = None
    instructions: Instructions


class Task(BaseModel):
    """One task."""

    model_config = ConfigDict(strict=True, extra="ignore", frozen=True)

    id: Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_printable)]
    user_scenario: User
    initial_state: Nothing = None
    evaluation_criteria: Criteria | None = None


TASKS = TypeAdapter(list[Task])
"""Validates the content of a file; raises pydantic.ValidationError."""
