from __future__ import annotations

from itertools import chain
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.headless.plan import Arm, Plan, RunError
from agent.memory.keeping import is_name
from agent.streaming.plan import (
    VARIANTS,
    Learning,
    StreamPlan,
    bank_name,
    families_of,
    in_order,
    learnings,
    with_sisters,
)
from agent.streaming.stream import key_of
from domains.core.gap import Variant
from sessions.events import Safeguards
from tests.agent.headless.plans import plan
from tests.agent.streaming.streams import (
    EXPLAINED,
    NOTHING,
    family,
    gap_domain,
    scenario,
    stream_plan,
)

variants: st.SearchStrategy[list[Variant]] = st.lists(
    st.sampled_from(VARIANTS[1:]), unique=True, max_size=3
)
tasks = st.dictionaries(st.integers(0, 30).map(lambda n: f"t{n}"), variants, max_size=8).map(
    lambda found: [each for name, own in found.items() for each in family(name, *own)]
)


@given(tasks.flatmap(st.permutations), st.integers(0, 99))
def test_each_task_comes_once_and_sisters_right_after_their_parent(chosen: Any, seed: int) -> None:
    order = list(in_order(families_of(chosen), seed))
    assert sorted(each.id for each in order) == sorted(each.id for each in chosen)
    for before, after in zip([None, *order], order, strict=False):
        if after.parent:
            assert before is not None
            assert after.parent in (before.id, before.parent)
            assert VARIANTS.index(after.variant) > VARIANTS.index(before.variant)


@given(tasks, tasks, st.integers(0, 99))
def test_an_order_does_not_depend_on_what_else_is_played(some: Any, more: Any, seed: int) -> None:
    known = {each.id for each in some}
    both = [*some, *(each for each in more if (each.parent or each.id) not in known)]
    ids = [each.id for each in in_order(families_of(both), seed)]
    assert [each for each in ids if each in known] == [
        each.id for each in in_order(families_of(some), seed)
    ]


def test_trials_share_the_order_of_their_seed_and_nothing_else() -> None:
    lanes = list(stream_plan(gap_domain(3, 4), NOTHING, EXPLAINED, seeds=(5, 6), trials=3).lanes())
    by_seed = {lane.seed: [each.scenario.id for each in lane.places] for lane in lanes}
    assert by_seed[5] != by_seed[6]
    for lane in lanes:
        assert [each.scenario.id for each in lane.places] == by_seed[lane.seed]
        positions = [each.run.stream and each.run.stream.position for each in lane.places]
        assert positions == list(range(1, len(lane.places) + 1))
    assert len({lane.bank for lane in lanes}) == len(lanes) == 12
    places = list(chain.from_iterable(lane.places for lane in lanes))
    assert len({key_of(each) for each in places}) == len(places)


@given(st.from_regex(r"[\w.:+-]{1,80}", fullmatch=True), st.integers(0, 10**9))
def test_whatever_a_run_is_called_its_memories_have_names_of_their_own(run: str, seed: int) -> None:
    compared = learnings(
        ("policybank", "reasoningbank", "synapse"), ("reward", "explanation", "oracle"),
        ("tool", "embedding", "whole", "none"),
    )  # fmt: skip
    names = {bank_name(run, each, seed, trial) for each in compared for trial in (1, 11)}
    assert len(names) == 2 * len(compared) == 2 * (12 + 3 + 1)
    assert all(map(is_name, names))
    assert bank_name(run, compared[0], seed, 1) != bank_name(f"{run}x", compared[0], seed, 1)


def test_more_seeds_and_trials_are_the_same_run_and_more_tasks_are_not() -> None:
    few = stream_plan(gap_domain(1), EXPLAINED)
    assert stream_plan(gap_domain(1), EXPLAINED, seeds=(0, 1), trials=4).name == few.name
    assert stream_plan(gap_domain(1), EXPLAINED, seeds=(7,), seed=7).name == few.name
    assert stream_plan(gap_domain(2), EXPLAINED).name != few.name
    assert stream_plan(gap_domain(1), Learning("policybank", "reward", "tool")).name != few.name


def test_a_parent_brings_its_sisters_and_all_tasks_bring_all_gaps() -> None:
    domain = gap_domain(2, 2)
    (parent,) = (each for each in domain.gap_scenarios if each.id == "p1")
    one = with_sisters(plan(domain, scenarios=(parent,)), every=False)
    assert [each.id for each in one.scenarios] == ["p1"] + [f"p1-{v}" for v in VARIANTS[1:]]
    assert len(with_sisters(plan(domain), every=True).scenarios) == 2 + 8
    other = with_sisters(plan(domain, scenarios=domain.scenarios[:1]), every=False)
    assert [each.id for each in other.scenarios] == ["other-0"]


def test_a_stream_is_one_agent() -> None:
    shared = Plan(
        gap_domain(), (scenario("a"),), "clerk+all", "scripted", (Arm(Safeguards(), "no memory"),)
    )
    with pytest.raises(RunError, match="one agent"):
        StreamPlan(shared, (NOTHING,), (0,), 1)
