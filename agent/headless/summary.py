"""The results of a run: numbers with their intervals, computed from its sessions' logs alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from agent.headless.plan import Place, Plan
from agent.headless.run import sessions_of
from domains.core.domain import Domain
from sessions.events import Logged, ModelFailed, Noted, SessionStarted
from sessions.scoring.deviating import deviations
from sessions.statistics.facts import SessionFacts, session_facts
from sessions.statistics.findings import Success
from sessions.statistics.intervals import Estimate, Share, ratio_over_tasks
from sessions.statistics.over_tasks import (
    by_task,
    mean,
    share_over_tasks,
    without_intervals,
)
from sessions.statistics.report import success
from sessions.statistics.waits import Waits, together
from sessions.store.store import Store
from sessions.views import NOTHING_SPENT, Expenses

BROKEN_OFF = frozenset({"fault", "agent_failure", "customer_failure"})
"""Unintended endings, for which a reason is shown."""


@dataclass(frozen=True, slots=True)
class Played:
    """One session of a run that has ended."""

    arm: str
    task: str
    trial: int
    seed: int
    facts: SessionFacts
    fault: str
    """Why it broke off; empty if it did not."""


@dataclass(frozen=True, slots=True)
class Summary:
    """The numbers of one arm of a run, without the sessions that a fault of the line ended."""

    arm: str
    sessions: int
    faults: int
    """Sessions ended by a fault of the line."""

    tasks: int
    trials: int
    ended: dict[str, int]
    """How many sessions ended for each reason."""

    success: Success
    """How often it came out right, by each reward; pass^k if one agent played all trials."""

    cards_per_session: Estimate
    declined: Share
    """Cards that were rejected or sent back, out of those shown to the customer."""

    unconsented: Share
    """Writes without the customer's yes, in words or on a card, out of the writes carried out."""

    without_card: Share
    """Writes that the customer did not approve on a card, out of the writes carried out."""

    d_mut: Estimate
    """Writes too many or too few compared with the nearest acceptable end, per trial."""

    turns: Estimate
    """How often the customer spoke, per trial."""

    expenses: Expenses
    """What the models of all its sessions used."""

    shortened: int
    """Sessions in which the context filter left anything out."""

    waits: dict[str, Waits]
    """Waiting times by role."""

    deterministic: bool
    """Whether both sides are code, in which case no number has an interval."""


def read_ended_sessions(store: Store, plan: Plan) -> list[Played]:
    """The plan's sessions that have ended, in the plan's order; raises RunError and StoreError."""
    rows = sessions_of(store, plan)
    found: list[Played] = []
    for place in plan.places():
        row = rows.get(place.key)
        if row is None or row.ended is None:
            continue
        found.append(summarise_played(plan.domain, place, store.read(row.id)))
    return found


def summarise_played(domain: Domain, place: Place, log: Sequence[Logged]) -> Played:
    """The facts about a place's session that has ended, from its log."""
    facts = session_facts(log, deviations(domain, place.scenario, log))
    return Played(
        arm=place.arm.name,
        task=place.scenario.id,
        trial=place.run.trial,
        seed=_seed(log),
        facts=facts,
        fault=last_fault(log) if facts.ended in BROKEN_OFF else "",
    )


def summary(arm: str, sessions: Iterable[Played]) -> Summary:
    """The numbers of one arm's sessions."""
    rows = [each.facts for each in sessions if each.arm == arm]
    found = _summary(arm, rows, [row for row in rows if row.counts])
    return without_intervals(found) if found.deterministic else found


def _summary(arm: str, rows: Sequence[SessionFacts], trials: Sequence[SessionFacts]) -> Summary:
    return Summary(
        arm=arm,
        sessions=len(rows),
        faults=sum(row.ended == "fault" for row in rows),
        tasks=len(by_task(trials)),
        trials=len(trials),
        ended=dict(sorted(Counter(row.ended or "" for row in rows).items())),
        success=success(trials),
        cards_per_session=mean(trials, lambda row: row.cards.put),
        declined=share_over_tasks(
            trials,
            lambda row: row.cards.rejected + row.cards.changed,
            lambda row: row.cards.put,
        ),
        unconsented=share_over_tasks(
            trials, lambda row: row.writes_without_yes, lambda row: row.writes
        ),
        without_card=share_over_tasks(
            trials, lambda row: row.writes_without_card, lambda row: row.writes
        ),
        d_mut=mean(trials, _d_mut),
        turns=mean(trials, lambda row: row.turns),
        expenses=sum((row.expenses for row in rows), NOTHING_SPENT),
        shortened=sum(row.shortened for row in rows),
        waits=together(row.waits for row in rows),
        deterministic=bool(rows) and all(row.deterministic for row in rows),
    )


def gain(base: str, arm: str, sessions: Sequence[Played]) -> Estimate:
    """How much better an arm does than the base arm by τ²-bench's rewards, paired by task.

    Between -1 and 1, positive if ``arm`` does better. The interval resamples tasks; there is none
    if all tasks gained the same, or if the agents do the same thing every time.
    """
    rates = [_rates(name, sessions) for name in (base, arm)]
    gains = [rates[1][task] - rates[0][task] for task in rates[0] if task in rates[1]]
    if not gains:
        return Estimate(None, None, 0, 0)
    found = Estimate(sum(gains) / len(gains), None, len(gains), len(gains))
    if all(each.facts.deterministic for each in sessions):
        return found
    return replace(found, interval=ratio_over_tasks(gains, [1.0] * len(gains)))


def _rates(arm: str, sessions: Iterable[Played]) -> dict[str, float]:
    """Each task's share of successes under an arm."""
    trials = [each.facts for each in sessions if each.arm == arm and each.facts.counts]
    return {
        own[0].task: sum(row.success is True for row in own) / len(own) for own in by_task(trials)
    }


def _d_mut(row: SessionFacts) -> int:
    return row.deviations.distance.mutating if row.deviations else 0


def _seed(log: Sequence[Logged]) -> int:
    started = log[0].event
    return started.run.seed if isinstance(started, SessionStarted) and started.run else 0


def last_fault(log: Sequence[Logged]) -> str:
    """The sentence of the latest failure in the log."""
    for logged in reversed(log):
        if isinstance(logged.event, ModelFailed):
            return logged.event.sentence
        if isinstance(logged.event, Noted):
            return logged.event.text
    return ""
