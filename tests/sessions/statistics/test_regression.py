from __future__ import annotations

import math
import random
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from sessions.statistics import regression
from sessions.statistics.regression import (
    Coefficient,
    Fit,
    NoRegression,
    Observation,
    Regression,
    regress,
)
from tests.effort import tries

pytestmark = pytest.mark.xdist_group("scipy")  # which is imported by one worker

SPECTOR = [
    (2.66, 20, 0, 0), (2.89, 22, 0, 0), (3.28, 24, 0, 0), (2.92, 12, 0, 0), (4.0, 21, 0, 1),
    (2.86, 17, 0, 0), (2.76, 17, 0, 0), (2.87, 21, 0, 0), (3.03, 25, 0, 0), (3.92, 29, 0, 1),
    (2.63, 20, 0, 0), (3.32, 23, 0, 0), (3.57, 23, 0, 0), (3.26, 25, 0, 1), (3.53, 26, 0, 0),
    (2.74, 19, 0, 0), (2.75, 25, 0, 0), (2.83, 19, 0, 0), (3.12, 23, 1, 0), (3.16, 25, 1, 1),
    (2.06, 22, 1, 0), (3.62, 28, 1, 1), (2.89, 14, 1, 0), (3.51, 26, 1, 0), (3.54, 24, 1, 1),
    (2.83, 27, 1, 1), (3.39, 17, 1, 1), (2.67, 24, 1, 0), (3.65, 21, 1, 1), (4.0, 23, 1, 1),
    (3.1, 21, 1, 0), (2.39, 19, 1, 1),
]  # fmt: skip
"""Spector and Mazzeo (1980), as in Greene's *Econometric Analysis*: GPA, TUCE, PSI, GRADE."""


CLUSTERED = {
    "GPA": (1.3198474729, 0.0322545428),
    "TUCE": (0.1261131478, 0.4505238615),
    "PSI": (1.0298751297, 0.0209055721),
    "intercept": (5.3989695302, 0.0158730822),
}
"""statsmodels 0.15.0 on the same rows in 30 clusters, row i in cluster i mod 30: error and p."""


def rows(table: Sequence[tuple[float, float, int]], tasks: int = 5) -> list[Observation]:
    """Observations from (d_mut, d_non, success)."""
    return [
        Observation(bool(success), mutating, other, f"t{place % tasks}")
        for place, (mutating, other, success) in enumerate(table)
    ]


def fitted(table: Sequence[tuple[float, float, int]], tasks: int = 5) -> Regression:
    found = regress(rows(table, tasks))
    assert isinstance(found, Regression), found
    return found


def named(fit: Fit | None, name: str) -> Coefficient:
    assert fit is not None
    return next(each for each in fit.coefficients if each.name == name)


def simulated(n: int, tasks: int, seed: int = 3) -> list[tuple[float, float, int]]:
    """Sessions in which a mutating deviation costs much and another one little."""
    draw = random.Random(seed)
    moods = [draw.gauss(0, 1) for _ in range(tasks)]
    table: list[tuple[float, float, int]] = []
    for place in range(n):
        mutating, other = draw.choice([0, 0, 0, 1, 2]), draw.randrange(6)
        chance = 1 / (1 + math.exp(-(1.5 - 1.8 * mutating - 0.05 * other + moods[place % tasks])))
        table.append((mutating, other, int(draw.random() < chance)))
    return table


def test_the_ordinary_fit_is_the_published_one() -> None:
    names = ("GPA", "TUCE", "PSI", "intercept")
    published = {
        "GPA": (2.826113, 1.262941, 0.02523911),
        "TUCE": (0.09515766, 0.1415542, 0.5014342),
        "PSI": (2.378688, 1.064564, 0.0254552),
        "intercept": (-13.02135, 4.931324, 0.00827746),
    }
    columns = np.array([row[:3] for row in SPECTOR], dtype=float)
    success = np.array([row[3] for row in SPECTOR])
    fit = regression._ordinary(names[:3], columns, success, ["one task"] * len(SPECTOR))
    for name, (estimate, error, p) in published.items():
        found = named(fit, name)
        assert found.estimate == pytest.approx(estimate, rel=1e-6)
        assert found.standard_error == pytest.approx(error, rel=1e-6)
        assert found.p == pytest.approx(p, rel=1e-5)
    interval = named(fit, "PSI").odds_ratio_interval
    assert math.log(interval.low) == pytest.approx(0.29218006, rel=1e-5)
    assert math.log(interval.high) == pytest.approx(4.46519525, rel=1e-6)


