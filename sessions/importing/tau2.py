"""τ²-bench's results: tasks, and a simulation for every time that one was run."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sessions.cleaning import clean, clean_json
from sessions.errors import ImportRefused
from sessions.events import AssertionCheck, EndReason, ProposedCall, Usage
from sessions.importing.runs import Agent, Customer, LeftOut, Returned, Run, Step, words

if TYPE_CHECKING:
    from sessions.importing.tau2_schema import Message, Results, Simulation

ENDINGS: dict[str, EndReason] = {
    "user_stop": "customer",
    "agent_stop": "customer",
    "judge_stop": "customer",
    "max_steps": "turn_limit",
    "timeout": "time_limit",
    "too_many_errors": "action_limit",
    "context_window_exceeded": "token_limit",
}
"""How a run ended, in our terms; every other ending is a fault."""

UNKNOWN_MODEL = "unknown"


def is_this(content: Any) -> bool:
    """Whether a document has the outline of such a file."""
    return isinstance(content, dict) and {"info", "tasks", "simulations"} <= content.keys()


def runs(
    content: dict[str, Any], path: Path, domain: str, model: str | None
) -> Iterator[Run | LeftOut]:
    """The runs of a file; ImportRefused names what is wrong with it or with one."""
    from sessions.importing.tau2_schema import read_results, read_simulation

    results = read_results(content, str(path))
    held_in = clean(results.info.environment_info.domain_name)
    if held_in != domain:
        raise ImportRefused(
            f"{path} holds runs of {held_in[:40]}, not of {domain}; give --domain {held_in[:40]}."
        )
    if not results.simulations and content.get("simulation_index"):
        raise ImportRefused(
            f"The runs of {path} lie in files of their own beside it; import those instead."
        )
    tasks = {str(task.get("id")): task for task in results.tasks}
    for number, entry in enumerate(results.simulations, 1):
        found = read_simulation(entry, f"{path}, simulation {number}")
        yield _run(found, entry, tasks.get(found.task_id), results, model)


def _run(
    found: Simulation,
    entry: dict[str, Any],
    task: dict[str, Any] | None,
    results: Results,
    model: str | None,
) -> Run | LeftOut:
    from domains.canonical import digest

    if not found.messages:
        return LeftOut(clean(found.id), "nothing was said in it")
    rewarded = found.reward_info
    return Run(
        source="tau2",
        original=clean(found.id),
        task_id=clean(found.task_id),
        model=clean(model or results.info.agent_info.llm or UNKNOWN_MODEL),
        steps=tuple(_steps(found.messages)),
        ended=ENDINGS.get(found.termination_reason, "fault"),
        ending=clean(found.termination_reason),
        digest=digest(entry),
        task=None if task is None else _scored_by(task),
        trial=found.trial,
        recorded_reward=rewarded.reward if rewarded else None,
        verdicts=tuple(_verdicts(found)),
        began=clean(found.start_time),
        customer_model=clean(results.info.user_info.llm or UNKNOWN_MODEL),
        most_turns=max(1, results.info.max_steps or 30),
    )


def _scored_by(task: dict[str, Any]) -> dict[str, Any]:
    """The parts of a task that are played and scored; what is empty elsewhere is left there."""
    names = ("id", "user_scenario", "evaluation_criteria")
    form: dict[str, Any] = clean_json({name: task[name] for name in names if name in task})
    return form


def _verdicts(found: Simulation) -> Iterator[AssertionCheck]:
    judged = found.reward_info.nl_assertions if found.reward_info else None
    for each in judged or ():
        yield AssertionCheck(
            text=clean(each.nl_assertion),
            verdict="met" if each.met else "unmet",
            why=clean(each.justification),
            judge="τ²-bench",
        )


def _steps(messages: list[Message]) -> Iterator[Step]:
    for message in messages:
        match message.role:
            case "user" if not message.tool_calls:
                yield Customer(words(message.content), usage=_usage(message))
            case "assistant":
                calls = tuple(map(_call, message.tool_calls or ()))
                text = words(message.content)
                yield Agent(text, calls, spoken=bool(text), usage=_usage(message))
            case "tool" if message.tool_messages:
                yield from _steps(message.tool_messages)
            case "tool" if message.requestor == "assistant":
                yield Returned(clean(message.id or ""), clean(message.content or ""))
            case _:
                pass


def _call(call: Any) -> ProposedCall:
    arguments = json.dumps(clean_json(call.arguments))
    return ProposedCall(id=clean(call.id), name=clean(call.name), arguments=arguments)


def _usage(message: Message) -> Usage:
    told = message.usage or {}
    prompt, completion = told.get("prompt_tokens", 0), told.get("completion_tokens", 0)
    return Usage(
        prompt=prompt if isinstance(prompt, int) else 0,
        completion=completion if isinstance(completion, int) else 0,
        cost=message.cost,
    )
