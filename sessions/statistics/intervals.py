"""Confidence intervals: Wilson's for a share, and a bootstrap over tasks for other numbers.

The usual ``± 1.96 standard errors`` covers the truth far too seldom with the few dozen sessions of
a study with people; these two remain reliable.

Wilson's interval is ten lines here, and a test compares it with ``scipy.stats.binomtest``.
Importing ``scipy.stats`` would cost 0.6 s of processor time, out of the 3 s in which
``saber stats`` should report on 900 sessions. ``scipy.stats.bootstrap`` resamples single values,
not whole clusters.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

CONFIDENCE = 0.95
"""The probability with which an interval should contain the true value."""

DRAWS = 10_000
"""The number of draws of a bootstrap."""

SEED = 20_251_121
"""The seed of the draws, so that the same sessions always give the same intervals."""

MOST_UNTOLD = 0.05
"""The share of draws in which a number may be undefined; above it there is no interval."""

SAME = 1e-12
"""Values that differ by less than this count as the same."""

_AT_ONCE = 4_000_000
"""The number of array cells of draws that are held in memory at a time."""


@dataclass(frozen=True, slots=True)
class Interval:
    """The values that are plausible given the data, at 95 % confidence."""

    low: float
    high: float
    method: str
    """The method: one of the names below.

    ``wilson``, ``bootstrap over tasks``, ``bootstrap over sessions``, ``student over seeds``,
    ``profile likelihood``, ``wald`` or ``wald by task``.
    """


@dataclass(frozen=True, slots=True)
class Share:
    """*count* out of *n*, with Wilson's interval; value and interval are None if *n* is 0."""

    count: int
    n: int
    value: float | None
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number other than a plain share, with its interval; None if the data are insufficient."""

    value: float | None
    interval: Interval | None
    n: int
    """The number of observations: turns, looks or sessions."""

    tasks: int
    """The number of clusters that the bootstrap drew from."""


def share(count: int, n: int) -> Share:
    """Return a share with its interval; raises ValueError unless ``0 <= count <= n``."""
    if not 0 <= count <= n:
        raise ValueError(f"{count} of {n} is no share")
    if n == 0:
        return Share(0, 0, None, None)
    return Share(count, n, count / n, wilson(count, n))


def wilson(count: int, n: int, confidence: float = CONFIDENCE) -> Interval:
    """Wilson's score interval for a proportion, ``0 <= count <= n`` and ``n > 0``."""
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    middle = (count + z * z / 2) / (n + z * z)
    half = z / (n + z * z) * math.sqrt(count * (n - count) / n + z * z / 4)
    low = 0.0 if count == 0 else max(0.0, middle - half)
    high = 1.0 if count == n else min(1.0, middle + half)
    return Interval(low, high, "wilson")


def mean_over_tasks(values: Sequence[float], *, seed: int = SEED, draws: int = DRAWS) -> Interval:
    """A percentile interval for the mean of one value in 0..1 per task, by resampling tasks.

    If all tasks have the same value, resampling shows no spread, which is not the same as
    certainty; the interval is then Wilson's with tasks as the units. Raises ValueError if there is
    no task.
    """
    if not values:
        raise ValueError("there is no task to draw from")
    if min(values) == max(values):
        around = wilson(round(values[0] * len(values)), len(values))
        low, high = min(around.low, values[0]), max(around.high, values[0])
        return Interval(low, high, "wilson")
    drawn = _draw_sums(np.asarray([values], dtype=float), seed, draws)
    return _percentiles(drawn[0] / len(values))


def ratio_over_tasks(
    tops: Sequence[float], bottoms: Sequence[float], *, seed: int = SEED, draws: int = DRAWS
) -> Interval | None:
    """A percentile interval for ``sum(tops) / sum(bottoms)``, with one pair per task.

    None if all tasks agree or there is only one, because resampling can show no spread.
    """
    ratios = {top / bottom for top, bottom in zip(tops, bottoms, strict=True) if bottom}
    if len(ratios) < 2:
        return None
    sums = _draw_sums(np.asarray([tops, bottoms], dtype=float), seed, draws)
    usable = sums[1] > 0
    return _percentiles(sums[0][usable] / sums[1][usable]) if usable.any() else None


def median_over_tasks(
    tasks: Sequence[Sequence[float]], *, seed: int = SEED, draws: int = 2_000
) -> Interval | None:
    """A percentile interval for the median of values that are nested in tasks.

    None if all values agree, or there is only one task. Every task must have at least one value.
    """
    if len(tasks) < 2 or len({each for task in tasks for each in task}) < 2:
        return None
    values = [np.asarray(task, dtype=float) for task in tasks]
    chosen = np.random.default_rng(seed).integers(len(tasks), size=(draws, len(tasks)))
    found = [np.median(np.concatenate([values[task] for task in row])) for row in chosen]
    return _percentiles(np.asarray(found))


def statistic_over_sessions(
    sums: NDArray[np.float64],
    statistic: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    *,
    seed: int = SEED,
    draws: int = DRAWS,
) -> Interval | None:
    """A percentile interval for a statistic of sums over sessions, by resampling sessions.

    ``sums`` holds what each session adds to each sum, (sums, sessions). ``statistic`` maps (sums,
    draws) to one value per draw, NaN if undefined. None if the value is the same in all draws, as
    with one session, or undefined in more than one draw in twenty.
    """
    # Identical columns are drawn together with their multiplicity, because many sessions are alike.
    kinds, alike = np.unique(sums, axis=1, return_counts=True)
    found = statistic(_draw_sums(kinds, seed, draws, alike))
    told = found[np.isfinite(found)]
    if len(told) < (1 - MOST_UNTOLD) * draws or np.ptp(told) < SAME:
        return None
    interval = _percentiles(told)
    return Interval(interval.low, interval.high, "bootstrap over sessions")


def _draw_sums(
    rows: NDArray[np.float64], seed: int, draws: int, alike: NDArray[np.int_] | None = None
) -> NDArray[np.float64]:
    """The sums of each row over resampled tasks; (rows, tasks) in, (rows, draws) out.

    ``alike`` is the number of tasks that each column represents; one each by default.
    """
    columns = rows.shape[1]
    if alike is None and columns * draws <= _AT_ONCE:
        return rows @ _evenly(columns, seed, draws)
    counts = np.ones(columns, dtype=int) if alike is None else alike
    return np.concatenate([rows @ each for each in _choices(counts, seed, draws)], axis=1)


@lru_cache(maxsize=2)
def _evenly(tasks: int, seed: int, draws: int) -> NDArray[np.int_]:
    """How often each task is drawn, (tasks, draws); cached for all figures about these tasks."""
    return next(_choices(np.ones(tasks, dtype=int), seed, draws))


def _choices(counts: NDArray[np.int_], seed: int, draws: int) -> Iterator[NDArray[np.int_]]:
    """Yield how often each column is drawn, (columns, some of the draws) at a time."""
    tasks = int(counts.sum())
    generator = np.random.default_rng(seed)
    step = max(1, _AT_ONCE // len(counts))
    for done in range(0, draws, step):
        yield generator.multinomial(tasks, counts / tasks, size=min(step, draws - done)).T


def _percentiles(found: NDArray[np.float64]) -> Interval:
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(found, [tail, 1 - tail])
    return Interval(float(low), float(high), "bootstrap over tasks")
