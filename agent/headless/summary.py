"""What came of a run: numbers with their intervals, from the logs of its sessions alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agent.headless.plan import Plan
from agent.headless.run import sessions_of
from sessions.events import Logged, ModelFailed, Noted, SessionStarted
from sessions.scoring.deviating import deviations
from sessions.statistics.facts import SessionFacts, session_facts
from sessions.statistics.intervals import Estimate, Share, ratio_over_tasks, share
from sessions.statistics.trials import Reliability, Trials, most_trials, reliability
from sessions.store.store import Store
from sessions.views import NOTHING_SPENT, Expenses

MOST_K = 8
"""The largest k of pass^k that is told."""


@dataclass(frozen=True, slots=True)
class Played:
    """One session of a run that has ended."""

    arm: str
    task: str
    trial: int
    seed: int
    facts: SessionFacts
    fault: str
    """Why a fault ended it; empty where none did."""


@dataclass(frozen=True, slots=True)
class Summary:
    """The numbers of one arm of a run; faulted sessions count for none of the shares."""

    arm: str
    sessions: int
    faults: int
    tasks: int
    ended: dict[str, int]
    """How many sessions ended for each reason."""

    succeeded: Share
    """Trials that earned the whole reward."""

    reliability: tuple[Reliability, ...]
    """pass^k and pass@k for k from 1 to the fewest trials of any task."""

    cards_per_session: Estimate
    declined: Share
    """Cards that were rejected or sent back, of those put to the customer."""

    unconsented: Share
    """Writes without the customer's yes, of the writes carried out."""

    d_mut: Estimate
    """Writes too many or too few beside the nearest acceptable end, per trial."""

    turns: int
    expenses: Expenses
    """What the models of all its sessions used up."""


def played(store: Store, plan: Plan) -> list[Played]:
    """The plan's sessions that have ended, in the plan's order; raises RunError, StoreError."""
    rows = sessions_of(store, plan)
    found: list[Played] = []
    for place in plan.places():
        row = rows.get(place.key)
        if row is None or row.ended is None:
            continue
        log = store.read(row.id)
        compared = deviations(plan.domain, place.scenario, log)
        found.append(
            Played(
                arm=place.arm.name,
                task=place.scenario.id,
                trial=place.run.trial,
                seed=_seed(log),
                facts=session_facts(log, compared),
                fault=_fault(log) if row.ended == "fault" else "",
            )
        )
    return found


def summary(arm: str, sessions: Iterable[Played]) -> Summary:
    """The numbers of one arm's sessions."""
    rows = [each.facts for each in sessions if each.arm == arm]
    trials = [row for row in rows if row.counts]
    cards = [row.cards for row in trials]
    return Summary(
        arm=arm,
        sessions=len(rows),
        faults=sum(row.ended == "fault" for row in rows),
        tasks=len({row.task for row in trials}),
        ended=dict(sorted(Counter(row.ended or "" for row in rows).items())),
        succeeded=share(sum(row.success is True for row in trials), len(trials)),
        reliability=_reliability(trials),
        cards_per_session=_mean(trials, [row.cards.put for row in trials]),
        declined=share(
            sum(each.rejected + each.changed for each in cards), sum(each.put for each in cards)
        ),
        unconsented=share(
            sum(row.writes_without_yes for row in rows), sum(row.writes for row in rows)
        ),
        d_mut=_mean(trials, [_d_mut(row) for row in trials]),
        turns=sum(row.turns for row in rows),
        expenses=sum((row.expenses for row in rows), NOTHING_SPENT),
    )


def gain(base: str, arm: str, sessions: Sequence[Played]) -> Estimate:
    """By how much an arm's share of successes is above another's, paired by task.

    Between -1 and 1; the interval draws tasks anew, and there is none where all gained alike.
    """
    rates = [_rates(name, sessions) for name in (base, arm)]
    gains = [rates[1][task] - rates[0][task] for task in rates[0] if task in rates[1]]
    if not gains:
        return Estimate(None, None, 0, 0)
    spread = min(gains) < max(gains)
    interval = ratio_over_tasks(gains, [1.0] * len(gains)) if spread else None
    return Estimate(sum(gains) / len(gains), interval, len(gains), len(gains))


def _rates(arm: str, sessions: Iterable[Played]) -> dict[str, float]:
    """The share of successes of each task under an arm."""
    trials = [each.facts for each in sessions if each.arm == arm and each.facts.counts]
    return {
        own[0].task: sum(row.success is True for row in own) / len(own) for own in _by_task(trials)
    }


def _reliability(rows: Sequence[SessionFacts]) -> tuple[Reliability, ...]:
    tasks = [Trials(len(own), sum(row.success is True for row in own)) for own in _by_task(rows)]
    return tuple(reliability(tasks, k) for k in range(1, min(most_trials(tasks), MOST_K) + 1))


def _mean(rows: Sequence[SessionFacts], values: Sequence[int]) -> Estimate:
    """The mean of one number per session, with tasks drawn anew for the interval."""
    of = {row.session: value for row, value in zip(rows, values, strict=True)}
    tasks = _by_task(rows)
    if not rows:
        return Estimate(None, None, 0, 0)
    tops = [sum(of[row.session] for row in own) for own in tasks]
    interval = ratio_over_tasks(tops, [len(own) for own in tasks])
    return Estimate(sum(values) / len(values), interval, len(values), len(tasks))


def _d_mut(row: SessionFacts) -> int:
    return row.deviations.distance.mutating if row.deviations else 0


def _by_task(rows: Iterable[SessionFacts]) -> list[list[SessionFacts]]:
    found: dict[str, list[SessionFacts]] = {}
    for row in rows:
        found.setdefault(row.task, []).append(row)
    return list(found.values())


def _seed(log: Sequence[Logged]) -> int:
    started = log[0].event
    return started.run.seed if isinstance(started, SessionStarted) and started.run else 0


def _fault(log: Sequence[Logged]) -> str:
    """The sentence of the last thing that went wrong."""
    for logged in reversed(log):
        if isinstance(logged.event, ModelFailed):
            return logged.event.sentence
        if isinstance(logged.event, Noted):
            return logged.event.text
    return ""
