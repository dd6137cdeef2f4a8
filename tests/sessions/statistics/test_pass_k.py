from __future__ import annotations

from itertools import combinations
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessions.statistics.pass_k import (
    Trials,
    most_trials,
    pass_at_k,
    pass_hat_k,
    reliability,
)

OUTCOMES = st.lists(st.booleans(), min_size=1, max_size=8)


def trials(outcomes: list[bool]) -> Trials:
    return Trials(len(outcomes), sum(outcomes))


@given(OUTCOMES, st.data())
def test_both_estimators_are_what_drawing_every_k_of_the_trials_gives(
    outcomes: list[bool], data: st.DataObject
) -> None:
    k = data.draw(st.integers(1, len(outcomes)))
    drawn = list(combinations(outcomes, k))
    assert pass_hat_k(trials(outcomes), k) == pytest.approx(sum(map(all, drawn)) / len(drawn))
    assert pass_at_k(trials(outcomes), k) == pytest.approx(sum(map(any, drawn)) / len(drawn))


@given(st.integers(1, 7), st.floats(0, 1), st.data())
def test_both_estimators_are_unbiased(n: int, p: float, data: st.DataObject) -> None:
    k = data.draw(st.integers(1, n))
    chances = [comb(n, c) * p**c * (1 - p) ** (n - c) for c in range(n + 1)]
    hat = sum(chance * pass_hat_k(Trials(n, c), k) for c, chance in enumerate(chances))
    at = sum(chance * pass_at_k(Trials(n, c), k) for c, chance in enumerate(chances))
    assert hat == pytest.approx(p**k, abs=1e-9)
    assert at == pytest.approx(1 - (1 - p) ** k, abs=1e-9)


@given(OUTCOMES)
def test_more_trials_make_all_less_and_any_more_likely(outcomes: list[bool]) -> None:
    ks = range(1, len(outcomes) + 1)
    hats = [pass_hat_k(trials(outcomes), k) for k in ks]
    ats = [pass_at_k(trials(outcomes), k) for k in ks]
    assert hats == sorted(hats, reverse=True)
    assert ats == sorted(ats)
    assert hats[0] == pytest.approx(ats[0])


@pytest.mark.parametrize("k", [0, 3])
def test_more_trials_than_there_are_cannot_be_asked_for(k: int) -> None:
    for estimator in (pass_hat_k, pass_at_k):
        with pytest.raises(ValueError, match="than the 2 there are"):
            estimator(Trials(2, 1), k)


def test_more_successes_than_trials_are_refused() -> None:
    with pytest.raises(ValueError, match="3 successes in 2 trials"):
        Trials(2, 3)


def test_every_task_counts_alike_however_often_it_was_tried() -> None:
    found = reliability([Trials(2, 2), Trials(8, 0)], 2)
    assert (found.all_succeed, found.any_succeeds, found.tasks, found.trials) == (0.5, 0.5, 2, 10)
    assert most_trials([Trials(2, 2), Trials(8, 0)]) == 2
    assert most_trials([]) == 0


def test_the_interval_holds_the_estimate_and_is_the_same_every_time() -> None:
    tasks = [Trials(4, c) for c in (0, 1, 2, 3, 4, 4, 4, 2, 1)]
    first, second = reliability(tasks, 2), reliability(tasks, 2)
    assert first == second
    interval = first.all_succeed_interval
    assert interval is not None
    assert 0 < interval.low < first.all_succeed < interval.high < 1
    other = reliability(tasks, 2, seed=1).all_succeed_interval
    assert other is not None
    assert other != interval
    assert other.low == pytest.approx(interval.low, abs=0.03)


def test_one_task_has_no_interval_and_none_no_reliability() -> None:
    assert reliability([Trials(4, 2)], 1).all_succeed_interval is None
    with pytest.raises(ValueError, match="no task"):
        reliability([], 1)
