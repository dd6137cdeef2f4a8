"""Score a session: compare its records and messages with the acceptable ends of its scenario."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from domains.core.domain import Domain, Scenario
from domains.core.ends import State, state_after
from sessions.cleaning import clean
from sessions.events import (
    AssertionCheck,
    EndReason,
    Logged,
    SaidCheck,
    Scored,
    ToolReturned,
)
from sessions.scoring import checks
from sessions.scoring.differences import nearest
from sessions.scoring.judging import not_judged
from sessions.scoring.session_records import records_of
from sessions.scoring.trajectory import trajectory
from sessions.statistics.consenting import consents

TRANSFER = "transfer_to_human_agents"
"""The tool that hands the conversation over to a human; it has this name in every domain."""


def score(
    domain: Domain,
    scenario: Scenario,
    events: Sequence[Logged],
    *,
    ended: EndReason | None = None,
    assertions: Sequence[AssertionCheck] | None = None,
) -> Scored:
    """The score of a session against its scenario; see :class:`~sessions.events.Scored`.

    ``ended`` is why the session is about to end, if its log does not say so yet; a session that has
    not ended is scored as if the customer left now. ``assertions`` are the scenario's assertions
    with verdicts; without them, none is judged. A hand-over that the scenario does not require
    costs nothing in itself. Raises RecordsMismatch if the session was played on other records.
    """
    seen = trajectory(events)
    seen.ended = seen.ended or ended
    reached = _end_state(domain, events)
    ends = [state_after(domain, calls) for calls in scenario.ends or ((),)]
    end, differences = nearest(domain, reached, ends)
    # Our own scenarios have no single end: for them, τ²-bench's question is asked of any end.
    own_end = not differences and (end == 0 or _is_ours(scenario))
    said = checks.said_checks(scenario, seen.said)
    actions = checks.action_checks(scenario, seen.calls)
    judged = not_judged(scenario) if assertions is None else tuple(assertions)
    missing = [*_unsaid(said), *_not_handed_over(scenario, events)]
    parts = checks.RewardParts(own_end, said, actions, judged)
    writes, unconsented = _writes(events)
    return Scored(
        scenario=scenario.id,
        reward=float(not differences and not missing),
        records_match=not differences,
        communicated=all(each.said for each in said),
        differences=tuple(clean(each) for each in differences),
        missing=tuple(missing),
        unconsented_writes=unconsented,
        writes=writes,
        end=end,
        task_end=own_end,
        basis=scenario.basis,
        main=parts.reward(scenario.basis, seen.cut_short),
        classic=parts.reward(checks.CLASSIC if scenario.basis else (), seen.cut_short),
        cut_short=seen.cut_short,
        said=said,
        actions=actions,
        assertions=judged,
    )


def _end_state(domain: Domain, events: Sequence[Logged]) -> State:
    changes = records_of(domain, events).diff()
    return {(change.collection, change.key): change.after for change in changes}


def _is_ours(scenario: Scenario) -> bool:
    return scenario.source == checks.OURS


def _unsaid(said: Iterable[SaidCheck]) -> list[str]:
    return [f"the agent did not say: {each.text}" for each in said if not each.said]


def _not_handed_over(scenario: Scenario, events: Iterable[Logged]) -> list[str]:
    done = not scenario.transfer or any(
        isinstance(each.event, ToolReturned)
        and each.event.name == TRANSFER
        and not each.event.error
        for each in events
    )
    return [] if done else ["the agent did not hand over to a human"]


def _writes(events: Iterable[Logged]) -> tuple[int, int]:
    """The number of writes carried out, and how many of them lacked the customer's yes."""
    found = consents(events)
    return len(found), sum(each.given == "none" for each in found)
