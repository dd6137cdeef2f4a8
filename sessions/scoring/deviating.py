"""Find where, and by how much, a session left its scenario's acceptable ends (SABER, section 3).

The paper calls a deviation decisive if it turns a success into a failure. It looks at the first
action where a failed trajectory departs from a successful one. In a conversation look-ups can come
in any order, and nearly every session would depart at once, so we ask the records instead: after
which write can no acceptable end be reached any more? Look-ups change nothing, so no look-up can be
decisive in this sense.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from domains.core.derived import cached_by_identity
from domains.core.domain import Domain, Scenario
from domains.core.tool import ToolCall
from sessions.events import Logged, WriteApplied
from sessions.scoring.differences import same_state
from sessions.scoring.papers_deviations import papers_deviation
from sessions.scoring.reaching import Calls, Ends, carry_out, changed_records, ends_of, is_reachable
from sessions.scoring.session_records import records_of
from sessions.scoring.trajectory import trajectory
from sessions.statistics.distance import Actions, Deviations, actions, nearest


@dataclass(frozen=True, slots=True)
class LoggedWrite:
    """A write that was carried out, with its position in the log."""

    place: int
    """The index in the list of events."""

    seq: int
    event: WriteApplied


def deviations(domain: Domain, scenario: Scenario, events: Sequence[Logged]) -> Deviations:
    """Return d_mut and d_non to the nearest acceptable end, and the decisive write if there is one.

    Raises RecordsMismatch if the session was played on other records.
    """
    ends, references = _ends_and_references(domain, scenario)
    reached = changed_records(records_of(domain, events))
    at_an_end = any(same_state(domain, reached, state) for _, state in ends)
    went = trajectory(events)
    decisive = None if at_an_end else _decisive(domain, ends, events)
    return Deviations(
        distance=nearest(actions(went.returned), references),
        decisive=decisive.event.name if decisive else None,
        decisive_seq=decisive.seq if decisive else None,
        at_an_end=at_an_end,
        lists_look_ups=any(each.non_mutating for each in references),
        paper=papers_deviation(domain, scenario, went.calls),
    )


@cached_by_identity
def _ends_and_references(domain: Domain, scenario: Scenario) -> tuple[Ends, tuple[Actions, ...]]:
    """The ends, and the number of actions that lead to each.

    Cached, because all sessions of a scenario share them.
    """
    ends = ends_of(domain, scenario)
    return ends, tuple(_reference(domain, scenario, end) for end, _ in ends)


def _reference(domain: Domain, scenario: Scenario, end: Calls) -> Actions:
    """The number of actions that lead to an end.

    If the end itself lists no look-ups, those that the task lists are counted.
    """
    changing = [call for call in end if domain.tools.mutates(call.name)]
    worked = carry_out(domain, domain.records().draft(), changing)
    look_ups = len(end) - len(changing)
    if not look_ups:
        listed = (action.call for action in scenario.actions)
        look_ups = sum(not domain.tools.mutates(call.name) for call in listed)
    return Actions(worked, look_ups + len(changing) - worked)


def _decisive(domain: Domain, ends: Ends, events: Sequence[Logged]) -> LoggedWrite | None:
    """The first write after which no end could be reached again; None if one still can be."""
    found: LoggedWrite | None = None
    writes = [
        LoggedWrite(place, logged.seq, logged.event)
        for place, logged in enumerate(events)
        if isinstance(logged.event, WriteApplied) and not logged.event.error
    ]
    for done in range(len(writes), 0, -1):
        made = [ToolCall(each.event.name, each.event.arguments) for each in writes[:done]]
        records = records_of(domain, events[: writes[done - 1].place + 1])
        if any(is_reachable(domain, records, made, end) for end in ends):
            break
        found = writes[done - 1]
    return found
