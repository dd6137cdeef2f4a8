"""Confidence intervals: Wilson's for a share, and a bootstrap over tasks for other numbers.

The usual ``± 1.96 standard errors`` covers the truth far too seldom with the few dozen sessions of
a study with people; these two remain reliable.

Both are scipy's. Whole clusters (tasks or sessions) are resampled by giving ``bootstrap`` the sums
of each cluster as paired samples. ``scipy.stats`` takes 0.6 s to import, so the functions that need
it import it: commands that print no interval do not wait for it.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

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

_AT_ONCE = 300_000
"""The number of array cells of draws that are held in memory at a time; few enough for the cache.
"""


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


@lru_cache(maxsize=4_096)  # scipy takes 0.3 ms, most of it for a p-value that is not needed here
def wilson(count: int, n: int, confidence: float = CONFIDENCE) -> Interval:
    """Wilson's score interval for a proportion, ``0 <= count <= n`` and ``n > 0``."""
    from scipy.stats import binomtest

    found = binomtest(count, n).proportion_ci(confidence, method="wilson")
    return Interval(float(found.low), float(found.high), "wilson")


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
    return _percentiles(_bootstrap([values], np.mean, seed, draws))


def ratio_over_tasks(
    tops: Sequence[float], bottoms: Sequence[float], *, seed: int = SEED, draws: int = DRAWS
) -> Interval | None:
    """A percentile interval for ``sum(tops) / sum(bottoms)``, with one pair per task.

    None if all tasks agree or there is only one, because resampling can show no spread.
    """
    ratios = {top / bottom for top, bottom in zip(tops, bottoms, strict=True) if bottom}
    if len(ratios) < 2:
        return None

    def ratio(top: Array, bottom: Array, axis: int) -> Any:
        return top.sum(axis=axis) / bottom.sum(axis=axis)

    return _percentiles(_bootstrap([tops, bottoms], ratio, seed, draws))


def median_over_tasks(
    tasks: Sequence[Sequence[float]], *, seed: int = SEED, draws: int = 2_000
) -> Interval | None:
    """A percentile interval for the median of values that are nested in tasks.

    None if all values agree, or there is only one task. Every task must have at least one value.
    """
    if len(tasks) < 2 or len({each for task in tasks for each in task}) < 2:
        return None
    values = [np.asarray(task, dtype=float) for task in tasks]

    def median(chosen: NDArray[np.int_]) -> float:
        return float(np.median(np.concatenate([values[task] for task in chosen])))

    return _percentiles(_bootstrap([np.arange(len(tasks))], median, seed, draws, vectorized=False))


def statistic_over_sessions(
    sums: Array,
    statistic: Callable[[Array], Array],
    *,
    seed: int = SEED,
    draws: int = DRAWS,
) -> Interval | None:
    """A percentile interval for a statistic of sums over sessions, by resampling sessions.

    ``sums`` holds what each session adds to each sum, (sums, sessions). ``statistic`` maps (sums,
    draws) to one value per draw, NaN if undefined. None if the value is the same in all draws, as
    with one session, or undefined in more than one draw in twenty.
    """
    if sums.shape[1] < 2:
        return None

    def of_drawn(*drawn: Array, axis: int) -> Array:
        return statistic(np.array([each.sum(axis=axis) for each in drawn]))

    told = _bootstrap([*sums], of_drawn, seed, draws)
    if len(told) < (1 - MOST_UNTOLD) * draws or np.ptp(told) < SAME:
        return None
    return _percentiles(told, "bootstrap over sessions")


def _bootstrap(
    samples: Sequence[Any], statistic: Callable[..., Any], seed: int, draws: int, **how: bool
) -> Array:
    """Draw paired samples together, and return the finite values of a statistic of the draws."""
    from scipy.stats import DegenerateDataWarning, bootstrap

    batch = max(1, _AT_ONCE // len(samples[0]))
    with np.errstate(divide="ignore", invalid="ignore"), warnings.catch_warnings():
        # A draw can have nothing to divide by; scipy's own interval would then have no bounds.
        warnings.simplefilter("ignore", DegenerateDataWarning)
        drawn: Array = bootstrap(
            samples, statistic, paired=True, method="percentile",
            n_resamples=draws, batch=batch, rng=seed, **how,
        ).bootstrap_distribution  # fmt: skip
    return drawn[np.isfinite(drawn)]


def _percentiles(drawn: Array, method: str = "bootstrap over tasks") -> Interval:
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(drawn, [tail, 1 - tail])
    return Interval(float(low), float(high), method)
