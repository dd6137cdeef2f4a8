from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domains import load
from domains.core.changes import Record
from domains.core.domain import Domain
from domains.core.tool import Question
from domains.retail import item_words, wording
from domains.text.paying import not_used, original_method_clause, times
from tests.domains.retail.test_wording import card
from tests.effort import tries

RETAIL = load("retail")
ORDERS = [each for each in RETAIL.base.collections["orders"].values() if each["items"]]
ONCE = {
    "modify_pending_order_items": "change",
    "exchange_delivered_order_items": "exchange",
    "return_delivered_order_items": "return",
}


def asked(name: str, arguments: dict[str, Any]) -> tuple[list[Question], list[str]]:
    """The questions of a write and what it leaves as it is."""
    tool, draft = RETAIL.tools.get(name), RETAIL.records().draft()
    assert tool is not None
    assert tool.notes is not None
    notes = tool.notes
    return list(notes.questions(draft, arguments)), list(notes.stays(draft, arguments))


@settings(max_examples=tries(80))
@given(order=st.sampled_from(ORDERS), name=st.sampled_from(sorted(ONCE)), data=st.data())
def test_what_is_changed_once_and_what_stays_are_together_the_whole_order(
    order: Record, name: str, data: st.DataObject
) -> None:
    held = [item["item_id"] for item in order["items"]]
    named = data.draw(st.lists(st.sampled_from(range(len(held))), unique=True))
    item_ids = [held[index] for index in named]
    arguments = {"order_id": order["order_id"], "item_ids": item_ids}
    questions, stays = asked(name, arguments)
    rest = sorted(held)
    for item_id in item_ids:
        rest.remove(item_id)
    left = item_words.items_left(order, item_ids)
    assert sorted(item["item_id"] for item in left) == rest
    assert stays == [wording.item(item) for item in left]
    assert bool(questions) == bool(stays)
    for question in questions:
        assert f"all that you want to {ONCE[name]}?" in question.text
        assert {item["name"] for item in left} <= set(question.about)


@given(held=st.lists(st.sampled_from("abc"), max_size=6), data=st.data())
def test_an_item_that_is_held_twice_and_named_once_is_left_once(
    held: list[str], data: st.DataObject
) -> None:
    named = data.draw(st.sets(st.integers(0, len(held) - 1)) if held else st.just(set()))
    order = {"items": [{"item_id": each} for each in held]}
    left = item_words.items_left(order, [held[index] for index in named])
    assert sorted([each["item_id"] for each in left] + [held[i] for i in named]) == sorted(held)


@pytest.mark.parametrize("reason", ["no longer needed", "ordered by mistake"])
def test_a_cancellation_asks_whether_the_reason_is_ones_own(reason: str) -> None:
    order = next(each for each in ORDERS if each["status"] == "pending")
    (question,), stays = asked(
        "cancel_pending_order", {"order_id": order["order_id"], "reason": reason}
    )
    assert question.decisive
    assert f"“{reason}”" in question.text
    assert stays == []


OPTIONS = st.dictionaries(
    st.sampled_from(["color", "size", "style"]), st.sampled_from(["a", "b", "c"]), min_size=1
)


@given(options=OPTIONS, changed=st.data())
def test_a_swap_tells_each_option_once_and_first_those_that_differ(
    options: dict[str, str], changed: st.DataObject
) -> None:
    after = {name: changed.draw(st.sampled_from(["a", "b", "c"])) for name in options}
    old, new = {"options": options, "price": 10.0}, {"options": after, "price": 12.5}
    words = item_words.swap("Mug", old, new)
    assert words.startswith("Mug: ")
    assert words.endswith("; $10.00 → $12.50 ($2.50 more)")
    other, _, same = words.partition("; same: ")
    for name in options:
        if options[name] == after[name]:
            assert f"{name} {options[name]}" in same
        else:
            assert f"{name} {options[name]} → {after[name]}" in other


def test_options_of_another_kind_are_told_whole() -> None:
    old = {"options": {"color": "blue"}, "price": 10.0}
    new = {"options": {"size": "9"}, "price": 10.0}
    assert item_words.swap("Shoe", old, new) == "Shoe: blue → size 9; $10.00 as before"


METHODS = {
    "visa": {"source": "credit_card", "brand": "visa", "last_four": "1111"},
    "gift": {"source": "gift_card", "balance": 20.0},
    "pal": {"source": "paypal"},
}


def test_a_method_is_told_with_whether_it_paid_and_which_others_there_are() -> None:
    user = {"payment_methods": METHODS}
    assert original_method_clause(user, "visa", ["visa"]) == ", which paid for this"
    assert (
        original_method_clause(user, "visa", ["pal"])
        == ", not the method this was paid with (PayPal)"
    )
    assert original_method_clause(user, "visa", []) == ""
    (others,) = not_used(user, ["visa"])
    assert others.text == "not used: gift card (balance $20.00) and PayPal"
    assert others.covers == ()
    assert list(not_used(user, METHODS)) == []
    assert [each.text for each in not_used(user, ["visa"], but=["gift_card"])] == [
        "not used: PayPal"
    ]


@given(st.integers(2, 5), st.integers(1, 99))
def test_an_other_methods_list_is_short(used: int, more: int) -> None:
    ids = [f"m{number}" for number in range(used + more)]
    user = {"payment_methods": {each: {"source": "paypal"} for each in ids}}
    (others,) = not_used(user, ids[:used])
    assert others.text.count("PayPal") == min(more, 4)


@given(st.integers(2, 9), st.integers(1, 999))
def test_an_amount_for_several_is_their_number_times_the_price(count: int, each: int) -> None:
    assert times(count, each) == f"{count} × ${each:,.2f} = ${count * each:,.2f}"
    assert times(1, each) == f"${each:,.2f}"


def test_a_refund_of_several_items_adds_up(tau2: Domain) -> None:
    _, effects, _ = card(
        tau2,
        "return_delivered_order_items",
        order_id="#W2378156",
        item_ids=["1151293680", "4983901480"],
        payment_method_id="credit_card_9513926",
    )
    assert effects[2] == (
        "refund $272.33 + $262.47 = $534.80 to Mastercard ending 2478, which paid for this, "
        "once they are back (no money moves until then)"
    )
