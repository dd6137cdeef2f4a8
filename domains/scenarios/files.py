"""Reading a file of scenarios: whom to play, what they want, and where it may rightly end."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from domains.core.domain import DomainError, Role, Scenario
from domains.core.tool import ToolCall

_NEEDED = {"id", "title", "role", "ends"}
_ALLOWED = _NEEDED | {"communicate", "transfer", "tags"}


def load(path: Path) -> tuple[Scenario, ...]:
    """The scenarios of a file, in its order; DomainError says what is wrong with it."""
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise DomainError(f"{path} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise DomainError(f"{path} is not JSON: {error}.") from error
    if not isinstance(entries, list):
        raise DomainError(f"{path} should hold a list of scenarios.")
    scenarios = tuple(
        _read_scenario(path, number, entry) for number, entry in enumerate(entries, 1)
    )
    _must_differ(path, [scenario.id for scenario in scenarios])
    return scenarios


def _read_scenario(path: Path, number: int, entry: Any) -> Scenario:
    """One scenario; what is wrong with it is told with its place and name."""
    try:
        return _scenario(entry)
    except DomainError as error:
        name = f" ({entry['id']})" if isinstance(entry, dict) and "id" in entry else ""
        raise DomainError(f"{path}, scenario {number}{name}: {error}") from None


def _scenario(entry: Any) -> Scenario:
    _object(entry, "a scenario", needed=_NEEDED, allowed=_ALLOWED)
    ends = tuple(
        tuple(_call(call) for call in _list(end, "an end")) for end in _list(entry["ends"], "ends")
    )
    if not ends:
        raise DomainError("there should be at least one acceptable end, if only an empty one.")
    return Scenario(
        id=_text(entry["id"], "id"),
        title=_text(entry["title"], "title"),
        role=_role(entry["role"]),
        ends=ends,
        communicate=_texts(entry.get("communicate", []), "communicate"),
        transfer=_flag(entry.get("transfer", False), "transfer"),
        tags=_texts(entry.get("tags", []), "tags"),
    )


def _role(entry: Any) -> Role:
    fields = {"who", "knows", "does_not_know", "wants", "manner"}
    _object(entry, "role", needed={"who"}, allowed=fields)
    return Role(
        who=_text(entry["who"], "who"),
        knows=_texts(entry.get("knows", []), "knows"),
        does_not_know=_texts(entry.get("does_not_know", []), "does_not_know"),
        wants=_texts(entry.get("wants", []), "wants"),
        manner=_text(entry.get("manner", ""), "manner"),
    )


def _call(entry: Any) -> ToolCall:
    _object(entry, "a call", needed={"name", "arguments"}, allowed={"name", "arguments"})
    if not isinstance(entry["arguments"], dict):
        raise DomainError("a call's arguments should be an object.")
    return ToolCall(_text(entry["name"], "a call's name"), entry["arguments"])


def _object(
    entry: Any, what: str, *, needed: Collection[str], allowed: Collection[str]
) -> Mapping[str, Any]:
    if not isinstance(entry, dict):
        raise DomainError(f"{what} should be an object.")
    for name in sorted(set(needed) - entry.keys()):
        raise DomainError(f"{what} lacks {name!r}.")
    for name in sorted(entry.keys() - set(allowed)):
        raise DomainError(f"{what} has an unknown {name!r}.")
    return entry


def _list(value: Any, what: str) -> list[Any]:
    if not isinstance(value, list):
        raise DomainError(f"{what} should be a list.")
    return value


def _text(value: Any, what: str) -> str:
    if not isinstance(value, str):
        raise DomainError(f"{what} should be text.")
    return value


def _texts(value: Any, what: str) -> tuple[str, ...]:
    return tuple(_text(each, f"each of {what}") for each in _list(value, what))


def _flag(value: Any, what: str) -> bool:
    if not isinstance(value, bool):
        raise DomainError(f"{what} should be true or false.")
    return value


def _must_differ(path: Path, ids: list[str]) -> None:
    for scenario_id in ids:
        if ids.count(scenario_id) > 1:
            raise DomainError(f"{path} has more than one scenario {scenario_id!r}.")
