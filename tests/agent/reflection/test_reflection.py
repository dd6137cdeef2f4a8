from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.reflection.policy_lines import MOST, PolicyLine, choose, lines_of
from agent.reflection.reflection import OPENING, reflect
from domains.core.domain import Domain
from domains.core.tool import ToolCall
from domains.retail.load import load
from sessions.cleaning import clean
from tests.shared_data import TAU2_RETAIL
from tests.toy import toy_domain

ADDRESS = {
    "address1": "12 Elm Street",
    "address2": "",
    "city": "Boise",
    "state": "ID",
    "country": "USA",
    "zip": "83702",
}
SWAP = {"item_ids": ["1"], "new_item_ids": ["2"], "payment_method_id": "gift_card_1234567"}
CALLS: dict[str, dict[str, Any]] = {
    "cancel_pending_order": {"order_id": "#W1", "reason": "no longer needed"},
    "modify_pending_order_items": {"order_id": "#W1", **SWAP},
    "modify_pending_order_payment": {"order_id": "#W1", "payment_method_id": "gift_card_1234567"},
    "modify_pending_order_address": {"order_id": "#W1", **ADDRESS},
    "modify_user_address": {"user_id": "ann_lee_1234", **ADDRESS},
    "return_delivered_order_items": {
        "order_id": "#W1",
        "item_ids": ["1"],
        "payment_method_id": "paypal_1234567",
    },
    "exchange_delivered_order_items": {"order_id": "#W1", **SWAP},
}
OURS = {
    "cancel_pending_order": ("no longer needed", "refunded in full"),
    "modify_pending_order_items": ("once only", "same product", "balance covers"),
    "modify_pending_order_payment": ("one single method", "balance covers"),
    "modify_pending_order_address": ("in its shipping address", "taken from the customer in full"),
    "modify_user_address": ("default address in a profile", "does not touch orders"),
    "return_delivered_order_items": ("exactly delivered", "original payment method", "single call"),
    "exchange_delivered_order_items": ("exactly delivered", "same product", "single call"),
}
THEIRS = {
    "cancel_pending_order": ("Other reasons are not acceptable", "status is 'pending'"),
    "modify_pending_order_items": ("only be called once", "same product", "enough balance"),
    "modify_pending_order_payment": ("single payment method different", "enough balance"),
    "modify_pending_order_address": ("modify its shipping address", "status is 'pending'"),
    "modify_user_address": ("modify their default user address",),
    "return_delivered_order_items": ("status is 'delivered'", "original payment method"),
    "exchange_delivered_order_items": ("status is 'delivered'", "same product"),
}


@pytest.fixture(scope="module")
def ours() -> Domain:
    return load()


@pytest.fixture(scope="module")
def theirs() -> Domain:
    if not TAU2_RETAIL.exists():
        pytest.skip("τ²-bench's records are not here")
    return load(TAU2_RETAIL.parent)


def reminder(domain: Domain, name: str) -> tuple[str, tuple[str, ...]]:
    return reflect(domain, ToolCall(name, CALLS[name]), domain.records())


def assert_reminds(domain: Domain, name: str, needed: tuple[str, ...]) -> None:
    text, lines = reminder(domain, name)
    assert 2 <= len(lines) <= 5
    for words in needed:
        assert any(words in line for line in lines), f"{words!r} is not among {lines}"
        assert words in text


@pytest.mark.parametrize("name", CALLS)
def test_our_policys_lines_that_matter_are_chosen_for_each_write(ours: Domain, name: str) -> None:
    assert_reminds(ours, name, OURS[name])


@pytest.mark.parametrize("name", CALLS)
def test_the_benchmarks_lines_that_matter_are_chosen_for_each_write(
    theirs: Domain, name: str
) -> None:
    assert_reminds(theirs, name, THEIRS[name])


@pytest.mark.parametrize("name", CALLS)
def test_a_reminder_is_short_and_always_the_same(ours: Domain, name: str) -> None:
    text, _ = reminder(ours, name)
    assert text.startswith(OPENING)
    assert name in text.splitlines()[0]
    assert len(text) < 2500
    assert reminder(ours, name)[0] == text


def test_what_does_not_hold_comes_before_what_does() -> None:
    domain = toy_domain()
    text, _ = reflect(domain, ToolCall("take", {"jar": "red", "coins": 7}), domain.records())
    assert "✗ no more than five coins at a time: 7 coins" in text
    assert text.index("✗") < text.index("✓ the jar holds enough: it holds 10")


def test_arguments_too_strange_to_check_still_get_a_reminder() -> None:
    domain = toy_domain()
    strange = {"jar": ["red"], "coins": {"a": None}, "\x1b[2J": "\u202e"}
    text, _ = reflect(domain, ToolCall("take", strange), domain.records())
    assert text.startswith(OPENING)
    assert "\x1b" not in text
    assert "✗ the jar holds enough: could not be read from this call" in text


def test_lines_keep_their_headings_lead_ins_and_the_sentences_that_lean_on_them() -> None:
    policy = """# Title

Be **kind**. Never shout.

## Orders

You can help with:

- `cancel` an order
1. return an order

### Cancel

An order has a reason. Other reasons do not count. Check first!
"""
    assert lines_of(policy) == [
        PolicyLine("Title", "Be kind."),
        PolicyLine("Title", "Never shout."),
        PolicyLine("Orders", "You can help with: cancel an order"),
        PolicyLine("Orders", "You can help with: return an order"),
        PolicyLine("Orders > Cancel", "An order has a reason. Other reasons do not count."),
        PolicyLine("Orders > Cancel", "Check first!"),
    ]


def test_a_policys_lines_are_clean_where_they_become_an_event() -> None:
    policy = "# Jars\x1b[31m\n\n- Only take coins from a jar\u202e that the customer owns.\n"
    domain = replace(toy_domain(), policy=policy)
    text, (line,) = reflect(domain, ToolCall("take", {"jar": "red", "coins": 1}), domain.records())
    assert line == "Jars[31m: Only take coins from a jar that the customer owns."
    assert clean(text) == text


def test_lines_that_ask_for_a_yes_in_words_are_left_to_the_card() -> None:
    policy = "- Cancel only after explicit user confirmation (yes).\n- Cancel only pending orders."
    assert [line.text for line in choose(policy, [("cancel", 1.0)])] == [
        "Cancel only pending orders."
    ]


def test_a_second_line_is_chosen_however_faint_and_no_third_one() -> None:
    policy = "- Cancel pending orders.\n- Streets are short.\n- Numbers are long.\n"
    bearings = [("cancel", 1.0), ("streets", 0.1), ("numbers", 0.2)]
    assert [line.text for line in choose(policy, bearings)] == [
        "Cancel pending orders.",
        "Numbers are long.",
    ]


@given(st.text(max_size=300), st.lists(st.tuples(st.text(max_size=20), st.floats(-5, 5))))
def test_any_text_is_a_policy_and_gives_a_few_of_its_lines(
    policy: str, bearings: list[tuple[str, float]]
) -> None:
    chosen = choose(policy, bearings)
    lines = lines_of(policy)
    assert len(chosen) <= MOST
    assert [line for line in lines if line in chosen] or not chosen
    places = [lines.index(line) for line in dict.fromkeys(chosen)]
    assert places == sorted(places)
