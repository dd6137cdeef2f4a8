from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domains.core.domain import Action
from domains.core.tool import ToolCall
from sessions.scoring.papers_deviations import first_departure, papers_deviation
from sessions.statistics.distance import Distance
from tests.sessions.toy import scenario, toy

DOMAIN = toy()
ADD = ToolCall("add_item", {"order_id": "#W1", "item": "pen"})
CANCEL = ToolCall("cancel", {"order_id": "#W2"})
LOOK = ToolCall("get_order", {"order_id": "#W1"})
NOWHERE = ToolCall("no_such_tool", {})
CALLS = st.lists(st.sampled_from([ADD, CANCEL, LOOK, NOWHERE]), max_size=6)


def counted(calls: list[ToolCall]) -> tuple[int, int]:
    changes = sum(call.name in ("add_item", "cancel") for call in calls)
    return changes, len(calls) - changes


@given(CALLS.filter(bool), CALLS)
def test_the_distance_and_the_departure_are_the_papers(
    reference: list[ToolCall], calls: list[ToolCall]
) -> None:
    what = replace(scenario(), actions=tuple(Action(call) for call in reference))
    found = papers_deviation(DOMAIN, what, calls)
    (m, n), (m_star, n_star) = counted(calls), counted(reference)
    assert found.distance == Distance(abs(m - m_star), abs(n - n_star))
    common = 0
    while common < min(len(calls), len(reference)) and calls[common] == reference[common]:
        common += 1
    if common == len(calls):
        assert (found.departure, found.mutating) == (None, False)
    else:
        assert found.departure == calls[common].name
        assert found.mutating == (calls[common] in (ADD, CANCEL))


def test_a_look_up_can_be_the_departure_where_ours_waits_for_a_change() -> None:
    what = replace(scenario(), actions=(Action(ADD),))
    found = papers_deviation(DOMAIN, what, [LOOK, ADD])
    assert (found.departure, found.mutating) == ("get_order", False)


def test_without_a_list_of_its_own_the_first_end_is_the_reference() -> None:
    what = replace(scenario(), actions=(), ends=((ADD,), (CANCEL, CANCEL)))
    assert papers_deviation(DOMAIN, what, [ADD]).distance == Distance(0, 0)
    assert papers_deviation(DOMAIN, what, [CANCEL, CANCEL]).distance == Distance(1, 0)


@pytest.mark.parametrize(("compare", "same"), [(None, False), (("order_id",), True), ((), True)])
def test_arguments_that_a_task_does_not_compare_are_none_of_its_business(
    compare: tuple[str, ...] | None, same: bool
) -> None:
    other = ToolCall("add_item", {"order_id": "#W1", "item": "cup"})
    assert (first_departure([Action(ADD, compare)], [other]) is None) == same
