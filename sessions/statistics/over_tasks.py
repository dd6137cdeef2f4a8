"""Compute numbers about sessions that are trials of tasks.

Sessions of one task are alike, so an interval that treated each as an independent draw would be too
narrow. Tasks are resampled instead. If every task was tried only once, a share has Wilson's
interval.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, TypeVar

from sessions.statistics.facts import SessionFacts
from sessions.statistics.intervals import (
    DRAWS,
    SEED,
    Estimate,
    Interval,
    Share,
    mean_over_tasks,
    ratio_over_tasks,
    share,
)
from sessions.statistics.pass_k import Reliability, Trials, most_trials, reliability

MOST_K = 8
"""The largest k of pass^k that is reported, however many trials there are."""

Value = Callable[[SessionFacts], float]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Rewarded:
    """How often the trials earned one of the rewards."""

    succeeded: Share
    reliability: tuple[Reliability, ...]
    """pass^k and pass@k for k from 1 to the fewest trials of any task."""


def by_task(rows: Iterable[SessionFacts]) -> list[list[SessionFacts]]:
    """The sessions of each task, in the order in which the tasks first appear."""
    found: dict[str, list[SessionFacts]] = {}
    for row in rows:
        found.setdefault(row.task, []).append(row)
    return list(found.values())


def rewards_of(
    trials: Sequence[SessionFacts],
    earned: Callable[[SessionFacts], bool],
    *,
    seed: int = SEED,
    draws: int = DRAWS,
) -> Rewarded:
    """How often these trials earned a reward.

    Trials of several models are not trials of the same thing, so they have no pass^k together.
    """
    tasks = [Trials(len(own), sum(map(earned, own))) for own in by_task(trials)]
    most = most_trials(tasks) if len({row.model for row in trials}) == 1 else 0
    ks = range(1, min(most, MOST_K) + 1)
    return Rewarded(
        share_over_tasks(trials, lambda row: earned(row), lambda _: 1, seed=seed, draws=draws),
        tuple(reliability(tasks, k, seed=seed, draws=draws) for k in ks),
    )


def share_over_tasks(
    rows: Sequence[SessionFacts], top: Value, bottom: Value, *, seed: int = SEED, draws: int = DRAWS
) -> Share:
    """The sum of ``top`` as a share of the sum of ``bottom``, which includes it."""
    tops, bottoms = _sums(rows, top), _sums(rows, bottom)
    found = share(int(sum(tops)), int(sum(bottoms)))
    if found.value is None or max(bottoms) == 1:
        return found
    interval = ratio_over_tasks(tops, bottoms, seed=seed, draws=draws)
    if interval is None:
        tasks = sum(each > 0 for each in bottoms)
        interval = mean_over_tasks([found.value] * tasks) if tasks > 1 else None
    return replace(found, interval=interval)


def ratio(
    rows: Sequence[SessionFacts], top: Value, bottom: Value, *, seed: int = SEED, draws: int = DRAWS
) -> Estimate:
    """The sum of ``top`` divided by the sum of ``bottom``, which need not include it."""
    tops, bottoms = _sums(rows, top), _sums(rows, bottom)
    of = int(sum(bottoms))
    if not of:
        return Estimate(None, None, 0, len(tops))
    interval = ratio_over_tasks(tops, bottoms, seed=seed, draws=draws)
    return Estimate(sum(tops) / of, interval, of, len(tops))


def mean(
    rows: Sequence[SessionFacts], value: Value, *, seed: int = SEED, draws: int = DRAWS
) -> Estimate:
    """The mean of one value per session."""
    return ratio(rows, value, lambda _: 1, seed=seed, draws=draws)


def without_intervals(found: T) -> T:
    """The same numbers without intervals, for agents that do the same thing every time."""
    if isinstance(found, tuple):
        return tuple(map(without_intervals, found))  # type: ignore[return-value]
    if isinstance(found, dict):
        return {key: without_intervals(each) for key, each in found.items()}  # type: ignore[return-value]
    if not is_dataclass(found) or isinstance(found, type | Interval):
        return found
    values: dict[str, Any] = {each.name: getattr(found, each.name) for each in fields(found)}
    bare = {
        name: None if isinstance(value, Interval) else without_intervals(value)
        for name, value in values.items()
    }
    return replace(found, **bare)


def _sums(rows: Sequence[SessionFacts], value: Value) -> list[float]:
    """The sum of a value over the sessions of each task."""
    return [sum(value(row) for row in own) for own in by_task(rows)]
