"""Reading a file of scenarios: whom to play, what they want, and which ends are acceptable."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

from domains.core.domain import DomainError, Role, Scenario
from domains.core.gap import Variant
from domains.core.tool import ToolCall
from domains.scenarios.fields import as_flag, as_list, as_object, as_one_of, as_text, as_texts

_NEEDED = {"id", "title", "role", "ends"}
_OF_GAP = {"gap", "parent", "variant", "explanation"}
_ALLOWED = _NEEDED | {"communicate", "transfer", "tags", "assertions"} | _OF_GAP


def load(path: Path) -> tuple[Scenario, ...]:
    """The scenarios of a file, in its order; raises DomainError that says what is wrong with it."""
    return scenarios_of(path, read(path))


def read(path: Path) -> Any:
    """The content of a file as JSON; raises DomainError that says why it cannot be read."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise DomainError(f"{path} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise DomainError(f"{path} is not JSON: {error}.") from error


def scenarios_of(path: Path, entries: Any) -> tuple[Scenario, ...]:
    """The scenarios in a list from a file; raises DomainError that says what is wrong."""
    if not isinstance(entries, list):
        raise DomainError(f"{path} should hold a list of scenarios.")
    scenarios = tuple(
        _read_scenario(path, number, entry) for number, entry in enumerate(entries, 1)
    )
    _must_differ(path, [scenario.id for scenario in scenarios])
    return scenarios


def _read_scenario(path: Path, number: int, entry: Any) -> Scenario:
    """One scenario; raises DomainError with the scenario's number and id."""
    try:
        return _scenario(entry)
    except DomainError as error:
        name = f" ({entry['id']})" if isinstance(entry, dict) and "id" in entry else ""
        raise DomainError(f"{path}, scenario {number}{name}: {error}") from None


def _scenario(entry: Any) -> Scenario:
    as_object(entry, "a scenario", needed=_NEEDED, allowed=_ALLOWED)
    ends = tuple(
        tuple(_call(call) for call in as_list(end, "an end"))
        for end in as_list(entry["ends"], "ends")
    )
    if not ends:
        raise DomainError("there should be at least one acceptable end, even if it is empty.")
    return Scenario(
        id=as_text(entry["id"], "id"),
        title=as_text(entry["title"], "title"),
        role=_role(entry["role"]),
        ends=ends,
        communicate=as_texts(entry.get("communicate", []), "communicate"),
        transfer=as_flag(entry.get("transfer", False), "transfer"),
        tags=as_texts(entry.get("tags", []), "tags"),
        assertions=as_texts(entry.get("assertions", []), "assertions"),
        gap=as_text(entry.get("gap", ""), "gap"),
        parent=as_text(entry.get("parent", ""), "parent"),
        variant=as_one_of(get_args(Variant), entry.get("variant", ""), "variant"),
        explanation=as_text(entry.get("explanation", ""), "explanation"),
    )


def _role(entry: Any) -> Role:
    fields = {"who", "knows", "does_not_know", "wants", "manner"}
    as_object(entry, "role", needed={"who"}, allowed=fields)
    return Role(
        who=as_text(entry["who"], "who"),
        knows=as_texts(entry.get("knows", []), "knows"),
        does_not_know=as_texts(entry.get("does_not_know", []), "does_not_know"),
        wants=as_texts(entry.get("wants", []), "wants"),
        manner=as_text(entry.get("manner", ""), "manner"),
    )


def _call(entry: Any) -> ToolCall:
    as_object(entry, "a call", needed={"name", "arguments"}, allowed={"name", "arguments"})
    if not isinstance(entry["arguments"], dict):
        raise DomainError("a call's arguments should be an object.")
    return ToolCall(as_text(entry["name"], "a call's name"), entry["arguments"])


def _must_differ(path: Path, ids: list[str]) -> None:
    for scenario_id in ids:
        if ids.count(scenario_id) > 1:
            raise DomainError(f"{path} has more than one scenario {scenario_id!r}.")
