"""Ends that are as acceptable for a published task as its own, read from a file per domain.

An entry applies to the tasks that it was written for, recognized by a fingerprint of their gold
lists: if a later edition has another list, the entry no longer applies to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import chain, permutations, product
from typing import TYPE_CHECKING

from domains.core.canonical import canonical, digest
from domains.core.domain import Domain, Scenario
from domains.core.reading import field_error, first_fault, read_json
from domains.core.tool import ToolCall

if TYPE_CHECKING:
    from pydantic.types import JsonValue

    from domains.tau2.acceptable_ends_schema import AcceptableEnds, Call, End, Entry, Unordered

Calls = tuple[ToolCall, ...]

MOST_WAYS = 256
"""The most lists of calls that an entry may stand for.

Each of them is carried out to tell by how far a session missed it.
"""

_WHAT = "acceptable ends"


def with_ends(domain: Domain, scenarios: Iterable[Scenario]) -> tuple[Scenario, ...]:
    """The scenarios, with any other acceptable ends added after their own.

    Texts that an entry says need not be said are removed from what the agent must say.

    Raises DomainError if the domain's file of acceptable ends is invalid.
    """
    path = place_of(domain.name)
    entries = read(path).entries if path.is_file() else []
    return tuple(
        _extend(domain, scenario, [each for each in entries if is_for(each, scenario)])
        for scenario in scenarios
    )


def place_of(name: str) -> Traversable:
    """The path of a domain's file, which need not exist."""
    return files("domains") / name / "data" / "acceptable_ends.json"


def read(path: Traversable) -> AcceptableEnds:
    """The content of a file, validated; raises DomainError that names the file and the field."""
    from pydantic import ValidationError

    from domains.tau2.acceptable_ends_schema import AcceptableEnds

    content = read_json(path, _WHAT)
    try:
        found = AcceptableEnds.model_validate(content)
    except ValidationError as error:
        raise field_error(path, _WHAT, *first_fault(error)) from error
    for number, entry in enumerate(found.entries):
        if sum(1 for _ in ways(entry)) > MOST_WAYS:
            fault = f"stands for more than {MOST_WAYS} lists of calls"
            raise field_error(path, _WHAT, ("entries", number, "ends"), fault)
    return found


def fingerprint(scenario: Scenario) -> str:
    """The fingerprint of a task's gold list: 16 hexadecimal digits of its digest."""
    gold = [[action.call.name, dict(action.call.arguments)] for action in scenario.actions]
    return digest(gold)[:16]


def is_for(entry: Entry, scenario: Scenario) -> bool:
    """Whether an entry was written for this task in this edition."""
    return entry.task == scenario.id and any(
        edition.split()[0] == scenario.source and gold == fingerprint(scenario)
        for edition, gold in entry.written_for.items()
    )


def ways(entry: Entry) -> Iterator[Calls]:
    """Yield every list of calls that an entry's ends stand for."""
    return chain.from_iterable(map(_ways_of_end, entry.ends))


def _ways_of_end(end: End) -> Iterator[Calls]:
    for steps in product(*map(_ways_of_step, end)):
        yield tuple(chain.from_iterable(steps))


def _ways_of_step(step: Call | Unordered) -> Iterator[Calls]:
    from domains.tau2.acceptable_ends_schema import Call

    if isinstance(step, Call):
        yield from ((call,) for call in _variants(step))
        return
    for calls in product(*map(_variants, step.in_any_order)):
        yield from permutations(calls)


def _variants(call: Call) -> Iterator[ToolCall]:
    for values in product(*map(_values, call.arguments.values())):
        yield ToolCall(call.name, dict(zip(call.arguments, values, strict=True)))


def _values(value: JsonValue) -> Sequence[JsonValue]:
    if isinstance(value, dict) and isinstance(listed := value.get("one_of"), list):
        return listed
    return [value]


def _extend(domain: Domain, scenario: Scenario, entries: Sequence[Entry]) -> Scenario:
    if not entries:
        return scenario
    gold = [call for call in scenario.ends[0] if domain.tools.mutates(call.name)]
    known = {_text(gold)}
    added: list[Calls] = []
    for calls in chain.from_iterable(map(ways, entries)):
        if (text := _text(calls)) not in known:
            known.add(text)
            added.append(calls)
    needless = {text for entry in entries for text in entry.need_not_say}
    return replace(
        scenario,
        ends=(*scenario.ends, *added),
        ends_from=" ".join(f"{entry.source}: {entry.why}" for entry in entries if entry.ends),
        communicate=tuple(text for text in scenario.communicate if text not in needless),
    )


def _text(calls: Iterable[ToolCall]) -> str:
    return canonical([[call.name, dict(call.arguments)] for call in calls])
