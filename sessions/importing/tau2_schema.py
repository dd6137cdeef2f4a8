"""What τ²-bench's results must look like; what is not used here is passed over."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from sessions.importing.tau1_schema import Reward, misfit


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
    usage: dict[str, Any] | None = None
    cost: float | None = None


class Judged(_Part):
    """What the file's judge said of an assertion."""

    nl_assertion: str
    met: bool
    justification: str = ""


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
    termination_reason: str
    reward_info: RewardInfo | None = None
    messages: list[Message] = []


class Environment(_Part):
    """What the runs were held in."""

    domain_name: str


class Player(_Part):
    """Which model played the agent, or the customer."""

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
    tasks: list[dict[str, Any]]
    simulations: list[Any]


def read_results(content: Any, place: str) -> Results:
    """A file's outline; ImportRefused names the field that does not fit."""
    try:
        return Results.model_validate(content)
    except ValidationError as error:
        raise misfit(error, place) from error


def read_simulation(entry: Any, place: str) -> Simulation:
    """One run; ImportRefused names the field that does not fit."""
    try:
        return Simulation.model_validate(entry)
    except ValidationError as error:
        raise misfit(error, place) from error
