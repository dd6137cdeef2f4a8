"""Read τ²-bench's results: tasks, and one simulation for each time that a task was run."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sessions.cleaning import clean, clean_json
from sessions.events import (
    ActionCheck,
    AssertionCheck,
    EndReason,
    ProposedCall,
    RecordedChecks,
    SaidCheck,
    Usage,
)
from sessions.importing.runs import (
    Agent,
    Customer,
    LeftOut,
    Returned,
    Run,
    Step,
    clean_words,
    iso_time_or_empty,
)
from sessions.importing.task_calls import CallsByTask
from sessions.store.errors import ImportRefused

if TYPE_CHECKING:
    from sessions.importing.tau2_schema import Checks, Message, Results, Simulation

ENDINGS: dict[str, EndReason] = {
    "user_stop": "customer",
    "agent_stop": "customer",
    "judge_stop": "customer",
    "max_steps": "turn_limit",
    "timeout": "time_limit",
    "too_many_errors": "action_limit",
    "context_window_exceeded": "token_limit",
    "agent_error": "agent_failure",
    "user_error": "customer_failure",
}
"""τ²-bench's endings in our terms; any other ending is a fault."""

UNKNOWN_MODEL = "unknown"

LONGEST = 1e9
"""The most seconds that can be the length of a conversation; some thirty years."""


def detect(content: Any) -> bool:
    """Whether a document looks like such a file."""
    return isinstance(content, dict) and {"info", "tasks", "simulations"} <= content.keys()


def runs(
    content: dict[str, Any], path: Path, domain: str, model: str | None
) -> Iterator[Run | LeftOut]:
    """Yield the runs of a file; raises ImportRefused with what is wrong with it.

    A run that is invalid, or whose task is missing although the file has tasks, is left out with
    the reason.
    """
    from pydantic import ValidationError

    from sessions.importing.tau1_schema import fault
    from sessions.importing.tau2_schema import read_results, read_simulation

    results = read_results(content, str(path))
    held_in = clean(results.info.environment_info.domain_name)
    if held_in != domain:
        raise ImportRefused(
            f"{path} holds runs of {held_in[:40]}, not of {domain}; give --domain {held_in[:40]}."
        )
    if not results.simulations and content.get("simulation_index"):
        raise ImportRefused(
            f"The runs of {path} are in separate files beside it; import those instead."
        )
    tasks = {str(task.get("id")): task for task in results.tasks if isinstance(task, dict)}
    listed = CallsByTask()
    for name, task in tasks.items():
        listed.add(name, _expected_calls(task))
    for number, entry in enumerate(results.simulations, 1):
        try:
            found = read_simulation(entry)
        except ValidationError as error:
            yield LeftOut(f"simulation {number}", fault(error))
            continue
        if not found.messages:
            yield LeftOut(clean(found.id), "nothing was said in it")
        elif tasks and found.task_id not in tasks:
            yield LeftOut(clean(found.id), f"the file has no task {clean(found.task_id)[:40]}")
        else:
            yield _run(found, entry, tasks.get(found.task_id), listed, results, model)


def _run(
    found: Simulation,
    entry: dict[str, Any],
    task: dict[str, Any] | None,
    listed: CallsByTask,
    results: Results,
    model: str | None,
) -> Run:
    from domains.core.canonical import digest
    from sessions.importing.tau2_schema import read_checks

    rewarded, checks = found.reward_info, read_checks(entry)
    checked = [(each.action.name, each.action.arguments) for each in checks.action_checks or ()]
    return Run(
        source="tau2",
        original=clean(found.id),
        task_id=clean(found.task_id),
        model=clean(model or results.info.agent_info.llm or UNKNOWN_MODEL),
        steps=tuple(_steps(found.messages)),
        ended=ENDINGS.get(found.termination_reason, "fault"),
        ending=clean(found.termination_reason),
        digest=digest(entry),
        task=None if task is None else _scored_parts(task),
        trial=found.trial,
        recorded_reward=rewarded.reward if rewarded else None,
        verdicts=tuple(_verdicts(found)),
        began=iso_time_or_empty(found.start_time),
        finished=iso_time_or_empty(found.end_time),
        seconds=_seconds(found.duration),
        agent=clean(results.info.agent_info.implementation),
        checks=_checks(checks),
        checks_of=listed.other_task_checked(found.task_id, checked) if task else "",
        customer_model=clean(results.info.user_info.llm or UNKNOWN_MODEL),
        most_turns=max(1, results.info.max_steps or 30),
    )


def _expected_calls(task: dict[str, Any]) -> list[tuple[str, Any]]:
    """The calls that a task lists; malformed entries are skipped."""
    criteria = task.get("evaluation_criteria")
    actions = criteria.get("actions") if isinstance(criteria, dict) else None
    listed = actions if isinstance(actions, list) else []
    return [(str(each.get("name")), each.get("arguments"))
            for each in listed if isinstance(each, dict)]  # fmt: skip


def _checks(checks: Checks) -> RecordedChecks:
    said = checks.communicate_checks or ()
    actions = checks.action_checks or ()
    return RecordedChecks(
        records=checks.db_check.db_match if checks.db_check else None,
        said=tuple(SaidCheck(text=clean(each.info), said=each.met) for each in said),
        actions=tuple(
            ActionCheck(
                name=clean(each.action.name),
                arguments=clean_json(each.action.arguments),
                made=each.action_match,
            )
            for each in actions
        ),
    )


def _seconds(told: Any) -> float | None:
    """A duration in seconds; None if the value is not a plausible one."""
    is_number = isinstance(told, int | float) and not isinstance(told, bool)
    return float(told) if is_number and 0 <= told < LONGEST else None


def _scored_parts(task: dict[str, Any]) -> dict[str, Any]:
    """The parts of a task that are played and scored; missing ones are not filled in."""
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
                at = iso_time_or_empty(message.timestamp)
                yield Customer(clean_words(message.content), usage=_usage(message), at=at)
            case "assistant":
                calls = tuple(map(_call, message.tool_calls or ()))
                text = clean_words(message.content)
                took = _seconds(message.generation_time_seconds) or 0
                yield Agent(
                    text, calls, spoken=bool(text), usage=_usage(message),
                    milliseconds=round(took * 1000), at=iso_time_or_empty(message.timestamp),
                )  # fmt: skip
            case "tool" if message.tool_messages:
                yield from _steps(message.tool_messages)
            case "tool" if message.requestor == "assistant":
                text, at = clean(message.content or ""), iso_time_or_empty(message.timestamp)
                yield Returned(clean(message.id or ""), text, at)
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
