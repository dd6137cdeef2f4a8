"""Estimate what a deviation costs: the logistic regression of success on d_mut and d_non.

The paper's Table 1 (SABER, section 3) is an ordinary maximum-likelihood fit. In a small study with
people, one predictor often separates success from failure. That fit then has no finite solution,
but software prints a large number all the same. So Firth's penalised likelihood, whose solution is
always finite, is fitted every time, and the ordinary fit is given as well if it exists.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sessions.statistics.intervals import CONFIDENCE, Interval
from sessions.statistics.profiling import profile_bound

if TYPE_CHECKING:
    from firthmodels import FirthLogisticRegression

FEWEST = 10
"""The number of sessions below which no regression is attempted."""

ENOUGH_TASKS = 30
"""The number of tasks from which standard errors can be clustered by task."""

NAMES = ("d_mut", "d_non")

# Too strict a tolerance never converges, because the sum over many sessions has limited precision.
_TOLERANCES = (1e-6, 1e-5, 1e-4)


@dataclass(frozen=True, slots=True)
class Observation:
    """One scored session as the regression sees it."""

    success: bool
    mutating: float
    """d_mut."""

    non_mutating: float
    """d_non."""

    task: str


@dataclass(frozen=True, slots=True)
class Coefficient:
    """What one more deviation of a kind does to the odds of success."""

    name: str
    """``d_mut``, ``d_non`` or ``intercept``."""

    estimate: float
    """The change in the log odds."""

    standard_error: float
    odds_ratio: float
    odds_ratio_interval: Interval
    p: float
    """The p-value.

    Firth's fit: of the penalised likelihood-ratio test. Ordinary fit: of Wald's test, with the
    standard error by task if there is one.
    """

    standard_error_by_task: float | None = None
    """The standard error clustered by task (ordinary fit with 30 tasks or more only)."""


@dataclass(frozen=True, slots=True)
class Fit:
    """One fitted model."""

    method: str
    """``firth`` or ``maximum likelihood``."""

    coefficients: tuple[Coefficient, ...]


@dataclass(frozen=True, slots=True)
class Regression:
    """The regression of success on d_mut and d_non."""

    n: int
    successes: int
    tasks: int
    firth: Fit
    ordinary: Fit | None
    """None if it has no finite solution, or if none was found."""

    separated: bool
    """Whether a predictor, or both together, separate success from failure without error."""

    enough_tasks: bool
    """Whether there are enough tasks for the p-values to be reliable."""

    left_out: tuple[str, ...] = ()
    """Predictors that are the same in every session, so nothing can be learned about them."""


@dataclass(frozen=True, slots=True)
class NoRegression:
    """States that there is nothing to fit, and why."""

    n: int
    why: str
    """The reason, as a sentence."""


@dataclass(frozen=True, slots=True)
class Predictors:
    """The predictors that can be fitted for some sessions."""

    names: tuple[str, ...]
    columns: NDArray[np.float64]
    left_out: tuple[str, ...]
    """The predictors that are the same in every session."""


def regress(rows: Sequence[Observation]) -> Regression | NoRegression:
    """Fit success on both deviations, or say why there is nothing to fit."""
    found = find_predictors(rows)
    if isinstance(found, NoRegression):
        return found
    return _regression(rows, found.names, found.columns, found.left_out)


def find_predictors(rows: Sequence[Observation]) -> Predictors | NoRegression:
    """Find the predictors that can be fitted, or why there are none; needs no fitting library."""
    successes = sum(row.success for row in rows)
    if len(rows) < FEWEST:
        return NoRegression(len(rows), f"It needs {FEWEST} scored sessions; there are {len(rows)}.")
    if successes in (0, len(rows)):
        every = "succeeded" if successes else "failed"
        return NoRegression(len(rows), f"All {len(rows)} sessions {every}: nothing to compare.")
    columns = np.asarray([[row.mutating, row.non_mutating] for row in rows], dtype=float)
    varies = np.ptp(columns, axis=0) > 0
    if not varies.any():
        why = "All sessions deviate equally: nothing to compare."
        return NoRegression(len(rows), why)
    names = tuple(name for name, kept in zip(NAMES, varies, strict=True) if kept)
    kept = columns[:, varies]
    if np.linalg.matrix_rank(np.column_stack([kept, np.ones(len(rows))])) <= len(names):
        why = "d_mut and d_non rise and fall together here: they cannot be told apart."
        return NoRegression(len(rows), why)
    return Predictors(names, kept, tuple(name for name in NAMES if name not in names))


def _regression(
    rows: Sequence[Observation],
    names: tuple[str, ...],
    columns: NDArray[np.float64],
    left_out: tuple[str, ...],
) -> Regression | NoRegression:
    from firthmodels import detect_separation

    success = np.asarray([row.success for row in rows], dtype=int)
    tasks = [row.task for row in rows]
    firth = _firth(names, columns, success)
    if firth is None:
        return NoRegression(len(rows), "The fit does not converge on these sessions.")
    separated = detect_separation(columns, success).separation
    return Regression(
        n=len(rows),
        successes=int(success.sum()),
        tasks=len(set(tasks)),
        firth=firth,
        ordinary=None if separated else _ordinary(names, columns, success, tasks),
        separated=separated,
        enough_tasks=len(set(tasks)) >= ENOUGH_TASKS,
        left_out=left_out,
    )


def _firth(
    names: tuple[str, ...], columns: NDArray[np.float64], success: NDArray[np.int_]
) -> Fit | None:
    """Firth's fit with profile-likelihood intervals; None if no tolerance converges."""
    for tolerance in _TOLERANCES:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                model = _model(tolerance, penalty=0.5).fit(columns, success).lrt()
                bounds = model.conf_int(1 - CONFIDENCE, method="pl", max_iter=200)
            except (Warning, np.linalg.LinAlgError):
                continue
        _check(bounds, model, columns, success)
        found = _parameters(names, model, model.lrt_pvalues_, bounds, "profile likelihood")
        return Fit("firth", found)
    return None


