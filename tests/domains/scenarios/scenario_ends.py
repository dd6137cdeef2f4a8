"""What the scenario tests of all domains ask of a scenario and of its acceptable ends."""

from __future__ import annotations

from typing import Any

from domains.core.canonical import canonical
from domains.core.changes import Change
from domains.core.domain import Domain, Scenario
from domains.core.draft import Draft
from domains.core.tool import ToolCall, ToolResult


def carried_out(domain: Domain, end: tuple[ToolCall, ...]) -> tuple[Change, ...]:
    """What the calls of an end change, one after the other; none of them may fail."""
    draft = Draft(domain.records())
    for call in end:
        result = domain.tools.run(call, draft)
        assert not result.error, result.text
    return draft.changes()


def tried(domain: Domain, call: ToolCall) -> ToolResult:
    """What a call returns on untouched records."""
    return domain.tools.run(call, Draft(domain.records()))


def as_text(changes: tuple[Change, ...]) -> str:
    """Where the records stand after changes, for comparing."""
    return canonical(sorted((each.collection, each.key, each.after) for each in changes))


def customer(domain: Domain, scenario: Scenario) -> dict[str, Any]:
    """The profile of the person whom the role names."""
    for user in domain.base.collections["users"].values():
        if f"{user['name']['first_name']} {user['name']['last_name']}." in scenario.role.who:
            return user
    raise AssertionError(f"{scenario.id}: nobody in the records is called that")


def failed_checks(domain: Domain, draft: Draft, call: ToolCall) -> list[str]:
    """The declared checks of a write that do not hold."""
    tool = domain.tools.get(call.name)
    assert tool is not None
    assert tool.notes is not None
    return [check.name for check in tool.notes.checks if not check.run(draft, call.arguments).holds]
