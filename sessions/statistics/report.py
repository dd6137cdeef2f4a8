"""Compute all numbers about a group of sessions from their rows alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from statistics import median
from typing import TypeVar

from sessions.statistics.as_the_paper import as_the_paper
from sessions.statistics.attention import Attention, attention
from sessions.statistics.facts import SessionFacts
from sessions.statistics.findings import (
    Burden,
    ConsentShare,
    Counted,
    Deviating,
    Report,
    Steps,
    Success,
)
from sessions.statistics.grouping import By, groups, pooling_remarks
from sessions.statistics.intervals import DRAWS, SEED, Estimate, Share, median_over_tasks, share
from sessions.statistics.over_tasks import (
    Rewarded,
    by_task,
    mean,
    ratio,
    rewards_of,
    share_over_tasks,
    without_intervals,
)
from sessions.statistics.regression import NoRegression, Observation, regress
from sessions.statistics.regression_ahead import Regress
from sessions.statistics.reviewing import reviews
from sessions.statistics.rewards import FULL
from sessions.statistics.tool_judgements import agreement
from sessions.statistics.waits import together
from sessions.views import NOTHING_SPENT

ORACLE = (
    "The scripted customer knows the expected ends: it approves a card only for a right change, "
    "which no real customer could do so reliably; without cards it has no such advantage."
)
"""A remark for every figure that the scripted customer's decisions influence."""

NO_SAMPLING = (
    "Agent and customer are code and do the same thing every time, so there are no intervals."
)
_NONE_YET = NoRegression(0, "")

T = TypeVar("T")

FEW_TASKS = 10
"""The number of tasks below which a report warns about its bootstrap intervals."""


def reports(
    rows: Iterable[SessionFacts],
    by: By = "safeguards",
    *,
    seed: int = SEED,
    draws: int = DRAWS,
    fit: Regress = regress,
) -> list[Report]:
    """A report for each group of sessions that may be counted together."""
    named = groups(rows, by)
    return [report(name, members, seed=seed, draws=draws, fit=fit) for name, members in named]


def report(
    name: str,
    rows: Sequence[SessionFacts],
    *,
    seed: int = SEED,
    draws: int = DRAWS,
    fit: Regress = regress,
) -> Report:
    """Compute all numbers about these sessions; raises ValueError if there are none.

    ``fit`` is `regress`, in this process or another. Forks repeat the beginning of another session,
    so only originals are counted.
    """
    originals = [row for row in rows if not row.fork]
    trials = [row for row in originals if row.counts]
    counted = _count(rows, trials)
    told = without_intervals if all(row.deterministic for row in rows) else _as_it_is
    deviating = _deviating(trials, seed, draws, fit)
    return Report(
        name=name,
        remarks=(*pooling_remarks(rows), *_remarks(rows, trials)),
        counted=counted,
        success=told(success(trials, seed=seed, draws=draws)),
        steps=told(_steps(originals)),
        burden=told(_burden(originals, seed, draws)),
        consent=told(_consent(originals)),
        deviating=replace(
            told(replace(deviating, regression=_NONE_YET)), regression=deviating.regression
        ),
        expenses=sum((row.expenses for row in originals), NOTHING_SPENT),
        waits=together(row.waits for row in originals),
        judged=agreement(row.judged for row in originals),
        attention=_attention(originals),
        reviews=reviews((row.reviewed for row in rows), seed=seed, draws=draws),
    )


def _as_it_is(found: T) -> T:
    return found


def _count(rows: Sequence[SessionFacts], trials: Sequence[SessionFacts]) -> Counted:
    began = sorted(row.began_at for row in rows)
    if not began:
        raise ValueError("there is no session to report on")
    originals = [row for row in rows if not row.fork]
    return Counted(
        sessions=len(rows),
        trials=len(trials),
        not_scored=sum(row.success is None and row.ended != "fault" for row in originals),
        forks=len(rows) - len(originals),
        faults=sum(row.ended == "fault" for row in originals),
        tasks=len({row.task for row in trials}),
        first=began[0],
        last=began[-1],
    )


def _remarks(rows: Sequence[SessionFacts], trials: Sequence[SessionFacts]) -> list[str]:
    tasks = by_task(trials)
    numbers = sorted(len(members) for members in tasks)
    told: list[str] = []
    if any(row.customer == "scripted" for row in rows):
        told.append(ORACLE)
    if all(row.deterministic for row in rows):
        told.append(NO_SAMPLING)
    if len(tasks) == 1 and numbers[0] > 1:
        told.append("All trials are of one task: the numbers are about that task only.")
    if 1 < len(tasks) < FEW_TASKS:
        told.append(f"With {len(tasks)} tasks a bootstrap over tasks comes out too narrow.")
    if tasks and numbers[0] < numbers[-1]:
        told.append(
            f"Tasks were tried {numbers[0]} to {numbers[-1]} times: each counts equally in "
            f"pass^k, and k goes up to {numbers[0]}."
        )
    return told


