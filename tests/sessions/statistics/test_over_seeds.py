from __future__ import annotations

import math
from statistics import fmean, stdev

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sessions.statistics.over_seeds import interval_over_seeds, over_seeds, reliabilities
from sessions.statistics.pass_k import Trials, pass_hat_k

pytestmark = pytest.mark.xdist_group("scipy")  # which is imported by one worker

QUANTILES = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365)
"""Student's 0.975 quantiles for 1 to 7 degrees of freedom, from a printed table."""

shares = st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.8, 1.0]), min_size=2, max_size=8)


@given(shares)
def test_the_interval_is_students_within_0_and_1(values: list[float]) -> None:
    assume(min(values) < max(values))
    found = interval_over_seeds(values)
    half = QUANTILES[len(values) - 2] * stdev(values) / math.sqrt(len(values))
    assert found.low == pytest.approx(max(0.0, fmean(values) - half), abs=1e-3)
    assert found.high == pytest.approx(min(1.0, fmean(values) + half), abs=1e-3)


@given(shares)
def test_a_mean_lies_in_its_interval_and_code_has_none(values: list[float]) -> None:
    found = over_seeds(values, 10)
    assert found.value is not None
    assert found.interval is not None
    assert found.interval.low <= found.value <= found.interval.high
    assert found.interval.low < found.interval.high  # where seeds agree that is no certainty
    assert over_seeds(values, 10, drawn=False).interval is None
    assert over_seeds(values[:1], 10).interval is None


trials = st.integers(0, 4).map(lambda successes: Trials(4, successes))
seeds = st.dictionaries(
    st.integers(0, 9), st.fixed_dictionaries({"a": trials, "b": trials}), min_size=1, max_size=4
)


@given(seeds)
def test_pass_hat_k_is_the_mean_over_the_seeds_of_each_ones_own(
    by_seed: dict[int, dict[str, Trials]],
) -> None:
    found = reliabilities(by_seed, 4)
    assert len(found) == 4
    for k, each in enumerate(found, 1):
        own = [fmean(pass_hat_k(t, k) for t in tasks.values()) for tasks in by_seed.values()]
        assert each.value == pytest.approx(fmean(own))
        assert (each.seeds, each.n) == (len(by_seed), 8 * len(by_seed))
    values = [each.value or 0.0 for each in found]
    assert values == sorted(values, reverse=True)


def test_k_goes_as_far_as_every_task_of_every_seed_was_tried() -> None:
    found = reliabilities({0: {"a": Trials(4, 4)}, 1: {"a": Trials(2, 1), "b": Trials(3, 3)}}, 4)
    assert len(found) == 2
    assert found[0].value == pytest.approx((1 + (0.5 + 1) / 2) / 2)
    assert reliabilities({}, 4) == ()
