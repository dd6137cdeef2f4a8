"""Read trajectories of the first τ-bench: a list of runs with messages in OpenAI's format."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from sessions.cleaning import clean, clean_json
from sessions.events import EndReason, ProposedCall, RecordedChecks, SaidCheck
from sessions.importing import tau1_text_calls
from sessions.importing.runs import STOP, Agent, Customer, LeftOut, Returned, Run, Step, clean_words
from sessions.importing.task_calls import CallsByTask

if TYPE_CHECKING:
    from sessions.importing.tau1_schema import Action, Checks, Message, Recorded, Task

HAND_OVER = "transfer_to_human_agents"
UNKNOWN_MODEL = "unknown"
"""The agent's model if the caller does not name it, since the file never does."""


def detect(content: Any) -> bool:
    """Whether a document looks like such a file."""
    return isinstance(content, list) and any(
        isinstance(each, dict) and "traj" in each for each in content
    )


def runs(content: list[Any], model: str | None) -> Iterator[Run | LeftOut]:
    """Yield the runs of a file; an invalid one is left out with the reason."""
    from pydantic import ValidationError

    from sessions.importing.tau1_schema import fault, read

    found: list[tuple[Recorded | LeftOut, Any]] = []
    for number, entry in enumerate(content, 1):
        try:
            found.append((read(entry), entry))
        except ValidationError as error:
            found.append((LeftOut(f"run {number}", fault(error)), entry))
    listed = CallsByTask()
    for each, _ in found:
        if not isinstance(each, LeftOut) and each.info.task:
            listed.add(str(each.task_id), _calls(each.info.task.actions))
    for each, entry in found:
        yield each if isinstance(each, LeftOut) else _run(each, entry, listed, model)


def _run(
    found: Recorded, entry: dict[str, Any], listed: CallsByTask, model: str | None
) -> Run | LeftOut:
    from sessions.importing.tau1_schema import read_checks

    original = f"{found.task_id}/{found.trial}"
    if not found.traj:
        why = clean(found.info.error or "nothing was said in it")
        return LeftOut(original, f"it ended with an error: {why[:200]}")
    style = tau1_text_calls.style(found.traj)
    steps = tuple(tau1_text_calls.steps(found.traj) if style else _steps(found.traj))
    ended, ending = _ending(found, steps)
    task, checks = found.info.task, read_checks(found)
    return Run(
        source="tau1",
        original=original,
        task_id=str(found.task_id),
        model=clean(model or UNKNOWN_MODEL),
        steps=steps,
        ended=ended,
        ending=ending,
        digest=_digest(entry),
        task=None if task is None else _in_tau2_form(found.task_id, task),
        trial=found.trial,
        recorded_reward=found.reward,
        agent=style,
        customer="" if task is None else clean(task.user_id),
        checks=_checks(found.reward, checks),
        checks_of=listed.other_task_checked(str(found.task_id), _calls(checks.actions))
        if task
        else "",
    )


def _calls(actions: list[Action]) -> list[tuple[str, Any]]:
    return [(each.name, each.kwargs) for each in actions]


def _checks(reward: float, checks: Checks) -> RecordedChecks:
    """The recorded checks of a run.

    If the program checked the required texts, it says nothing about the records. They are then
    known to be right only if the whole reward is not 0.
    """
    told = checks.info
    said = tuple(SaidCheck(text=clean(text), said=said)
                 for text, said in (told.outputs or {}).items())  # fmt: skip
    right = True if reward else None if told.r_actions is None else bool(told.r_actions)
    return RecordedChecks(records=right, said=said)


def _digest(entry: dict[str, Any]) -> str:
    from domains.core.canonical import digest

    return digest(entry)


def _ending(found: Recorded, steps: Sequence[Step]) -> tuple[EndReason, str]:
    """Why the run ended, in our terms and in the file's.

    τ-bench computes a reward only after the customer hung up or was handed over, so a run without
    one was cut off by its turn limit.
    """
    if found.info.error is not None:
        return "fault", "error"
    if found.info.reward_info is None:
        return "turn_limit", "unfinished"
    last = found.traj[-1]
    if (last.role == "tool" and last.name == HAND_OVER) or _hands_over(steps):
        return "transfer", HAND_OVER
    return "customer", "stop" if STOP in (last.content or "") else "done"


def _hands_over(steps: Sequence[Step]) -> bool:
    """Whether the run ends with the result of a hand-over."""
    *_, before, last = (None, None, *steps)
    return (
        isinstance(before, Agent)
        and isinstance(last, Returned)
        and any(call.id == last.call_id and call.name == HAND_OVER for call in before.calls)
    )


def _steps(messages: list[Message]) -> Iterator[Step]:
    for message in messages:
        match message.role:
            case "user":
                yield Customer(clean_words(message.content))
            case "assistant":
                calls = tuple(_call(each.id, each.function) for each in message.tool_calls or ())
                # An answer with a call went to the tool, so the customer never saw the text beside
                # it.
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
    """The task in τ²-bench's form, with the same expected calls and the same required texts."""
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
