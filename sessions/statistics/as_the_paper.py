"""Count deviations as the SABER paper does (section 3), in addition to our stricter ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sessions.statistics.facts import SessionFacts
from sessions.statistics.grouping import groups
from sessions.statistics.intervals import DRAWS, SEED, Estimate, Share, share
from sessions.statistics.over_tasks import mean
from sessions.statistics.regression import NoRegression, Observation, Regression, regress
from sessions.statistics.regression_ahead import Regress


@dataclass(frozen=True, slots=True)
class AsThePaper:
    """How sessions depart from their reference, and how often a departure is decisive."""

    mutating: Estimate
    """Mean d_mut."""

    non_mutating: Estimate
    """Mean d_non."""

    decisive_changes: Share
    """The share of failures if the first departure is a change: P(decisive | mutating)."""

    decisive_look_ups: Share
    """The share of failures if the first departure is another call: P(decisive | non-mutating)."""

    without: Share
    """The share of failures among sessions that follow the reference, or stop short of its end."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """One line of the paper's Table 1."""

    name: str
    """The data set and the model."""

    regression: Regression | NoRegression


def as_the_paper(
    trials: Sequence[SessionFacts], *, seed: int = SEED, draws: int = DRAWS
) -> AsThePaper:
    """The paper's numbers for these trials; success is τ²-bench's reward."""
    rows = [row for row in trials if row.deviations and row.deviations.paper]
    return AsThePaper(
        mutating=mean(rows, _d_mut, seed=seed, draws=draws),
        non_mutating=mean(rows, _d_non, seed=seed, draws=draws),
        decisive_changes=_failures(row for row in rows if _departs(row) is True),
        decisive_look_ups=_failures(row for row in rows if _departs(row) is False),
        without=_failures(row for row in rows if _departs(row) is None),
    )


def first_table(rows: Iterable[SessionFacts], fit: Regress = regress) -> list[TableRow]:
    """The paper's Table 1: one regression for each data set and model, over all settings.

    `fit` is `regress`, in this process or another.
    """
    trials = [
        row
        for row in rows
        if row.counts and not row.fork and row.deviations and row.deviations.paper
    ]
    return [
        TableRow(name, fit([_observation(row) for row in members]))
        for name, members in groups(trials, "model")
    ]


def _observation(row: SessionFacts) -> Observation:
    return Observation(row.success is True, _d_mut(row), _d_non(row), row.task)


def _failures(rows: Iterable[SessionFacts]) -> Share:
    found = [row.success is not True for row in rows]
    return share(sum(found), len(found))


def _departs(row: SessionFacts) -> bool | None:
    """Whether the first departure is a change; None if there is no departure."""
    paper = row.deviations.paper if row.deviations else None
    return paper.mutating if paper and paper.departure else None


def _d_mut(row: SessionFacts) -> int:
    paper = row.deviations.paper if row.deviations else None
    return paper.distance.mutating if paper else 0


def _d_non(row: SessionFacts) -> int:
    paper = row.deviations.paper if row.deviations else None
    return paper.distance.non_mutating if paper else 0
