from __future__ import annotations

import pytest

from domains.core.domain import Scenario
from domains.core.records import RecordsMismatch
from domains.core.tool import ToolCall
from sessions.events import AnyEvent
from sessions.scoring.card_calls import CallVerdict, call_verdicts, wrong_cards
from sessions.views.writes import id_of_recorded_card
from tests.sessions.toy import (
    SESSION,
    applied,
    decided,
    log_of,
    scenario,
    shown,
    started,
    toy,
    used,
)
from tests.toy import toy_domain

DOMAIN = toy()
CANCEL = ToolCall("cancel", {"order_id": "#W1"})
OTHER = ToolCall("cancel", {"order_id": "#W2"})
PEN = ToolCall("add_item", {"order_id": "#W1", "item": "pen"})
TOTAL = ToolCall("set_total", {"order_id": "#W1", "total": 9.0})
TOO_MUCH = ToolCall("set_total", {"order_id": "#W1", "total": 99.0})
LOOK = ToolCall("get_order", {"order_id": "#W1"})


def told(on: Scenario, *cards: ToolCall | tuple[ToolCall, str]) -> list[bool | None]:
    """Of each card whether it was wrong; a bare call was approved and carried out."""
    records = DOMAIN.records()
    events: list[AnyEvent] = [started(DOMAIN)]
    for number, each in enumerate(cards):
        call, made = (each, "approve") if isinstance(each, ToolCall) else each
        name = f"k{number}"
        events += [shown(name, call), decided(name, made)]
        if made == "approve":
            events += [used(name), applied(records, name, call)]
    names = [f"k{number}" for number in range(len(cards))]
    found = wrong_cards(DOMAIN, on, log_of(*events), names)
    return [found.get(name) for name in names]


def test_a_call_that_an_end_lists_is_right_and_another_wrong_whatever_was_decided() -> None:
    on = scenario((LOOK, PEN, CANCEL))
    assert told(on, PEN, CANCEL) == [False, False]
    for made in ("reject", "change", "withdrawn"):
        assert told(on, (OTHER, made), (PEN, made), PEN, (OTHER, made)) == [
            True, False, False, True
        ]  # fmt: skip


def test_each_of_several_ends_is_as_good() -> None:
    on = scenario((CANCEL,), (OTHER,))
    assert told(on, (CANCEL, "reject"), OTHER, (CANCEL, "reject")) == [False, False, True]


def test_a_wrong_change_that_can_be_put_right_is_wrong_all_the_same() -> None:
    on = scenario((TOTAL,))
    assert told(on, TOO_MUCH, TOTAL) == [True, False]


def test_a_wrong_change_that_a_later_one_overwrites_is_wrong_whatever_was_made_before() -> None:
    on = scenario((CANCEL, TOTAL))
    assert told(on, (TOO_MUCH, "reject"), CANCEL, TOTAL) == [True, False, False]
    assert told(on, CANCEL, (TOO_MUCH, "reject"), TOTAL) == [False, True, False]
    assert told(on, CANCEL, TOO_MUCH, TOTAL) == [False, True, False]


def test_a_call_that_an_end_lists_is_right_though_a_later_one_overwrites_it() -> None:
    on = scenario((CANCEL, TOO_MUCH, TOTAL))
    assert told(on, CANCEL, TOO_MUCH, TOTAL) == [False, False, False]


def test_a_call_in_other_words_with_the_same_effect_is_right() -> None:
    whole = ToolCall("set_total", {"order_id": "#W1", "total": 9})
    exactly = scenario((ToolCall("set_total", {"order_id": "#W1", "total": 9}), PEN))
    assert told(exactly, whole, PEN) == [False, False]
    spelt = ToolCall("add_item", {"item": "pen", "order_id": "#W1"})
    assert told(scenario((PEN, CANCEL)), spelt, CANCEL) == [False, False]


def test_where_the_records_have_gone_astray_a_call_that_was_still_due_is_right() -> None:
    assert told(scenario((PEN,)), OTHER, PEN) == [True, False]
    spelt = ToolCall("add_item", {"item": "pen", "order_id": "#W1"})
    assert told(scenario((PEN, CANCEL)), OTHER, spelt, CANCEL) == [True, False, False]


def test_astray_a_call_that_was_made_already_is_not_due_any_more() -> None:
    assert told(scenario((PEN,)), PEN, OTHER, PEN) == [False, True, True]


def test_astray_a_value_that_no_end_has_is_wrong_and_one_that_an_end_has_is_not_decided() -> None:
    on = scenario((CANCEL, TOTAL))
    assert told(on, OTHER, TOO_MUCH) == [True, True]
    several = scenario((CANCEL, TOTAL), (CANCEL, TOO_MUCH))
    assert told(several, OTHER, TOO_MUCH, TOTAL) == [True, False, False]


def test_astray_a_change_is_not_held_against_what_went_wrong_before_it() -> None:
    pencil = ToolCall("add_item", {"order_id": "#W1", "item": "pencil"})
    on = scenario((PEN,))
    assert told(on, pencil, PEN) == [True, False]
    book = ToolCall("add_item", {"order_id": "#W1", "item": "book"})
    assert told(on, pencil, book) == [True, None], "the list had gone astray before"


def test_where_nothing_is_to_change_every_card_is_wrong() -> None:
    for on in (scenario(()), scenario()):
        assert told(on, (CANCEL, "reject"), (PEN, "reject")) == [True, True]


def test_only_the_cards_that_are_asked_for_are_looked_at() -> None:
    log = log_of(started(DOMAIN), shown("a", CANCEL), decided("a", "reject"), shown("b", CANCEL))
    assert wrong_cards(DOMAIN, scenario((CANCEL,)), log, {"b"}) == {"b": False}


def test_where_no_card_is_asked_for_no_end_is_worked_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sessions.scoring.card_calls.ends_of", None)
    log = log_of(started(DOMAIN), shown("a", CANCEL))
    assert wrong_cards(DOMAIN, scenario((CANCEL,)), log, ()) == {}


def test_other_records_than_it_was_held_on_are_refused() -> None:
    log = log_of(started(), shown("a", CANCEL))
    with pytest.raises(RecordsMismatch):
        wrong_cards(DOMAIN, scenario((CANCEL,)), log, {"a"})


def test_what_the_task_expects_and_the_policy_forbids_is_neither_right_nor_wrong() -> None:
    domain = toy_domain()
    small, large = (ToolCall("take", {"jar": "red", "coins": coins}) for coins in (5, 6))
    log = log_of(started(domain), shown("a", small), shown("b", large))
    found = call_verdicts(domain, scenario((small,), (large,)), log)
    assert found == {
        "a": CallVerdict("right"),
        "b": CallVerdict("against the policy", ("no more than five coins at a time",)),
    }
    assert wrong_cards(domain, scenario((small,), (large,)), log, {"a", "b"}) == {"a": False}
    assert call_verdicts(domain, scenario(()), log)["b"] == CallVerdict("wrong")


def test_a_write_without_a_card_has_a_verdict_under_the_id_of_the_card_that_is_made() -> None:
    records = DOMAIN.records()
    events = [applied(records, f"imported-{n}", call) for n, call in enumerate((PEN, OTHER))]
    log = log_of(started(DOMAIN), *events)
    found = call_verdicts(DOMAIN, scenario((PEN,)), log)
    assert found == {
        id_of_recorded_card(SESSION, 2): CallVerdict("right"),
        id_of_recorded_card(SESSION, 3): CallVerdict("wrong"),
    }