def test_errors_by_task_are_those_of_statsmodels() -> None:
    columns = np.array([row[:3] for row in SPECTOR], dtype=float)
    success = np.array([row[3] for row in SPECTOR])
    tasks = [f"t{place % 30}" for place in range(len(SPECTOR))]
    fit = regression._ordinary(("GPA", "TUCE", "PSI"), columns, success, tasks)
    for name, (error, p) in CLUSTERED.items():
        assert named(fit, name).standard_error_by_task == pytest.approx(error, rel=1e-6)
        assert named(fit, name).p == pytest.approx(p, rel=1e-5)


CELLS = st.integers(0, 30)


@settings(max_examples=tries(40))
@given(CELLS, CELLS, CELLS, CELLS)
def test_with_one_yes_or_no_predictor_both_fits_are_known_in_closed_form(
    right: int, wrong: int, right_off: int, wrong_off: int
) -> None:
    cells = (right, wrong, right_off, wrong_off)
    assume(sum(cells) >= 10 and right + right_off and wrong + wrong_off)
    assume(right + wrong and right_off + wrong_off)
    table = [(0, 0, 1)] * right + [(0, 0, 0)] * wrong + [(1, 0, 1)] * right_off
    found = fitted([*table, *[(1, 0, 0)] * wrong_off])
    assert found.left_out == ("d_non",)
    half = [cell + 0.5 for cell in cells]
    firth = named(found.firth, "d_mut")
    assert firth.estimate == pytest.approx(
        math.log(half[2] * half[1] / half[3] / half[0]), abs=1e-5
    )
    assert found.separated == (min(cells) == 0)
    assert (found.ordinary is None) == found.separated
    if found.ordinary:
        ordinary = named(found.ordinary, "d_mut")
        exact = math.log(right_off * wrong / wrong_off / right)
        assert ordinary.estimate == pytest.approx(exact, abs=1e-5)
        error = math.sqrt(sum(1 / cell for cell in cells))
        assert ordinary.standard_error == pytest.approx(error, rel=1e-4)
        assert ordinary.odds_ratio == pytest.approx(math.exp(exact), rel=1e-4)


def summit(
    columns: NDArray[np.float64], success: NDArray[np.int_], held: dict[int, float] | None = None
) -> tuple[list[float], float]:
    """Where Firth's penalised log likelihood is highest, and how high, with some values held."""
    from scipy.optimize import minimize

    fixed = held or {}
    free = [place for place in range(columns.shape[1]) if place not in fixed]

    def falling(at: NDArray[np.float64]) -> float:
        values = np.zeros(columns.shape[1])
        values[free] = at
        values[list(fixed)] = list(fixed.values())
        linear = columns @ values
        chance = 1 / (1 + np.exp(-linear))
        likelihood = np.sum(success * linear - np.logaddexp(0, linear))
        information = columns.T @ (columns * (chance * (1 - chance))[:, None])
        return float(-likelihood - np.linalg.slogdet(information)[1] / 2)

    fine = {"xatol": 1e-9, "fatol": 1e-12, "maxiter": 20_000, "maxfev": 20_000}
    found = minimize(falling, np.zeros(len(free)), method="Nelder-Mead", options=fine)
    return [float(each) for each in found.x], float(-found.fun)


@pytest.mark.parametrize("seed", range(4))
def test_firths_fit_is_the_summit_of_the_penalised_likelihood(seed: int) -> None:
    table = simulated(25, tasks=5, seed=seed)
    found = fitted(table)
    columns = np.array([[one, other, 1.0] for one, other, _ in table])
    success = np.array([yes for _, _, yes in table])
    best, height = summit(columns, success)
    ours = [each.estimate for each in found.firth.coefficients]
    assert ours == pytest.approx(best, rel=1e-6, abs=1e-7)
    for place, name in enumerate(("d_mut", "d_non")):
        interval = named(found.firth, name).odds_ratio_interval
        for bound in (interval.low, interval.high):
            held = summit(columns, success, {place: math.log(bound)})[1]
            assert 2 * (height - held) == pytest.approx(3.841459, rel=1e-3)
        rise = 2 * (height - summit(columns, success, {place: 0.0})[1])
        p = math.erfc(math.sqrt(rise / 2))
        assert named(found.firth, name).p == pytest.approx(p, rel=1e-4, abs=1e-7)


