"""Measure how reliable an agent is over repeated trials of the same tasks: pass^k and pass@k."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

from sessions.statistics.intervals import DRAWS, SEED, Interval, mean_over_tasks


@dataclass(frozen=True, slots=True)
class Trials:
    """The number of trials of one task, and how many of them succeeded."""

    n: int
    successes: int

    def __post_init__(self) -> None:
        if not 0 <= self.successes <= self.n:
            raise ValueError(f"{self.successes} successes in {self.n} trials")


@dataclass(frozen=True, slots=True)
class Reliability:
    """The chances of success in k trials of a task, averaged over tasks."""

    k: int
    tasks: int
    trials: int
    """The number of trials of all tasks together."""

    all_succeed: float
    """pass^k: the chance that all k trials succeed."""

    all_succeed_interval: Interval | None
    any_succeeds: float
    """pass@k: the chance that at least one of k trials succeeds."""

    any_succeeds_interval: Interval | None


def pass_hat_k(trials: Trials, k: int) -> float:
    """The chance that k trials drawn from a task's n all succeeded: C(c, k) / C(n, k).

    An unbiased estimate of the chance that k new trials would. Raises ValueError unless
    ``1 <= k <= n``.
    """
    _must_fit(trials, k)
    return comb(trials.successes, k) / comb(trials.n, k)


def pass_at_k(trials: Trials, k: int) -> float:
    """The chance that one or more of k drawn trials succeeded: 1 - C(n - c, k) / C(n, k).

    An unbiased estimate of the chance that one of k new trials would. Raises ValueError unless
    ``1 <= k <= n``.
    """
    _must_fit(trials, k)
    return 1 - comb(trials.n - trials.successes, k) / comb(trials.n, k)


def most_trials(tasks: Sequence[Trials]) -> int:
    """The largest k for which every task has enough trials; 0 without tasks."""
    return min((task.n for task in tasks), default=0)


def reliability(
    tasks: Sequence[Trials], k: int, *, seed: int = SEED, draws: int = DRAWS
) -> Reliability:
    """Compute pass^k and pass@k over all tasks, with intervals that resample whole tasks.

    A single task has no interval. Raises ValueError if there is no task, or if one has fewer than k
    trials.
    """
    if not tasks:
        raise ValueError("there is no task")
    hats = [pass_hat_k(task, k) for task in tasks]
    ats = [pass_at_k(task, k) for task in tasks]
    several = len(tasks) > 1
    return Reliability(
        k=k,
        tasks=len(tasks),
        trials=sum(task.n for task in tasks),
        all_succeed=sum(hats) / len(hats),
        all_succeed_interval=mean_over_tasks(hats, seed=seed, draws=draws) if several else None,
        any_succeeds=sum(ats) / len(ats),
        any_succeeds_interval=mean_over_tasks(ats, seed=seed, draws=draws) if several else None,
    )


def _must_fit(trials: Trials, k: int) -> None:
    if not 1 <= k <= trials.n:
        raise ValueError(f"k = {k} asks for more trials than the {trials.n} there are")
