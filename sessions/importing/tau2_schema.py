"""The schema of τ²-bench's results; fields that are not used here are ignored."""

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
    """A message; one from several tools contains their messages."""

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
    """The verdict of the file's judge on an assertion."""

    nl_assertion: str
    met: bool
    justification: str = ""


class RecordsCheck(_Part):
    """Whether the file says that the records matched the task's end."""

    db_match: bool | None = None


class SaidCheck(_Part):
    """Whether the file says that a required text was said."""

    info: str
    met: bool


class Action(_Part):
    """A call that a task expects."""

    name: str
    arguments: dict[str, Any]


class ActionCheck(_Part):
    """Whether the file says that an expected call was made."""

    action: Action
    action_match: bool


class Checks(_Part):
    """The checks that the reward consisted of, besides the assertions."""

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
    """The environment of the runs."""

    domain_name: str


class Player(_Part):
    """The implementation and the model that played the agent or the customer."""

    implementation: str = ""
    llm: str | None = None


class Info(_Part):
    """The information that all runs of the file share."""

    environment_info: Environment
    agent_info: Player = Player()
    user_info: Player = Player()
    max_steps: int = 0


class Results(_Part):
    """A results file; its tasks and runs are parsed one at a time."""

    info: Info
    tasks: list[Any]
    simulations: list[Any]


def read_results(content: Any, place: str) -> Results:
    """Parse the outline of a file; raises ImportRefused naming the field that is wrong."""
    try:
        return Results.model_validate(content)
    except ValidationError as error:
        raise ImportRefused(f"{place}: {fault(error)}. Nothing was imported.") from error


def read_simulation(entry: Any) -> Simulation:
    """Parse one run; raises pydantic's ValidationError, to be put into words by :func:`fault`."""
    return Simulation.model_validate(entry)


def read_checks(entry: dict[str, Any]) -> Checks:
    """The checks of a run's reward; empty if they are recorded in another format."""
    try:
        return Checks.model_validate(entry.get("reward_info") or {})
    except ValidationError:
        return Checks()