def test_separated_sessions_have_a_finite_answer_and_no_ordinary_one() -> None:
    table = [(0, place % 3, 1) for place in range(10)]
    found = fitted([*table, *((1 + place % 2, place % 3, 0) for place in range(10))])
    assert found.separated
    assert found.ordinary is None
    firth = named(found.firth, "d_mut")
    assert firth.odds_ratio < 0.1
    assert 0 < firth.odds_ratio_interval.low < firth.odds_ratio < firth.odds_ratio_interval.high < 1
    assert firth.p < 0.001
    assert firth.standard_error < 5
    other = named(found.firth, "d_non")
    assert other.odds_ratio_interval.low < 1 < other.odds_ratio_interval.high


@settings(max_examples=tries(40))
@given(
    st.lists(
        st.tuples(st.integers(0, 4), st.integers(0, 12), st.integers(0, 1)),
        min_size=10,
        max_size=40,
    )
)
@example([(0, 1, 1)] * 4 + [(0, 1, 0), (2, 9, 0), (2, 9, 0), (2, 9, 0), (2, 0, 0), (2, 11, 1)])
def test_whatever_the_sessions_there_is_a_finite_answer_or_a_sentence(
    table: list[tuple[int, int, int]],
) -> None:
    found = regress(rows([(float(one), float(other), yes) for one, other, yes in table]))
    if isinstance(found, NoRegression):
        assert found.why.endswith(".")
        return
    for each in found.firth.coefficients:
        assert math.isfinite(each.estimate)
        assert math.isfinite(each.standard_error)
        assert 0 <= each.p <= 1
        assert each.odds_ratio_interval.low <= each.odds_ratio <= each.odds_ratio_interval.high


def test_a_bound_that_the_library_finds_on_the_wrong_side_is_found_anew() -> None:
    table = [(0, 0, 0)] * 3 + [(0, 0, 1)] * 5 + [(0, 1, 0), (0, 8, 0)]
    found = fitted(table)
    d_non = named(found.firth, "d_non")
    interval = d_non.odds_ratio_interval
    assert interval.low < d_non.odds_ratio < interval.high
    columns = np.array([[other, 1.0] for _, other, _ in table])
    success = np.array([yes for _, _, yes in table])
    height = summit(columns, success)[1]
    for bound in (interval.low, interval.high):
        held = summit(columns, success, {0: math.log(bound)})[1]
        assert 2 * (height - held) == pytest.approx(3.841459, rel=1e-3)


def test_large_studies_settle_and_find_what_was_put_in() -> None:
    found = fitted(simulated(3_000, tasks=100), tasks=100)
    assert not found.separated
    for fit in (found.firth, found.ordinary):
        assert 0.1 < named(fit, "d_mut").odds_ratio < 0.35
        assert named(fit, "d_mut").p < 1e-6
        assert 0.9 < named(fit, "d_non").odds_ratio < 1.05


def test_sessions_of_one_task_that_are_alike_count_for_less() -> None:
    once = simulated(60, tasks=60)
    alone, copied = fitted(once, tasks=60), fitted(once * 4, tasks=60)
    single, fourfold = named(alone.ordinary, "d_mut"), named(copied.ordinary, "d_mut")
    assert alone.enough_tasks
    assert fourfold.standard_error == pytest.approx(single.standard_error / 2, rel=1e-3)
    assert single.standard_error_by_task is not None
    assert fourfold.standard_error_by_task == pytest.approx(single.standard_error_by_task, rel=0.03)
    assert fourfold.odds_ratio_interval.method == "wald by task"


def test_with_few_tasks_errors_by_task_are_not_claimed() -> None:
    found = fitted(simulated(200, tasks=29), tasks=29)
    assert not found.enough_tasks
    assert named(found.ordinary, "d_mut").standard_error_by_task is None


@pytest.mark.parametrize(
    ("table", "why"),
    [
        ([], "It needs 10 scored sessions; there are 0."),
        ([(0, 1, 1)] * 9, "It needs 10 scored sessions; there are 9."),
        ([(1, 2, 1), (0, 1, 1)] * 10, "All 20 sessions succeeded: nothing to compare."),
        ([(1, 2, 0), (0, 1, 0)] * 10, "All 20 sessions failed: nothing to compare."),
        ([(1, 2, 0), (1, 2, 1)] * 10, "All sessions deviate equally"),
        ([(1, 2, 0), (2, 4, 1), (0, 0, 1)] * 10, "they cannot be told apart"),
    ],
)
def test_where_there_is_nothing_to_fit_a_sentence_says_why(
    table: list[tuple[float, float, int]], why: str
) -> None:
    found = regress(rows(table))
    assert isinstance(found, NoRegression)
    assert why in found.why
    assert found.n == len(table)
