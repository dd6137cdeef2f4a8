"""Average numbers that a run gives once per seed, with an interval for the mean.

Trials of one seed share its order and its memory, so the seeds are the units: the interval is
Student's for the mean of the few there are. A bootstrap of five values would be too narrow.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from sessions.statistics.intervals import CONFIDENCE, Interval, mean_over_tasks
from sessions.statistics.pass_k import Trials, most_trials, pass_hat_k

Seed = int
Task = str


@dataclass(frozen=True, slots=True)
class OverSeeds:
    """The mean over seeds of a share from 0 to 1."""

    value: float | None
    """None if no seed has a value."""

    interval: Interval | None
    """None with one seed, or if there is no sampling because the agent is code."""

    seeds: int
    n: int
    """The number of sessions of all seeds together."""


def over_seeds(values: Sequence[float], n: int, *, drawn: bool = True) -> OverSeeds:
    """The mean of the seeds' values; ``drawn`` says whether another trial might differ."""
    if not values:
        return OverSeeds(None, None, 0, n)
    interval = interval_over_seeds(values) if drawn and len(values) > 1 else None
    return OverSeeds(fmean(values), interval, len(values), n)


def interval_over_seeds(values: Sequence[float]) -> Interval:
    """Student's interval for the mean of two or more shares, limited to 0..1.

    If all seeds agree there is no spread, which is not the same as certainty; the interval is then
    Wilson's with seeds as the units.
    """
    if min(values) == max(values):
        return mean_over_tasks(values)
    from scipy.stats import sem, t

    low, high = t.interval(CONFIDENCE, len(values) - 1, loc=fmean(values), scale=sem(values))
    return Interval(max(0.0, float(low)), min(1.0, float(high)), "student over seeds")


def reliabilities(
    by_seed: Mapping[Seed, Mapping[Task, Trials]], most_k: int, *, drawn: bool = True
) -> tuple[OverSeeds, ...]:
    """pass^1, pass^2 … as far as every task of every seed has enough trials, up to ``most_k``."""
    tasks = [each for own in by_seed.values() for each in own.values()]
    n = sum(each.n for each in tasks)
    most = min(most_trials(tasks), most_k)
    return tuple(
        over_seeds(
            [fmean(pass_hat_k(each, k) for each in own.values()) for own in by_seed.values()],
            n, drawn=drawn,
        )
        for k in range(1, most + 1)
    )  # fmt: skip
