from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import domains
from agent.headless.plan import Arm, Plan, choose_scenarios
from agent.headless.run import Run
from agent.headless.summary import read_ended_sessions
from agent.simulated.answering import YES, reply_from
from agent.simulated.customer import CardPut, Heard, Said, customer_history
from agent.simulated.first_person import first_person, request
from agent.simulated.making import with_wishes
from agent.simulated.remaining_calls import remaining_calls, same_change
from agent.simulated.scripted import ScriptedCustomer
from agent.simulated.scripts import CLOSING, REFUSAL, script_for, script_from
from domains.core.domain import Role
from sessions.events import Safeguards
from sessions.store.store import Store
from tests.agent.simulated.cards import call, card, put, scenario

CANCEL = call("cancel", order_id="#W1")
RETURN = call("return", order_id="#W2", item_ids=["1", "2"])
PAY = call("pay", order_id="#W1", payment_method_id="visa")
SWAP = call("swap", order_id="#W1", item_ids=["1", "2"], new_item_ids=["8", "9"])


@pytest.mark.parametrize("name", ["retail", "airline"])
async def test_every_own_scenario_is_played_to_an_acceptable_end(tmp_path: Path, name: str) -> None:
    domain = domains.load(name)
    plan = Plan(domain, domain.scenarios, "clerk", "scripted", (Arm(Safeguards()),))
    with Store.open(tmp_path / "sessions.sqlite") as store:
        progress = await Run(store, plan).play()
        found = read_ended_sessions(store, plan)
    assert progress.lost == []
    assert {each.task: each.facts.reward for each in found} == {
        each.id: 1.0 for each in domain.scenarios
    }
    assert sum(each.facts.writes_without_yes for each in found) == 0


@pytest.mark.parametrize("name", ["retail", "airline"])
def test_every_own_scenario_has_words_for_each_change_that_it_wants(name: str) -> None:
    for each in domains.load(name).scenarios:
        script = script_for(each)
        assert script.written
        for end in each.ends:
            assert all(script.ask(wish.name, 0) for wish in end)


async def test_a_wanted_change_is_approved_and_another_is_not() -> None:
    customer = ScriptedCustomer(scenario((CANCEL,)))
    yes = await customer.decide(card("cancel", order_id="#W1"), [])
    no = await customer.decide(card("cancel", order_id="#W9"), [])
    other = await customer.decide(card("pay", order_id="#W1"), [])
    assert [yes.choice, no.choice, other.choice] == ["approve", "reject", "reject"]
    assert other.words == REFUSAL


async def test_a_change_is_wanted_once() -> None:
    customer, first = ScriptedCustomer(scenario((CANCEL,))), card("cancel", order_id="#W1")
    again = await customer.decide(card("cancel", order_id="#W1"), [put(first)])
    assert again.choice == "reject"


async def test_what_was_approved_in_one_end_leaves_the_other_ends_behind() -> None:
    either = scenario((CANCEL,), (call("cancel", order_id="#W2"),))
    after = [put(card("cancel", order_id="#W1"))]
    second = await ScriptedCustomer(either).decide(card("cancel", order_id="#W2"), after)
    assert second.choice == "reject"


async def test_an_approval_that_went_stale_counts_for_nothing() -> None:
    stale = put(card("cancel", order_id="#W1"), "withdrawn")
    anew = await ScriptedCustomer(scenario((CANCEL,))).decide(
        card("cancel", order_id="#W1"), [stale]
    )
    assert anew.choice == "approve"


async def test_a_card_that_puts_another_wish_out_of_reach_is_sent_back() -> None:
    customer = ScriptedCustomer(scenario((PAY, SWAP)))
    closing = card("swap", closes=("No more changes.",), **SWAP.arguments)
    early = await customer.decide(closing, [])
    late = await customer.decide(closing, [put(card("pay", **PAY.arguments))])
    assert [early.choice, late.choice] == ["reject", "approve"]


async def test_the_order_of_changes_to_different_records_is_no_matter() -> None:
    customer = ScriptedCustomer(scenario((CANCEL, RETURN)))
    closing = card("return", closes=("No more changes.",), **RETURN.arguments)
    assert (await customer.decide(closing, [])).choice == "approve"


@given(st.permutations([0, 1]))
def test_items_may_be_listed_in_any_order_but_not_paired_otherwise(order: list[int]) -> None:
    listed = {
        "order_id": "#W1",
        "item_ids": [["1", "2"][n] for n in order],
        "new_item_ids": [["8", "9"][n] for n in order],
    }
    crossed = {**listed, "new_item_ids": listed["new_item_ids"][::-1]}
    assert same_change("swap", listed, SWAP)
    assert not same_change("swap", crossed, SWAP)


@given(st.lists(st.sampled_from([CANCEL, RETURN, PAY]), unique_by=lambda each: each.name))
def test_an_end_is_reached_exactly_when_all_of_it_was_approved(approved: list[object]) -> None:
    end = (CANCEL, RETURN, PAY)
    said_yes = [put(card(each.name, **each.arguments)) for each in end if each in approved]
    assert (remaining_calls([end], said_yes).next is None) == (len(approved) == 3)


async def test_who_may_as_well_change_nothing_asks_for_what_they_came_for() -> None:
    customer = ScriptedCustomer(scenario((CANCEL,), ()))
    opening = await customer.speak([Said("agent", "Hi!")])
    asked = [Said("customer", opening or ""), Said("agent", "I will cancel it. Do you confirm?")]
    assert await customer.speak(asked) == YES
    assert remaining_calls([(CANCEL,), ()], [put(card("cancel", order_id="#W1"))]).next is None


