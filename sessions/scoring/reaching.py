"""Determine whether a scenario's acceptable ends can be reached from the current records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from domains.core.canonical import canonical
from domains.core.changes import Record
from domains.core.domain import Domain, Scenario
from domains.core.draft import Draft, Key
from domains.core.ends import State, state_after
from domains.core.records import Records
from domains.core.tool import ToolCall
from sessions.scoring.differences import same_state

Calls = Sequence[ToolCall]
Ends = Sequence[tuple[Calls, State]]
"""Acceptable lists of calls, each with the state that it leads to."""


def ends_of(domain: Domain, scenario: Scenario) -> Ends:
    """The acceptable ends of a scenario; one that lists none must change nothing."""
    return [(end, state_after(domain, end)) for end in scenario.ends or ((),)]


def is_reachable(
    domain: Domain, records: Records, made: Sequence[ToolCall], end: tuple[Calls, State]
) -> bool:
    """Whether the rest of an end's calls, or all of them made again, leads to that end."""
    calls, state = end
    return any(leads_to(domain, records, rest, state) for rest in (without(calls, made), calls))


def leads_to(domain: Domain, records: Records, calls: Calls, state: State) -> bool:
    """Whether these calls, carried out on a copy of the records, lead to that state."""
    draft = records.draft()
    carry_out(domain, draft, calls)
    return same_state(domain, {**changed_records(records), **changed_records(draft)}, state)


def carry_out(domain: Domain, draft: Draft, calls: Iterable[ToolCall]) -> int:
    """Run the mutating calls on a draft and return how many succeeded.

    A call that fails changes nothing.
    """
    worked = 0
    for call in calls:
        attempt = Draft(draft)
        if domain.tools.mutates(call.name) and not domain.tools.run(call, attempt).error:
            worked += 1
            for change in attempt.changes():
                draft.put(change.collection, change.key, change.after or {})
    return worked


def without(calls: Calls, made: Sequence[ToolCall]) -> list[ToolCall]:
    """The calls that have not been made yet.

    Each call in ``made`` removes one equal call.
    """
    left = Counter(_text(call) for call in made)
    rest: list[ToolCall] = []
    for call in calls:
        if left[_text(call)]:
            left[_text(call)] -= 1
        else:
            rest.append(call)
    return rest


def _text(call: ToolCall) -> str:
    return canonical([call.name, call.arguments])


def changed_records(records: Records | Draft) -> dict[Key, Record | None]:
    """The records that differ from the ones underneath, in their current state."""
    changes = records.diff() if isinstance(records, Records) else records.changes()
    return {(change.collection, change.key): change.after for change in changes}
