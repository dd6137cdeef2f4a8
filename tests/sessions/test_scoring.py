from __future__ import annotations

import pytest

import domains
from domains.domain import Scenario
from domains.records import RecordsMoved
from domains.tool import ToolCall
from sessions.events import AgentSaid, AnyEvent, Logged, ToolReturned
from sessions.scoring import TRANSFER, records_of, score
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

ADD = ToolCall("add_item", {"order_id": "#W1", "item": "pen"})
DOMAIN = toy()


def held(*calls: ToolCall, by: str = "person", then: tuple[AnyEvent, ...] = ()) -> list[Logged]:
    """A session in which these writes were approved and applied."""
    records = DOMAIN.records()
    events: list[AnyEvent] = [started(DOMAIN)]
    for number, call in enumerate(calls):
        card = f"k{number}"
        events += [shown(card, call), decided(card, "approve", by=by), used(card)]
        events.append(applied(records, card, call))
    return log_of(*events, *then)


def test_records_are_made_from_the_log_and_not_by_running_calls_again() -> None:
    records = records_of(DOMAIN, held(ADD, CANCEL))
    assert records.get("orders", "#W1") == {
        **order("cancelled"), "items": ["mug", "pen"], "reason": "asked"
    }  # fmt: skip
    assert records.get("orders", "#W2") == order("delivered")


def test_records_of_another_base_are_refused() -> None:
    other = toy(**{"#W3": order()})
    with pytest.raises(RecordsMoved, match="its toy records had another digest"):
        records_of(other, held(CANCEL))


def test_records_where_they_should_be_score_one() -> None:
    scored = score(DOMAIN, scenario((CANCEL,)), held(CANCEL))
    assert (scored.reward, scored.records_match, scored.communicated) == (1.0, True, True)
    assert (scored.scenario, scored.differences, scored.unconsented_writes) == ("one", (), 0)


def test_the_order_of_writes_that_lead_to_the_same_records_does_not_matter() -> None:
    assert score(DOMAIN, scenario((CANCEL, ADD)), held(ADD, CANCEL)).reward == 1.0


def test_a_write_that_is_missing_is_told_field_by_field() -> None:
    scored = score(DOMAIN, scenario((CANCEL,)), held())
    assert (scored.reward, scored.records_match) == (0.0, False)
    assert scored.differences == (
        "order #W1: status is pending, should be cancelled",
        "order #W1: reason is missing, should be asked",
    )


def test_a_write_too_many_is_told_field_by_field() -> None:
    scored = score(DOMAIN, scenario(()), held(CANCEL, ADD))
    assert scored.differences == (
        "order #W1: status is cancelled, should be pending",
        "order #W1: items.1 is pen, should be missing",
        "order #W1: reason is asked, should be missing",
    )


def test_any_acceptable_end_is_right_and_differences_are_those_to_the_nearest() -> None:
    ends = scenario((CANCEL, ADD), (ADD,))
    assert score(DOMAIN, ends, held(ADD)).reward == 1.0
    assert score(DOMAIN, ends, held()).differences == (
        "order #W1: items.1 is missing, should be pen",
    )


def test_an_end_whose_call_fails_is_where_the_records_stood() -> None:
    nowhere = ToolCall("add_item", {"order_id": "#W1", "item": ""})
    assert score(DOMAIN, scenario((nowhere, CANCEL)), held(CANCEL)).reward == 1.0


def test_what_must_be_said_is_found_whatever_its_case_and_commas() -> None:
    wanted = scenario((), communicate=("1,234.5", "PayPal"))
    said = AgentSaid(text="That is $1234.50, back to your paypal account.")
    assert score(DOMAIN, wanted, held(then=(said,))).reward == 1.0
    scored = score(DOMAIN, wanted, held(then=(AgentSaid(text="$1,234.50"),)))
    assert (scored.reward, scored.communicated, scored.records_match) == (0.0, False, True)
    assert scored.missing == ("the agent did not say: PayPal",)


def test_a_hand_over_that_is_asked_for_must_have_happened() -> None:
    wanted = scenario((), transfer=True)
    done = ToolReturned(call_id="c", name=TRANSFER, text="Transfer successful")
    failed = done.model_copy(update={"error": True})
    assert score(DOMAIN, wanted, held(then=(done,))).reward == 1.0
    scored = score(DOMAIN, wanted, held(then=(failed,)))
    assert (scored.reward, scored.missing) == (0.0, ("the agent did not hand over to a human",))


def test_writes_that_no_person_said_yes_to_are_counted() -> None:
    assert score(DOMAIN, scenario((CANCEL,)), held(CANCEL, by="auto")).unconsented_writes == 1
    declined: list[AnyEvent] = [started(DOMAIN), shown("k"), decided("k", "reject")]
    log = log_of(*declined, applied(DOMAIN.records(), "k"))
    assert score(DOMAIN, scenario((CANCEL,)), log).unconsented_writes == 1


@pytest.mark.parametrize("wanted", domains.load("retail").scenarios, ids=lambda each: each.id)
def test_every_demo_scenario_is_right_at_each_of_its_ends_and_nowhere_else(
    wanted: Scenario,
) -> None:
    retail = domains.load("retail")
    said = [AgentSaid(text=text) for text in wanted.communicate]
    handed_over = ToolReturned(call_id="c", name=TRANSFER, text="Transfer successful")
    rest: list[AnyEvent] = [*said, *([handed_over] if wanted.transfer else [])]
    for end in wanted.ends:
        records = retail.records()
        events: list[AnyEvent] = [started(retail)]
        for number, call in enumerate(end):
            events += [shown(f"k{number}", call), decided(f"k{number}", "approve")]
            events.append(applied(records, f"k{number}", call))
        assert score(retail, wanted, log_of(*events, *rest)).reward == 1.0
        assert score(retail, wanted, log_of(*events)).reward == float(not rest)
        untouched = score(retail, wanted, log_of(started(retail), *rest))
        assert untouched.records_match == (() in wanted.ends)
