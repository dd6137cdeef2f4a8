"""What τ²-bench's results must look like; what is not used here is passed over."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from sessions.importing.tau1_schema import Reward, fault
from sessions.store.errors import ImportRefused


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class Call(_Part):
    """A call, by the agent or by the customer."""

    id: str = ""
    name: str
    arguments: dict[str, Any]
    requestor: str = "assistant"


class Message(_Part):
    """A message; one by several tools holds theirs."""

    role: str
    id: str | None = None
    content: str | None = None
    tool_calls: list[Call] | None = None
    tool_messages: list[Message] | None = None
    requestor: str = "assistant"
    timestamp: Any = None
    generation_time_seconds: Any = None
    usage: dict[str, Any] | None = None
    cost: float | None = None


class Judged(_Part):
    """What the file's judge said of an assertion."""

    nl_assertion: str
    met: bool
    justification: str = ""


class RecordsCheck(_Part):
    """Whether the file found the records at the task's end."""

    db_match: bool | None = None


class SaidCheck(_Part):
    """Whether the file found that a text was said."""

    info: str
    met: bool


class Action(_Part):
    """A call that a task expects."""

    name: str
    arguments: dict[str, Any]


class ActionCheck(_Part):
    """Whether the file found an expected call."""

    action: Action
    action_match: bool


class Checks(_Part):
    """What the reward was made of, besides the assertions."""

    db_check: RecordsCheck | None = None
    communicate_checks: list[SaidCheck] | None = None
    action_checks: list[ActionCheck] | None = None


class RewardInfo(_Part):
    """The reward that the file gives."""

    reward: Reward
    nl_assertions: list[Judged] | None = None


class Simulation(_Part):
    """One run."""

    id: str
    task_id: str
    trial: int | None = None
    start_time: str = ""
    end_time: str = ""
    duration: Any = None
    termination_reason: str
    reward_info: RewardInfo | None = None
    messages: list[Message] = []


class Environment(_Part):
    """What the runs were held in."""

    domain_name: str


class Player(_Part):
    """Who played the agent, or the customer, and by which model."""

    implementation: str = ""
    llm: str | None = None


class Info(_Part):
    """What all runs of the file have in common."""

    environment_info: Environment
    agent_info: Player = Player()
    user_info: Player = Player()
    max_steps: int = 0


class Results(_Part):
    """A file; its tasks and runs are read one at a time."""

    info: Info
    tasks: list[Any]
    simulations: list[Any]


def read_results(content: Any, place: str) -> Results:
    """A file's outline; ImportRefused names the field that does not fit."""
    try:
        return Results.model_validate(content)
    except ValidationError as error:
        raise ImportRefused(f"{place}: {fault(error)}. Nothing was imported.") from error


def read_simulation(entry: Any) -> Simulation:
    """One run; raises pydantic's ValidationError, for :func:`fault`."""
    return Simulation.model_validate(entry)


def read_checks(entry: dict[str, Any]) -> Checks:
    """What a run's reward was made of; what is written in another way counts as not told."""
    try:
        return Checks.model_validate(entry.get("reward_info") or {})
    except ValidationError:
        return Checks()
