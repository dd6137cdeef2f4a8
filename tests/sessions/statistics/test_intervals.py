from __future__ import annotations

import math
import random
from itertools import product
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessions.statistics.intervals import (
    mean_over_tasks,
    median_over_tasks,
    ratio_over_tasks,
    share,
    wilson,
)

pytestmark = pytest.mark.xdist_group("scipy")  # which is imported by one worker


@given(st.integers(1, 5_000), st.data())
def test_at_wilsons_bounds_what_was_seen_is_196_standard_errors_away(
    n: int, data: st.DataObject
) -> None:
    count = data.draw(st.integers(0, n))
    found = wilson(count, n)
    for bound in (found.low, found.high):
        error = math.sqrt(bound * (1 - bound) / n)
        assert abs(count / n - bound) == pytest.approx(1.959964 * error, abs=1e-6)
    assert 0 <= found.low <= count / n <= found.high <= 1
    assert found.low < found.high


def test_twenty_of_twenty_is_not_certain() -> None:
    assert wilson(20, 20).low == pytest.approx(0.8388752)
    assert wilson(20, 20).high == 1
    assert wilson(0, 20).low == 0


def test_a_share_of_none_has_no_value_and_an_impossible_one_is_refused() -> None:
    assert share(0, 0).value is None
    assert share(1, 4).value == 0.25
    with pytest.raises(ValueError, match="5 of 4 is no share"):
        share(5, 4)


def test_the_bootstrap_finds_the_percentiles_of_every_way_to_draw_the_tasks() -> None:
    values = [0.0, 0.2, 0.7, 1.0, 0.5]
    means = sorted(sum(drawn) / 5 for drawn in product(values, repeat=5))
    found = mean_over_tasks(values, draws=40_000)
    assert found.low == pytest.approx(means[int(0.025 * len(means))], abs=0.02)
    assert found.high == pytest.approx(means[int(0.975 * len(means))], abs=0.02)


def test_tasks_that_all_agree_leave_doubt_all_the_same() -> None:
    assert mean_over_tasks([1.0] * 20) == wilson(20, 20)
    assert mean_over_tasks([0.0] * 3) == wilson(0, 3)
    half = mean_over_tasks([0.5] * 4)
    assert half.low < 0.5 < half.high
    with pytest.raises(ValueError, match="no task"):
        mean_over_tasks([])


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 9)), min_size=1, max_size=9))
def test_a_ratio_lies_between_its_extremes_and_is_the_same_every_time(
    pairs: list[tuple[int, int]],
) -> None:
    tops, bottoms = zip(*pairs, strict=True)
    ratios = [top / bottom for top, bottom in pairs]
    found = ratio_over_tasks(tops, bottoms, draws=500)
    assert (found is None) == (len(set(ratios)) == 1)
    assert found == ratio_over_tasks(tops, bottoms, draws=500)
    if found:
        assert min(ratios) - 1e-9 <= found.low <= found.high <= max(ratios) + 1e-9


def test_a_ratio_draws_tops_and_bottoms_of_a_task_together() -> None:
    found = ratio_over_tasks([1, 10, 100, 0], [2, 20, 200, 0])
    assert found is None
    nearly = ratio_over_tasks([1, 10, 101], [2, 20, 200])
    assert nearly is not None
    assert 0.5 <= nearly.low <= nearly.high <= 0.505


def test_a_draw_with_nothing_to_divide_by_is_left_out() -> None:
    found = ratio_over_tasks([1, 0, 3, 0], [1, 2, 0, 0])
    assert found is not None
    assert math.isfinite(found.low)
    assert math.isfinite(found.high)


def test_the_draws_do_not_depend_on_how_many_fit_into_memory_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    values = [random.Random(4).random() for _ in range(30)]
    whole = mean_over_tasks(values, draws=1_000)
    monkeypatch.setattr("sessions.statistics.intervals._AT_ONCE", 3_100)
    assert mean_over_tasks(values, draws=1_000) == whole


def test_a_median_is_drawn_with_all_values_of_a_task() -> None:
    tasks = [[1.0, 2.0], [3.0], [8.0, 9.0, 9.5]]
    found = median_over_tasks(tasks)
    assert found is not None
    assert 1 <= found.low <= median([each for task in tasks for each in task]) <= found.high <= 9.5
    assert found == median_over_tasks(tasks)
    assert median_over_tasks([[1.0, 2.0]]) is None
    assert median_over_tasks([[2.0], [2.0, 2.0]]) is None
