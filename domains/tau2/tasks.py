"""τ²-bench's tasks as scenarios, read from its ``tasks.json`` and checked field by field."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from domains.core.domain import Action, Domain, DomainError, Scenario
from domains.core.reading import field_error, first_fault, read_json
from domains.core.tool import ToolCall, Toolset
from domains.tau2 import roles as tau2_roles
from domains.tau2.acceptable_ends import with_ends
from domains.tau2.data import is_file, place_of
from domains.tau2.editions import PUBLISHED, edition

if TYPE_CHECKING:
    from domains.tau2.schema import Call, Criteria, Task

FILE = "tasks.json"
TRANSFER = "transfer_to_human_agents"

_TASKS = "tasks of τ²-bench"
_SPLITS = "lists of task ids by the name of a split"

Splits = Mapping[str, list[str]]
"""The task ids in each split."""


def tasks_beside_records(folder: Path, domain: Domain) -> tuple[Scenario, ...]:
    """The tasks in the folder of a domain's records; empty if there is no such file."""
    path = folder / FILE
    return read(path, domain) if path.is_file() else ()


def read_tasks(tasks: Path, data: Path | None, domain: Domain) -> tuple[Scenario, ...]:
    """The tasks of a file or a folder, which may be elsewhere than the records in ``data``.

    If they come without splits, the splits beside the records are used, provided they fit. Raises
    DomainError.
    """
    records = None if data is None else place_of(FILE, data, domain.name)
    if is_file(tasks):
        return read(tasks, domain, spare=records)
    folder = place_of(FILE, tasks, domain.name)
    if folder is None:
        raise DomainError(
            f"There is no {FILE} of {domain.name} in {tasks}; "
            "give --tasks a file of τ²-bench's tasks or a folder that holds one."
        )
    return read(folder / FILE, domain, spare=records)


def read(path: Path, domain: Domain, *, spare: Path | None = None) -> tuple[Scenario, ...]:
    """The tasks of a file as scenarios of the domain, in the file's order.

    ``spare`` is a folder whose splits are used if there are none beside the file, provided they
    fit. Raises DomainError that names the file and the field.
    """
    tasks = _tasks(path)
    seen: dict[str, int] = {}
    for number, task in enumerate(tasks, 1):
        if task.id in seen:
            fault = f"task {seen[task.id]} has this id too"
            raise field_error(path, _TASKS, (_place(number, task.id), "id"), fault)
        seen[task.id] = number
        for field, fault in _faults(task, domain):
            raise field_error(path, _TASKS, (_place(number, task.id), *field), fault)
    splits = _splits_for(path, spare, seen)
    found = [_scenario(task, domain.name, PUBLISHED, splits) for task in tasks]
    source = edition(domain.name, found)
    return with_ends(domain, (replace(each, source=source) for each in found))


def task_from_run(task: Mapping[str, Any], domain: Domain, source: str) -> Scenario:
    """A task that came with a recorded run, to be scored exactly as it says; raises DomainError.

    Its own end is the only acceptable one, and a transfer that it lists is a call like any other.
    """
    return _task_from_json(json.dumps(task), domain.name, source)


@lru_cache(maxsize=1024)
def _task_from_json(task: str, domain: str, source: str) -> Scenario:
    """Parse a task from JSON; cached, since each trial of a task brings the same JSON."""
    from pydantic import ValidationError

    from domains.tau2.schema import TASKS

    try:
        (read,) = TASKS.validate_python([json.loads(task)])
    except ValidationError as error:
        place, fault = first_fault(error)
        field = ".".join(map(str, place[1:])) or "the whole task"
        told = f"The task of a recorded run cannot be read: {field}: {fault}."
        raise DomainError(told) from error
    return replace(_scenario(read, domain, source, {}), transfer=False)