def success(trials: Sequence[SessionFacts], *, seed: int = SEED, draws: int = DRAWS) -> Success:
    """How often these trials came out right, by each of the rewards."""

    def by(earned: Callable[[SessionFacts], bool]) -> Rewarded:
        return rewards_of(trials, earned, seed=seed, draws=draws)

    statements = Counter(row.rewards.statements for row in trials)
    return Success(
        tau2=by(lambda row: row.success is True),
        classic=by(lambda row: (row.rewards.classic or 0) >= FULL),
        ours=by(lambda row: row.right),
        statements_judged=statements["judged"],
        statements_left_out=statements["left out"],
    )


def _steps(rows: Sequence[SessionFacts]) -> Steps:
    mutating = sum(row.actions.mutating for row in rows)
    calls = mutating + sum(row.actions.non_mutating for row in rows)
    messages = sum(row.messages for row in rows)
    return Steps(share(mutating, calls + messages), share(mutating, calls))


def _burden(rows: Sequence[SessionFacts], seed: int, draws: int) -> Burden:
    cards = [row.cards for row in rows]
    approved = sum(each.approved for each in cards)
    rejected = sum(each.rejected for each in cards)
    changed = sum(each.changed for each in cards)
    withdrawn = sum(each.withdrawn for each in cards)
    settled = approved + rejected + changed + withdrawn
    return Burden(
        cards_per_turn=ratio(
            rows, lambda row: row.cards.put, lambda row: row.turns, seed=seed, draws=draws
        ),
        approved=share(approved, settled),
        rejected=share(rejected, settled),
        changed=share(changed, settled),
        withdrawn=share(withdrawn, settled),
        asked=share(sum(each.asked for each in cards), sum(each.put for each in cards)),
        twice=share(sum(each.twice for each in cards), sum(each.put for each in cards)),
        look=_look(rows, seed),
        automatic=sum(each.automatic for each in cards),
    )


def _look(rows: Sequence[SessionFacts], seed: int) -> Estimate:
    nested = [
        [look / 1000 for row in members for look in row.cards.looks] for members in by_task(rows)
    ]
    tasks = [looks for looks in nested if looks]
    looks = [look for each in tasks for look in each]
    value = median(looks) if looks else None
    return Estimate(value, median_over_tasks(tasks, seed=seed), len(looks), len(tasks))


def _attention(rows: Sequence[SessionFacts]) -> Attention | None:
    """Compare attention checks with the other cards of the sessions that had any checks."""
    checked = [row for row in rows if row.attention.shown_count]
    cards = [row.cards for row in checked]
    settled = sum(each.approved + each.rejected + each.changed + each.withdrawn for each in cards)
    approved = share(sum(each.approved for each in cards), settled)
    looks = [look for each in cards for look in each.looks]
    return attention([row.attention for row in checked], looks, approved)


def _consent(rows: Sequence[SessionFacts]) -> ConsentShare:
    return ConsentShare(
        without_yes=share_over_tasks(
            rows, lambda row: row.writes_without_yes, lambda row: row.writes
        ),
        without_card=share_over_tasks(
            rows, lambda row: row.writes_without_card, lambda row: row.writes
        ),
        on_card=sum(row.writes_on_card for row in rows),
        in_words=sum(row.writes_in_words for row in rows),
    )


def _deviating(trials: Sequence[SessionFacts], seed: int, draws: int, fit: Regress) -> Deviating:
    rows = [row for row in trials if row.deviations]
    found = [(row, row.deviations) for row in trials if row.deviations]
    failed = [one for row, one in found if not row.right]
    decisive = [one for one in failed if one.decisive]
    short = [one for one in failed if not one.decisive and not one.at_an_end]
    tools = Counter(str(one.decisive) for one in decisive)
    return Deviating(
        compared=len(found),
        mutating=mean(rows, _d_mut, seed=seed, draws=draws),
        non_mutating=mean(rows, _d_non, seed=seed, draws=draws),
        lists_look_ups=any(one.lists_look_ups for _, one in found),
        failed_with_mutating=_failures([row for row in rows if _d_mut(row)]),
        failed_with_non_mutating_only=_failures(
            [row for row in rows if not _d_mut(row) and _d_non(row)]
        ),
        failed_without=_failures([row for row in rows if not _d_mut(row) and not _d_non(row)]),
        decisive=share(len(decisive), len(failed)),
        fell_short=share(len(short), len(failed)),
        records_right=share(sum(one.at_an_end for one in failed), len(failed)),
        decisive_tools=tuple(sorted(tools.items(), key=lambda each: (-each[1], each[0]))),
        as_the_paper=as_the_paper(trials, seed=seed, draws=draws),
        regression=fit([_observation(row) for row in rows]),
    )


def _d_mut(row: SessionFacts) -> int:
    return row.deviations.distance.mutating if row.deviations else 0


def _d_non(row: SessionFacts) -> int:
    return row.deviations.distance.non_mutating if row.deviations else 0


def _observation(row: SessionFacts) -> Observation:
    return Observation(row.right, _d_mut(row), _d_non(row), row.task)


def _failures(rows: Sequence[SessionFacts]) -> Share:
    return share(sum(not row.right for row in rows), len(rows))
