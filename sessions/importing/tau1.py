"""τ-bench's trajectories, the first edition's: a list of runs with OpenAI's messages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sessions.cleaning import clean, clean_json
from sessions.events import EndReason, ProposedCall
from sessions.importing.runs import STOP, Agent, Customer, LeftOut, Returned, Run, Step, words

if TYPE_CHECKING:
    from sessions.importing.tau1_schema import Message, Recorded, Task

HAND_OVER = "transfer_to_human_agents"
UNKNOWN_MODEL = "unknown"
"""Who the agent was; the file does not say."""


def is_this(content: Any) -> bool:
    """Whether a document has the outline of such a file."""
    return (
        isinstance(content, list)
        and bool(content)
        and all(isinstance(each, dict) and "traj" in each for each in content)
    )


def runs(content: list[Any], path: Path, model: str | None) -> Iterator[Run | LeftOut]:
    """The runs of a file; ImportRefused names what is wrong with one."""
    from sessions.importing.tau1_schema import read

    for number, entry in enumerate(content, 1):
        yield _run(read(entry, f"{path}, run {number}"), entry, model)


def _run(found: Recorded, entry: dict[str, Any], model: str | None) -> Run | LeftOut:
    original = f"{found.task_id}/{found.trial}"
    if not found.traj:
        why = clean(found.info.error or "nothing was said in it")
        return LeftOut(original, f"it broke off: {why[:200]}")
    ended, ending = _ending(found)
    task = found.info.task
    return Run(
        source="tau1",
        original=original,
        task_id=str(found.task_id),
        model=clean(model or UNKNOWN_MODEL),
        steps=tuple(_steps(found.traj)),
        ended=ended,
        ending=ending,
        digest=_digest(entry),
        task=None if task is None else _in_tau2_form(found.task_id, task),
        trial=found.trial,
        recorded_reward=found.reward,
    )


def _digest(entry: dict[str, Any]) -> str:
    from domains.canonical import digest

    return digest(entry)


def _ending(found: Recorded) -> tuple[EndReason, str]:
    """A run is only given a reward of its own once its customer hung up or was handed over."""
    if found.info.error is not None:
        return "fault", "error"
    if found.info.reward_info is None:
        return "turn_limit", "unfinished"
    last = found.traj[-1]
    if last.role == "tool" and last.name == HAND_OVER:
        return "transfer", HAND_OVER
    return "customer", "stop" if STOP in (last.content or "") else "done"


def _steps(messages: list[Message]) -> Iterator[Step]:
    for message in messages:
        match message.role:
            case "user":
                yield Customer(words(message.content))
            case "assistant":
                calls = tuple(_call(each.id, each.function) for each in message.tool_calls or ())
                # An answer with a call went to the tool; what it says beside nobody heard.
                yield Agent(clean(message.content or ""), calls, spoken=not calls)
            case "tool":
                yield Returned(clean(message.tool_call_id or ""), clean(message.content or ""))
            case _:
                pass


def _call(call_id: str, function: Any) -> ProposedCall:
    return ProposedCall(
        id=clean(call_id), name=clean(function.name), arguments=clean(function.arguments)
    )


def _in_tau2_form(task_id: int, task: Task) -> dict[str, Any]:
    """The task as the second edition would write it: the same end, the same words to be said."""
    actions = [
        {"action_id": f"{task_id}_{number}", "name": each.name, "arguments": each.kwargs}
        for number, each in enumerate(task.actions)
    ]
    form: dict[str, Any] = clean_json(
        {
            "id": str(task_id),
            "user_scenario": {"instructions": task.instruction},
            "evaluation_criteria": {
                "actions": actions,
                "communicate_info": task.outputs,
                "reward_basis": ["DB", "COMMUNICATE"],
            },
        }
    )
    return form
