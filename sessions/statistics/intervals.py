"""How sure a number is: Wilson's interval for a share, and a bootstrap over tasks for the rest.

The usual ``± 1.96 standard errors`` covers the truth far too seldom with the few dozen sessions
that a study with people has; these two hold up there.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

CONFIDENCE = 0.95
"""How often an interval should hold the truth."""

DRAWS = 10_000
"""How many times a bootstrap draws."""

SEED = 20_251_121
"""What the draws begin from, so that the same sessions give the same intervals every time."""

_AT_ONCE = 4_000_000
"""Array cells of draws that are held in memory at a time."""


@dataclass(frozen=True, slots=True)
class Interval:
    """The values that the data leave plausible, at 95 % confidence."""

    low: float
    high: float
    method: str
    """``wilson``, ``bootstrap over tasks``, ``profile likelihood`` or ``wald``."""


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many, with Wilson's interval; value and interval are None for none of none."""

    count: int
    n: int
    value: float | None
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number that is no plain share, with its interval; None where the data cannot tell."""

    value: float | None
    interval: Interval | None
    n: int
    """Of what was observed: turns, looks, sessions."""

    tasks: int
    """Of the clusters that the bootstrap drew from."""


def share(count: int, n: int) -> Share:
    """A share with its interval; raises ValueError unless ``0 <= count <= n``."""
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
    """A percentile interval for the mean of one value in 0..1 for each task, tasks drawn anew.

    Where all tasks have the same value, drawing them anew shows no spread, which is not the same
    as certainty: the interval is then Wilson's with tasks as the units. Raises ValueError where
    there is no task.
    """
    if not values:
        raise ValueError("there is no task to draw from")
    if min(values) == max(values):
        around = wilson(round(values[0] * len(values)), len(values))
        low, high = min(around.low, values[0]), max(around.high, values[0])
        return Interval(low, high, "wilson")
    drawn = _drawn(np.asarray([values], dtype=float), seed, draws)
    return _percentiles(drawn[0] / len(values))


def ratio_over_tasks(
    tops: Sequence[float], bottoms: Sequence[float], *, seed: int = SEED, draws: int = DRAWS
) -> Interval | None:
    """A percentile interval for ``sum(tops) / sum(bottoms)``, one pair for each task.

    None where all tasks agree, or there is only one: drawing them anew can show no spread.
    """
    ratios = {top / bottom for top, bottom in zip(tops, bottoms, strict=True) if bottom}
    if len(ratios) < 2:
        return None
    sums = _drawn(np.asarray([tops, bottoms], dtype=float), seed, draws)
    usable = sums[1] > 0
    return _percentiles(sums[0][usable] / sums[1][usable]) if usable.any() else None


def median_over_tasks(
    tasks: Sequence[Sequence[float]], *, seed: int = SEED, draws: int = 2_000
) -> Interval | None:
    """A percentile interval for the median of values that are nested in tasks.

    None where all values agree, or there is only one task. Every task has at least one value.
    """
    if len(tasks) < 2 or len({each for task in tasks for each in task}) < 2:
        return None
    values = [np.asarray(task, dtype=float) for task in tasks]
    chosen = np.random.default_rng(seed).integers(len(tasks), size=(draws, len(tasks)))
    found = [np.median(np.concatenate([values[task] for task in row])) for row in chosen]
    return _percentiles(np.asarray(found))


def _drawn(rows: NDArray[np.float64], seed: int, draws: int) -> NDArray[np.float64]:
    """The sums of each row over tasks drawn anew; (rows, tasks) in, (rows, draws) out."""
    tasks = rows.shape[1]
    generator = np.random.default_rng(seed)
    chances = np.full(tasks, 1 / tasks)
    step = max(1, _AT_ONCE // tasks)
    sums = [
        rows @ generator.multinomial(tasks, chances, size=min(step, draws - done)).T
        for done in range(0, draws, step)
    ]
    return np.concatenate(sums, axis=1)


def _percentiles(found: NDArray[np.float64]) -> Interval:
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(found, [tail, 1 - tail])
    return Interval(float(low), float(high), "bootstrap over tasks")
