from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import domains
from domains.core.domain import Action
from domains.core.records import RecordsMismatch
from domains.core.tool import ToolCall
from sessions.events import AnyEvent, Logged, ToolCalled, ToolReturned
from sessions.scoring.deviating import deviations
from sessions.statistics.distance import Actions, Distance, nearest
from tests.sessions.toy import (
    CANCEL,
    applied,
    decided,
    log_of,
    order,
    scenario,
    shown,
    started,
    toy,
    used,
)

DOMAIN = toy()
ADD = ToolCall("add_item", {"order_id": "#W1", "item": "pen"})
WRONG = ToolCall("cancel", {"order_id": "#W2"})
LOOK = ToolCall("get_order", {"order_id": "#W1"})
FAILING = ToolCall("add_item", {"order_id": "#W1", "item": ""})


def held(*calls: ToolCall) -> list[Logged]:
    """A session with these calls in order; look-ups run, writes are approved and applied."""
    records = DOMAIN.records()
    events: list[AnyEvent] = [started(DOMAIN)]
    for number, call in enumerate(calls):
        card = f"k{number}"
        if DOMAIN.tools.mutates(call.name):
            events += [shown(card, call), decided(card, "approve"), used(card)]
            events.append(applied(records, card, call))
        else:
            arguments = dict(call.arguments)
            events.append(ToolCalled(call_id=card, name=call.name, arguments=arguments))
            events.append(ToolReturned(call_id=card, name=call.name, text="{}"))
    return log_of(*events)


@given(st.tuples(st.integers(0, 9), st.integers(0, 9)), st.data())
def test_the_distance_is_the_papers_to_the_nearest_reference(
    counts: tuple[int, int], data: st.DataObject
) -> None:
    session = Actions(*counts)
    pairs = st.tuples(st.integers(0, 9), st.integers(0, 9))
    references = [Actions(*each) for each in data.draw(st.lists(pairs, min_size=1, max_size=4))]
    found = nearest(session, references)
    distances = [
        (abs(counts[0] - each.mutating), abs(counts[1] - each.non_mutating)) for each in references
    ]
    assert (found.mutating, found.non_mutating) == min(distances)


def test_a_session_that_does_what_the_end_says_deviates_by_its_look_ups_alone() -> None:
    found = deviations(DOMAIN, scenario((CANCEL,)), held(LOOK, LOOK, CANCEL))
    assert found.distance == Distance(0, 2)
    assert (found.decisive, found.at_an_end, found.lists_look_ups) == (None, True, False)


def test_look_ups_that_the_task_lists_are_expected() -> None:
    in_the_end = scenario((LOOK, CANCEL))
    assert deviations(DOMAIN, in_the_end, held(LOOK, CANCEL)).distance == Distance(0, 0)
    listed = scenario((CANCEL,), actions=(Action(LOOK), Action(LOOK), Action(CANCEL)))
    found = deviations(DOMAIN, listed, held(CANCEL))
    assert (found.distance, found.lists_look_ups) == (Distance(0, 2), True)


def test_a_write_that_failed_counts_with_what_changes_nothing() -> None:
    assert deviations(DOMAIN, scenario((CANCEL,)), held(FAILING, CANCEL)).distance == Distance(0, 1)
    listed = scenario((FAILING, CANCEL))
    assert deviations(DOMAIN, listed, held(FAILING, CANCEL)).distance == Distance(0, 0)


def test_the_nearest_of_several_ends_is_the_reference() -> None:
    ends = scenario((CANCEL, ADD), ())
    assert deviations(DOMAIN, ends, held()).distance == Distance(0, 0)
    assert deviations(DOMAIN, ends, held(CANCEL)).distance == Distance(1, 0)


def test_a_scenario_without_ends_expects_nothing() -> None:
    assert deviations(DOMAIN, scenario(), held(CANCEL)).decisive == "cancel"


def test_the_decisive_write_is_the_first_after_which_no_end_can_be_reached() -> None:
    log = held(LOOK, CANCEL, WRONG, ADD)
    found = deviations(DOMAIN, scenario((CANCEL, ADD)), log)
    assert found.decisive == "cancel"
    place = next(each for each in log if each.seq == found.decisive_seq)
    assert place.event.type == "write_applied"
    assert place.event.arguments == {"order_id": "#W2"}
    assert not found.at_an_end


def test_stopping_short_is_no_decisive_write() -> None:
    found = deviations(DOMAIN, scenario((CANCEL, ADD)), held(ADD))
    assert (found.distance, found.decisive, found.at_an_end) == (Distance(1, 0), None, False)


def test_the_order_of_writes_that_lead_to_the_same_records_decides_nothing() -> None:
    found = deviations(DOMAIN, scenario((CANCEL, ADD)), held(ADD, CANCEL))
    assert (found.decisive, found.at_an_end) == (None, True)


def test_a_write_too_many_is_decisive_even_where_every_right_one_was_made() -> None:
    found = deviations(DOMAIN, scenario((ADD,)), held(ADD, ADD))
    assert (found.distance, found.decisive) == (Distance(1, 0), "add_item")


def test_another_end_may_still_be_reached() -> None:
    assert deviations(DOMAIN, scenario((CANCEL,), (ADD,)), held(ADD)).decisive is None
    assert deviations(DOMAIN, scenario((CANCEL,), (ADD,)), held(ADD, CANCEL)).decisive == "cancel"


@given(st.lists(st.sampled_from([CANCEL, ADD, WRONG, LOOK]), max_size=5))
def test_at_an_end_nothing_was_decisive_and_after_a_decisive_write_no_end_is_reached(
    calls: list[ToolCall],
) -> None:
    found = deviations(DOMAIN, scenario((CANCEL,), (ADD, CANCEL)), held(*calls))
    assert not (found.at_an_end and found.decisive)
    right = WRONG not in calls and calls.count(ADD) <= 1
    assert (found.decisive is None) == right


def test_other_records_are_refused() -> None:
    other = toy(**{"#W3": order()})
    with pytest.raises(RecordsMismatch):
        deviations(other, scenario((CANCEL,)), held(CANCEL))


def test_what_can_still_be_put_right_is_not_decisive() -> None:
    retail = domains.load("retail")
    wanted = retail.scenario("send-it-home")
    (right,) = wanted.ends[0]
    wrong = ToolCall(right.name, {**right.arguments, "city": "Elsewhere"})
    records = retail.records()
    events: list[AnyEvent] = [started(retail)]
    for number, call in enumerate((right, wrong)):
        card = f"k{number}"
        events += [shown(card, call), decided(card, "approve"), used(card)]
        events.append(applied(records, card, call))
    found = deviations(retail, wanted, log_of(*events))
    assert (found.decisive, found.at_an_end, found.distance.mutating) == (None, False, 1)
