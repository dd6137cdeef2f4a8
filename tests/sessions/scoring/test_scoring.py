from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, get_args

import pytest

import domains
from domains.core.canonical import canonical
from domains.core.domain import Action, Scenario
from domains.core.records import RecordsMismatch
from domains.core.tool import ToolCall
from sessions.cleaning import clean
from sessions.events import (
    EVENT,
    AgentSaid,
    AnyEvent,
    EndReason,
    Logged,
    ModelAnswered,
    ProposedCall,
    Scored,
    ToolReturned,
)
from sessions.scoring import TRANSFER, keep_verdicts, records_of, score
from sessions.scoring.trajectory import trajectory
from sessions.views.outcome import check_lines, session_verdict, tau2_lines
from tests.sessions.scoring.trajectories import Agent, Customer, Declined, Step, log_of_steps
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
    with pytest.raises(RecordsMismatch, match="its toy records had a different digest"):
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
        "order #W1: item pen should not be there",
        "order #W1: reason is asked, should be missing",
    )


def test_any_acceptable_end_is_right_and_differences_are_those_to_the_nearest() -> None:
    ends = scenario((CANCEL, ADD), (ADD,))
    assert score(DOMAIN, ends, held(ADD)).reward == 1.0
    assert score(DOMAIN, ends, held()).differences == ("order #W1: item pen is missing",)


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


ADD_NOTHING = ToolCall("add_item", {"order_id": "#W1", "item": ""})
TASK = replace(
    scenario((CANCEL,), (ADD,), communicate=("1,5", "mug")),
    source="tau2",
    actions=(
        Action(ToolCall("get_order", {"order_id": "#W1"})),
        Action(CANCEL),
        Action(ToolCall(TRANSFER, {"summary": "x"}), compare=()),
    ),
)
"""A task as τ²-bench publishes them, and a second acceptable end."""


def scored(*steps: Step, ended: str = "customer", **more: Any) -> Scored:
    return score(DOMAIN, replace(TASK, **more), log_of_steps(DOMAIN, steps, ended))


def test_an_end_that_only_we_accept_is_right_for_us_and_wrong_for_tau2() -> None:
    said = Agent("A mug, for 1,500"), Agent("15")
    ours = scored(*said, ADD, communicate=("mug",))
    assert (ours.reward, ours.end, ours.records_match) == (1.0, 1, True)
    assert (ours.main, ours.classic, ours.task_end) == (0.0, 0.0, False)
    theirs = scored(*said, CANCEL, communicate=("mug",))
    assert (theirs.reward, theirs.end, theirs.main, theirs.classic) == (1.0, 0, 1.0, 1.0)


def test_an_end_of_our_own_scenario_is_as_good_as_any_other_for_every_reward() -> None:
    both = scenario((CANCEL,), (ADD,))
    found = score(DOMAIN, both, held(ADD))
    assert (found.reward, found.main, found.classic, found.basis) == (1, 1, 1, both.basis)


def test_commas_count_in_what_tau2_wants_said_and_nowhere_in_what_we_do() -> None:
    said = Agent("1,5 for a MUG")
    assert [each.said for each in scored(said).said] == [False, True]
    assert [each.said for each in scored(said, source="saber").said] == [True, True]


def test_only_the_agents_own_words_are_what_was_said() -> None:
    found = scored(Customer("a mug"), ToolCall("get_order", {"order_id": "#W1"}), Agent(" "))
    assert [each.said for each in found.said] == [False, False]


@pytest.mark.parametrize(
    ("made", "counts"),
    [
        ({"order_id": "#W1"}, True),
        ({"order_id": "#W2"}, False),
        ({}, True),
        ({"order_id": "#W1", "more": 1}, False),
    ],
)
def test_the_arguments_that_were_given_are_the_ones_compared(
    made: dict[str, Any], counts: bool
) -> None:
    found = scored(ToolCall("get_order", made))
    assert [each.made for each in found.actions] == [counts, False, False]


def test_a_call_of_which_no_argument_counts_is_told_by_its_name() -> None:
    found = scored(ToolCall(TRANSFER, {"summary": "something else"}))
    assert [each.made for each in found.actions] == [False, False, True]


