"""Deviations exactly as the SABER paper defines them (section 3).

In the paper an action is mutating if its tool is, whether or not the action succeeded. The
reference is one successful trajectory: here, the calls that a task lists, in order. If the session
failed, the decisive deviation is the first action that departs from the reference, be it a look-up
or a change. :mod:`sessions.scoring.deviating`, in contrast, compares the records, with the nearest
of several acceptable ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from domains.core.canonical import canonical
from domains.core.domain import Action, Domain, Scenario
from domains.core.tool import ToolCall
from sessions.statistics.distance import Actions, PapersDeviation, distance


def papers_deviation(
    domain: Domain, scenario: Scenario, calls: Sequence[ToolCall]
) -> PapersDeviation:
    """How the calls of a session depart from those that its scenario lists."""
    reference = reference_calls(scenario)
    found = first_departure(reference, calls)
    return PapersDeviation(
        distance=distance(
            _actions(domain, calls), _actions(domain, [each.call for each in reference])
        ),
        departure=found.name if found else None,
        mutating=found is not None and _mutates(domain, found),
    )


def reference_calls(scenario: Scenario) -> tuple[Action, ...]:
    """The reference: the calls that a task lists, or else those of the first acceptable end."""
    return scenario.actions or tuple(Action(call) for call in next(iter(scenario.ends), ()))


def first_departure(reference: Sequence[Action], calls: Sequence[ToolCall]) -> ToolCall | None:
    """The first call that differs from the reference at its position; None if there is none."""
    for place, call in enumerate(calls):
        if place >= len(reference) or not _is(reference[place], call):
            return call
    return None


def _is(action: Action, call: ToolCall) -> bool:
    names = action.call.arguments.keys() if action.compare is None else action.compare
    wanted = {name: action.call.arguments.get(name) for name in names}
    made = call.arguments if action.compare is None else {n: call.arguments.get(n) for n in names}
    return call.name == action.call.name and canonical(dict(made)) == canonical(wanted)


def _actions(domain: Domain, calls: Iterable[ToolCall]) -> Actions:
    kinds = [_mutates(domain, call) for call in calls]
    return Actions(sum(kinds), len(kinds) - sum(kinds))


def _mutates(domain: Domain, call: ToolCall) -> bool:
    """Whether the call's tool changes records; an unknown tool does not."""
    tool = domain.tools.get(call.name)
    return tool is not None and tool.mutates