async def test_yes_is_said_to_each_change_that_is_wanted_but_not_for_ever() -> None:
    customer = ScriptedCustomer(scenario((CANCEL, RETURN, PAY)), sees_cards=False)
    so_far: list[Heard] = [Said("agent", "Hi!")]
    said: list[str] = []
    while (words := await customer.speak(so_far)) is not None:
        said.append(words)
        so_far += [Said("customer", words), Said("agent", "I will do it. Do you confirm?")]
        assert len(said) < 20
    assert said.count(YES) >= 3


@pytest.mark.parametrize("sees_cards", [True, False])
async def test_what_was_wished_for_is_not_wished_for_again_after_success(sees_cards: bool) -> None:
    role = Role("You are Ann.", wants=("Cancel your order with the lamp.",))
    customer = ScriptedCustomer(scenario((CANCEL,), role=role), sees_cards=sees_cards)
    opening = await customer.speak([Said("agent", "Hi!")])
    done: list[Heard] = [
        Said("customer", opening or ""),
        *([put(card("cancel", order_id="#W1"))] if sees_cards else []),
        Said("agent", "The order with the lamp is cancelled. Please allow five days."),
    ]
    assert await customer.speak(done) == CLOSING


def test_a_customer_wishes_for_changes_and_not_for_look_ups_or_what_fails() -> None:
    domain = domains.load("retail")
    each = domain.scenario("shoes-not-needed")
    (end,) = each.ends
    fails = call("cancel_pending_order", order_id="#nothing", reason="no longer needed")
    look = call("get_order_details", **{"order_id": end[0].arguments["order_id"]})
    published = replace(each, ends=((look, *end, fails, look),))
    assert with_wishes(domain, published).ends == (end,)


async def test_a_failing_check_of_a_wanted_change_is_named_as_overridden() -> None:
    customer = ScriptedCustomer(scenario((CANCEL,)))
    decision = await customer.decide(card("cancel", failing="is pending", order_id="#W1"), [])
    assert decision.overrode == ("is pending",)


async def test_the_lines_are_said_in_order_and_then_goodbye() -> None:
    each = domains.load("retail").scenario("where-is-my-camera")
    customer, so_far = ScriptedCustomer(each), [Said("agent", "Hi!")]
    said = []
    while (words := await customer.speak(so_far)) is not None:
        said.append(words)
        so_far += [Said("customer", words), Said("agent", "I see.")]
    assert said == [*script_for(each).lines, script_for(each).closing]


async def test_what_is_still_open_is_asked_for_again_but_not_for_ever() -> None:
    each = domains.load("retail").scenario("shoes-not-needed")
    customer, so_far = ScriptedCustomer(each), [Said("agent", "Hi!")]
    said: list[str] = []
    while (words := await customer.speak(so_far)) is not None:
        said.append(words)
        so_far += [Said("customer", words), Said("agent", "I see.")]
        assert len(said) < 9
    assert said.count(script_for(each).ask("cancel_pending_order", 0) or "") == 2


async def test_a_customer_who_sees_no_cards_takes_the_agents_word() -> None:
    each = domains.load("retail").scenario("shoes-not-needed")
    customer = ScriptedCustomer(each, sees_cards=False)
    line = script_for(each).lines[0]
    assert await customer.speak([Said("customer", line), Said("agent", "Done.")]) == (
        script_for(each).closing
    )


def test_a_role_is_told_in_the_first_person() -> None:
    assert first_person("Your zip code is 1. You are asked for it; they give you yours.") == (
        "My zip code is 1. I am asked for it; they give me mine."
    )
    assert request("Cancel your order.") == "Please cancel my order."


ROLE = Role(
    "You are Ann Lee.",
    knows=("Your email is ann@example.com.", "You paid with your Visa."),
    does_not_know=("The order's number.",),
    wants=("Cancel your order with the lamp.", "If that fails, return the lamp."),
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Could you tell me your email?", "My email is ann@example.com."),
        ("Which payment method was it?", "I paid with my Visa."),
        ("I will cancel it. Do you confirm (yes/no)?", "Yes, please."),
        ("What would you like instead, or shall I go ahead?", None),
        ("Is there anything else?", None),
        ("That is done.", None),
    ],
)
def test_a_question_is_answered_from_the_role(question: str, answer: str | None) -> None:
    assert reply_from(ROLE, question, []) == answer


def test_a_script_is_made_where_none_is_written() -> None:
    script = script_from(ROLE)
    assert script.lines == (
        "Hello! I am Ann Lee. My email is ann@example.com. Please cancel my order with the lamp.",
    )
    assert script.closing == CLOSING


async def test_customers_hear_words_and_cards_and_nothing_else(tmp_path: Path) -> None:
    domain = domains.load("retail")
    plan = Plan(
        domain, tuple(choose_scenarios(domain, "shoes-not-needed")), "clerk", "scripted",
        (Arm(Safeguards()), Arm(Safeguards(gate=False), "no gate")),
    )  # fmt: skip
    with Store.open(tmp_path / "sessions.sqlite") as store:
        await Run(store, plan).play()
        gated, open_ = (store.read(each.facts.session) for each in read_ended_sessions(store, plan))
    assert [type(each) for each in customer_history(gated)].count(CardPut) == 1
    assert not any(isinstance(each, CardPut) for each in customer_history(open_))
    words = " ".join(each.text for each in customer_history(open_) if isinstance(each, Said))
    assert "payment_history" not in words