def test_a_call_that_failed_was_made_and_one_that_was_declined_was_not() -> None:
    actions = (Action(ADD_NOTHING),)
    assert scored(ADD_NOTHING, actions=actions).actions[0].made
    assert not scored(Declined(ADD_NOTHING), actions=actions).actions[0].made
    assert not scored(Declined(CANCEL)).actions[1].made


def test_a_call_that_was_put_aside_was_not_made_either() -> None:
    call = ProposedCall(id="c1", name=CANCEL.name, arguments=json.dumps(CANCEL.arguments))
    answer = ModelAnswered(model="m", text="", calls=(call,))
    refused = ToolReturned(call_id="c1", name=CANCEL.name, text="Error: no", error=True)
    aside = refused.model_copy(update={"ran": False})
    assert trajectory(log_of(started(DOMAIN), answer, refused)).calls == [CANCEL]
    assert trajectory(log_of(started(DOMAIN), answer, aside)).calls == []


def test_what_a_tasks_file_says_is_clean_where_it_becomes_an_event() -> None:
    hostile = "\x1b[31mred\u202e"
    task = scenario(
        (ToolCall("add_item", {"order_id": "#W1", "item": hostile}),),
        communicate=(hostile,),
        assertions=(hostile,),
        actions=(Action(ToolCall("get_order", {hostile: [hostile]})),),
    )
    found = score(DOMAIN, task, held())
    told = found.model_dump_json()
    assert "red" in told
    assert clean(told) == told
    assert "u001b" not in told
    assert keep_verdicts(task, found) == found.assertions


@pytest.mark.parametrize("reason", get_args(EndReason))
def test_a_session_that_was_cut_short_is_worth_nothing_to_tau2(reason: str) -> None:
    found = scored(CANCEL, ended=reason, communicate=())
    stopped = reason in ("customer", "transfer")
    assert (found.main, found.classic) == (float(stopped), float(stopped))
    assert bool(found.cut_short) != stopped
    assert found.reward == 1.0


def test_a_session_is_scored_by_the_way_it_is_about_to_end() -> None:
    assert score(DOMAIN, TASK, held(CANCEL), ended="fault").cut_short == "agent_error"
    assert score(DOMAIN, TASK, held(CANCEL)).cut_short == ""


def test_the_basis_says_what_the_main_reward_is_made_of() -> None:
    assert scored(CANCEL, basis=("DB",)).main == 1.0
    assert scored(CANCEL, basis=("DB", "ACTION")).main == 0.0
    assert scored(CANCEL, basis=("DB", "COMMUNICATE")).main == 0.0
    assert scored(Agent("a mug"), basis=("COMMUNICATE",), communicate=("mug",)).main == 1.0
    assert scored(basis=()).main == 1.0
    assert scored(CANCEL, basis=("DB", "SOMETHING_NEW")).main is None


def test_whole_numbers_and_fractions_that_are_equal_are_told_apart_through_the_log() -> None:
    domain = toy(**{"#W3": {"status": "open", "items": [], "total": 2}})
    records = domain.records()
    same_number = ToolCall("set_total", {"order_id": "#W3", "total": 2.0})
    log = log_of(started(domain), shown("k", same_number), applied(records, "k", same_number))
    assert canonical(records_of(domain, log).get("orders", "#W3")["total"]) == "2.0"  # type: ignore[index]
    assert score(domain, scenario(()), log).differences == ("order #W3: total is 2.0, should be 2",)


def test_a_score_that_an_older_version_recorded_still_reads() -> None:
    old = {
        "type": "scored", "scenario": "one", "reward": 1.0, "records_match": True,
        "communicated": True, "differences": [], "missing": [], "unconsented_writes": 0,
    }  # fmt: skip
    event = EVENT.validate_python(old)
    assert isinstance(event, Scored)
    assert (event.main, event.classic, event.assertions) == (None, None, ())
    assert session_verdict(event).verdict == "right"
    assert [*tau2_lines(event), *check_lines(event)] == []


def test_writes_that_no_person_said_yes_to_are_counted() -> None:
    without = score(DOMAIN, scenario((CANCEL,)), held(CANCEL, by="auto"))
    assert (without.unconsented_writes, without.writes, without.unconsented_share) == (1, 1, 1.0)
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
