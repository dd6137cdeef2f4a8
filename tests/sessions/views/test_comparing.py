from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from sessions.events import (
    AgentSaid,
    AnyEvent,
    CustomerSaid,
    ModelAnswered,
    ModelChanged,
    ProposedCall,
    SessionEnded,
    SessionForked,
    SessionResumed,
    ToolCalled,
    ToolReturned,
)
from sessions.views import CustomerWords, Note
from sessions.views.comparing import Comparison, compare_logs
from tests.effort import tries
from tests.sessions.store.test_laws import EVENTS
from tests.sessions.toy import SESSION, card, decided, log_of, shown, started


def said(turn: int, text: str = "please") -> CustomerSaid:
    return CustomerSaid(text=text, turn=turn)


def looked_up(call_id: str, text: str = "{}") -> list[AnyEvent]:
    proposed = ProposedCall(id=call_id, name="get_order", arguments="{}")
    return [
        ModelAnswered(model="m", text="", calls=(proposed,)),
        ToolCalled(call_id=call_id, name="get_order", arguments={}),
        ToolReturned(call_id=call_id, name="get_order", text=text),
    ]


def of(left: list[AnyEvent], right: list[AnyEvent]) -> Comparison:
    return compare_logs(log_of(started(), *left), log_of(started(), *right))


CONSISTENT = st.lists(EVENTS, max_size=10).filter(
    lambda events: not any(each.type == "decision_made" for each in events)
)


@settings(max_examples=tries(100), deadline=None)
@given(CONSISTENT)
def test_a_session_differs_in_nothing_from_itself(events: list[AnyEvent]) -> None:
    found = of(events, events)
    assert found.first is None
    assert all(pair.left == pair.right for pair in found.pairs)


@settings(max_examples=tries(100), deadline=None)
@given(CONSISTENT, CONSISTENT)
def test_both_sides_are_whole_and_in_order_and_the_other_way_round_differs_as_much(
    left: list[AnyEvent], right: list[AnyEvent]
) -> None:
    found, turned = of(left, right), of(right, left)
    for side, own in (("left", left), ("right", right)):
        items = [getattr(pair, side) for pair in found.pairs]
        seqs = [each.seq for each in items if each is not None and not isinstance(each, Note)]
        assert seqs == sorted(seqs)
        words = [each.text for each in items if isinstance(each, CustomerWords)]
        assert words == [event.text for event in own if isinstance(event, CustomerSaid)]
    assert (found.first is None) == (turned.first is None)


def test_the_first_difference_is_told_with_its_turn() -> None:
    start: list[AnyEvent] = [said(1), AgentSaid(text="hi"), said(2)]
    found = of([*start, AgentSaid(text="yes")], [*start, AgentSaid(text="no")])
    assert found.first == 3
    assert found.turn == 2
    assert found.differences == 1


def test_what_one_side_did_more_does_not_set_the_rest_of_the_turn_askew() -> None:
    end: list[AnyEvent] = [AgentSaid(text="done"), said(2), AgentSaid(text="bye")]
    found = of(
        [said(1), *looked_up("a"), *end],
        [said(1), *looked_up("x", "other"), *looked_up("y"), *end],
    )
    assert [(pair.left is not None, pair.same) for pair in found.pairs] == [
        (True, True), (False, False), (True, True), (True, True), (True, True), (True, True),
    ]  # fmt: skip


def test_ids_and_remarks_about_the_session_are_no_difference() -> None:
    one = [said(1), *looked_up("a"), shown("k1"), decided("k1", "reject", "no")]
    other = [
        SessionForked(parent=SESSION, seq=1), said(1), SessionResumed(program="2"),
        *looked_up("b"), ModelChanged(model="other"), shown("k2"), decided("k2", "reject", "no"),
    ]  # fmt: skip
    found = of(one, other)
    assert found.first is None
    assert found.turn is None


def test_another_word_on_a_card_is_a_difference() -> None:
    assert card("a").tool == "cancel"
    found = of(
        [said(1), shown("a"), decided("a", "reject", "no")],
        [said(1), shown("b"), decided("b", "reject", "not this one")],
    )
    assert found.first == 1


def test_one_that_goes_on_longer_differs_where_the_other_stops() -> None:
    found = of([said(1)], [said(1), AgentSaid(text="hi"), SessionEnded(reason="customer")])
    assert found.first == 1
    assert all(pair.left is None for pair in found.pairs[1:])


def test_a_turn_that_only_one_side_has_does_not_set_the_later_ones_askew() -> None:
    end: list[AnyEvent] = [said(3, "and that"), AgentSaid(text="yes"), said(4, "bye")]
    found = of(
        [said(1, "hello"), AgentSaid(text="hi"), *end],
        [said(1, "hello"), AgentSaid(text="hi"), said(2, "wait"), AgentSaid(text="ok"), *end],
    )
    assert (found.first, found.differences) == (2, 2)