def _tasks(path: Path) -> list[Task]:
    from pydantic import ValidationError

    from domains.tau2.schema import TASKS

    content = read_json(path, _TASKS)
    try:
        return TASKS.validate_python(content)
    except ValidationError as error:
        (*field,), fault = first_fault(error)
        if field and isinstance(field[0], int):
            task = content[field[0]]
            name = task.get("id", "") if isinstance(task, dict) else ""
            field[0] = _place(field[0] + 1, name)
        raise field_error(path, _TASKS, field, fault) from error


def _place(number: int, task_id: Any) -> str:
    """The place of a task for messages about the file: its number and its id."""
    return f"task {number} (id {str(task_id)[:40]})"


def _faults(task: Task, domain: Domain) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield the faults in a task that fits the schema: the field, and what is wrong with it."""
    meant = task.user_scenario.instructions.domain
    if meant not in ("", domain.name):
        yield ("user_scenario", "instructions", "domain"), f"is {meant!r}, not {domain.name!r}"
    for place, call in enumerate(_criteria(task).actions or ()):
        for field, fault in _faults_of_call(call, domain.tools):
            yield ("evaluation_criteria", "actions", place, field), fault


def _faults_of_call(call: Call, tools: Toolset) -> Iterator[tuple[str, str]]:
    """Yield the faults in an expected call.

    Wrong arguments are no fault: a published task has such a call, which fails when it is made.
    """
    tool = tools.get(call.name)
    if tool is None:
        yield "name", f"there is no tool {call.name!r}"
        return
    known = inspect.signature(tool.function).parameters
    for name in call.compare_args or ():
        if name not in known:
            yield "compare_args", f"{call.name} has no argument {name!r}"


def _criteria(task: Task) -> Criteria:
    from domains.tau2.schema import Criteria

    return task.evaluation_criteria or Criteria(reward_basis=[])


def _scenario(task: Task, domain: str, source: str, splits: Splits) -> Scenario:
    told, scored = task.user_scenario.instructions, _criteria(task)
    role = tau2_roles.role(
        reason=told.reason_for_call,
        known=told.known_info or "",
        unknown=told.unknown_info or "",
        behaviour=told.task_instructions,
        persona=task.user_scenario.persona or "",
    )
    actions = tuple(_action(call) for call in scored.actions or ())
    return Scenario(
        id=task.id,
        title=tau2_roles.title(role),
        role=role,
        ends=(tuple(action.call for action in actions),),
        communicate=tuple(scored.communicate_info or ()),
        transfer=any(action.call.name == TRANSFER for action in actions),
        tags=tau2_roles.tags(role, domain),
        actions=actions,
        assertions=tuple(scored.nl_assertions or ()),
        basis=tuple(scored.reward_basis),
        source=source,
        splits=tuple(name for name, ids in splits.items() if task.id in ids),
    )


def _action(call: Call) -> Action:
    compare = None if call.compare_args is None else tuple(call.compare_args)
    return Action(ToolCall(call.name, call.arguments), compare)


def _splits_for(path: Path, spare: Path | None, ids: Mapping[str, int]) -> Splits:
    """The splits beside a file of tasks, or else those in ``spare``, provided they fit.

    Raises DomainError if a split beside the file names a task that is not in it.
    """
    own = path.with_name(f"split_{path.name}")
    if own.is_file():
        splits = _splits(own)
        for name, listed in splits.items():
            for place, task_id in enumerate(listed):
                if task_id not in ids:
                    fault = f"{path.name} has no task {task_id!r}"
                    raise field_error(own, _SPLITS, (name, place), fault)
        return splits
    if spare is None or not (spare / own.name).is_file():
        return {}
    splits = _splits(spare / own.name)
    fits = all(task_id in ids for listed in splits.values() for task_id in listed)
    return splits if fits else {}


def _splits(path: Path) -> Splits:
    from pydantic import TypeAdapter, ValidationError

    try:
        return TypeAdapter(dict[str, list[str]]).validate_python(
            read_json(path, _SPLITS), strict=True
        )
    except ValidationError as error:
        raise field_error(path, _SPLITS, *first_fault(error)) from error