def _check(
    bounds: NDArray[np.float64],
    model: FirthLogisticRegression,
    columns: NDArray[np.float64],
    success: NDArray[np.int_],
) -> None:
    """Recompute, in place, the bounds that lie on the wrong side of their estimates."""
    design = np.column_stack([columns, np.ones(len(success))])
    for place, estimate in enumerate([*model.coef_, model.intercept_]):
        for side, sign in enumerate((-1, 1)):
            if not sign * (bounds[place][side] - estimate) > 0:
                step = sign * model.bse_[place]
                bounds[place][side] = profile_bound(
                    design, success, place, start=estimate, step=step
                )


def _ordinary(
    names: tuple[str, ...],
    columns: NDArray[np.float64],
    success: NDArray[np.int_],
    tasks: Sequence[str],
) -> Fit | None:
    """The maximum-likelihood fit with Wald's intervals; None if no tolerance converges."""
    from scipy.stats import norm  # which firthmodels needs as well

    for tolerance in _TOLERANCES:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                model = _model(tolerance, penalty=0.0).fit(columns, success)
                bounds = model.conf_int(1 - CONFIDENCE, method="wald")
            except (Warning, np.linalg.LinAlgError):
                continue
        by_task = _errors_by_task(model, columns, success, tasks)
        p_values, method = model.pvalues_, "wald"
        if by_task is not None:
            estimates = np.append(model.coef_, model.intercept_)
            bounds = np.column_stack(norm.interval(CONFIDENCE, estimates, by_task))
            p_values, method = 2 * norm.sf(abs(estimates / by_task)), "wald by task"
        found = _parameters(names, model, p_values, bounds, method, by_task)
        return Fit("maximum likelihood", found)
    return None


def _model(tolerance: float, *, penalty: float) -> FirthLogisticRegression:
    from firthmodels import FirthLogisticRegression

    return FirthLogisticRegression(
        backend="numpy", max_iter=200, gtol=tolerance, xtol=tolerance, penalty_weight=penalty
    )


def _parameters(
    names: tuple[str, ...],
    model: FirthLogisticRegression,
    p_values: Any,
    bounds: Any,
    method: str,
    by_task: NDArray[np.float64] | None = None,
) -> tuple[Coefficient, ...]:
    """The coefficients in the order of the columns, with the intercept last."""
    estimates = [*model.coef_, model.intercept_]
    return tuple(
        Coefficient(
            name=name,
            estimate=float(estimate),
            standard_error=float(model.bse_[place]),
            odds_ratio=_exp(estimate),
            odds_ratio_interval=Interval(_exp(bounds[place][0]), _exp(bounds[place][1]), method),
            p=float(p_values[place]),
            standard_error_by_task=None if by_task is None else float(by_task[place]),
        )
        for place, (name, estimate) in enumerate(zip((*names, "intercept"), estimates, strict=True))
    )


def _errors_by_task(
    model: FirthLogisticRegression,
    columns: NDArray[np.float64],
    success: NDArray[np.int_],
    tasks: Sequence[str],
) -> NDArray[np.float64] | None:
    """Cluster-robust standard errors (Liang and Zeger's sandwich); None with too few tasks.

    With fewer than about thirty clusters they come out too small to be trusted. statsmodels has the
    same, as a test checks, but would install 150 MB (with pandas) in place of these few lines.
    """
    labels, group = np.unique(np.asarray(tasks), return_inverse=True)
    clusters, (n, parameters) = len(labels), (len(success), columns.shape[1] + 1)
    if clusters < ENOUGH_TASKS:
        return None
    design = np.column_stack([columns, np.ones(n)])
    chance = model.predict_proba(columns)[:, 1]
    bread = np.linalg.inv(design.T @ (design * (chance * (1 - chance))[:, None]))
    scores = np.zeros((clusters, parameters))
    np.add.at(scores, group, design * (success - chance)[:, None])
    correction = clusters / (clusters - 1) * (n - 1) / (n - parameters)
    covariance = correction * bread @ (scores.T @ scores) @ bread
    errors: NDArray[np.float64] = np.sqrt(covariance.diagonal())
    return errors


def _exp(value: float) -> float:
    """The exponential; infinity if the result is too large for a float."""
    return math.exp(value) if value < 700 else math.inf
