from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.attention.swaps import Readings, Swap, pattern_of, swaps

USER = {
    "user_id": "ann_berg_1",
    "dob": "1990-12-01",
    "orders": ["#W1111111", "#W2222222"],
    "payment_methods": {"paypal_12": {"id": "paypal_12"}, "gift_card_7": {"amount": 40}},
    "address": {"address1": "12 Elm Street", "zip": "83702"},
}

_LEAVES = st.text(max_size=12) | st.integers(0, 400) | st.booleans()
_VALUES = st.recursive(
    _LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)  # fmt: skip
_ARGUMENTS = st.dictionaries(st.text(min_size=1, max_size=6), _VALUES, max_size=4)


def readings(*contents: Any) -> Readings:
    found = Readings()
    for content in contents:
        found.read(content)
    return found


def offered(arguments: dict[str, Any], *contents: Any, seed: int = 0, **schema: Any) -> list[Swap]:
    return list(swaps(arguments, schema, readings(*contents), Random(seed)))


def leaves(value: Any) -> Iterator[str]:
    """The values of a JSON object one by one, each as it is written."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield f"{key!r}:"
            yield from leaves(each)
    elif isinstance(value, list):
        yield f"[{len(value)}"
        for each in value:
            yield from leaves(each)
    else:
        yield repr(value)


@given(_ARGUMENTS, st.lists(_VALUES, max_size=4), st.integers())
def test_a_swap_changes_one_value_for_another_of_its_type_and_nothing_else(
    arguments: dict[str, Any], contents: list[Any], seed: int
) -> None:
    before = json.dumps(arguments)
    for swap in swaps(arguments, {}, readings(*contents), Random(seed)):
        one, other = list(leaves(arguments)), list(leaves(swap.apply_to(arguments)))
        assert sum(a != b for a, b in zip(one, other, strict=True)) == 1
        assert type(swap.new) is type(swap.old)
    assert json.dumps(arguments) == before


@given(_ARGUMENTS, st.lists(_VALUES, max_size=4), st.integers())
def test_the_same_chance_gives_the_same_swaps_in_the_same_order(
    arguments: dict[str, Any], contents: list[Any], seed: int
) -> None:
    one, other = (offered(arguments, *contents, seed=seed) for _ in range(2))
    assert one == other


def test_the_order_does_not_hang_on_how_a_process_orders_its_sets() -> None:
    choices = {name: {"enum": ["a", "b", "c"]} for name in ("one", "two", "three", "four")}
    program = (
        "from random import Random; from agent.attention.swaps import Readings, swaps; "
        f"found = swaps(dict.fromkeys({list(choices)}, 'a'), {{'properties': {choices}}}, "
        "Readings(), Random(1)); print([(swap.path, swap.new) for swap in found])"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in "123"
    }
    assert len(told) == 1


def test_an_id_is_mistaken_for_one_that_stands_beside_it() -> None:
    assert offered({"order_id": "#W1111111"}, USER)[0].new == "#W2222222"
    assert offered({"payment_id": "paypal_12"}, USER)[0].new == "gift_card_7"


def test_an_element_of_a_list_is_mistaken_for_another_of_its_name_or_pattern() -> None:
    product = {"variants": {"1000000001": {"item_id": "1000000001"}, "1000000002": {}}}
    (one, *_) = offered({"new_item_ids": ["1000000001", "x"]}, product)
    assert one == Swap(("new_item_ids", 0), "1000000001", "1000000002")
    assert one.apply_to({"new_item_ids": ["1000000001", "x"]}) == {
        "new_item_ids": ["1000000002", "x"]
    }


def test_a_date_is_put_wrong_by_days_and_never_by_a_date_of_another_name() -> None:
    found = {swap.new for swap in offered({"dob": "1981-09-14"}, {"date": "2024-05-20"})}
    assert found == {"1981-09-13", "1981-09-15", "1981-09-04", "1981-09-24"}
    assert "1990-12-01" in {swap.new for swap in offered({"dob": "1981-09-14"}, USER)}


def test_a_house_and_a_postal_code_are_misread_where_there_is_no_other() -> None:
    assert {swap.new for swap in offered({"address1": "12 Elm Street"})} == {"21 Elm Street"}
    assert {swap.new for swap in offered({"zip": "83702"})} == {"38702", "87302"}


@pytest.mark.parametrize(
    ("value", "wrong"),
    [(3, {4, 2, 5}), (100, {110, 90, 150, 50, 200}), (12.5, {22.5, 2.5, 62.5, 25.0}), (0, {1, 2})],
)
def test_an_amount_is_put_a_little_wrong_and_never_below_nothing(
    value: float, wrong: set[float]
) -> None:
    assert {swap.new for swap in offered({"amount": value})} == wrong


def test_one_of_a_few_choices_is_swapped_last() -> None:
    reasons = {"reason": {"enum": ["no longer needed", "ordered by mistake"]}}
    call = {"reason": "no longer needed", "order_id": "#W1111111"}
    found = offered(call, USER, {"reason": "too late"}, properties=reasons)
    assert found[0].path == ("order_id",)
    assert found[-1] == Swap(("reason",), "no longer needed", "ordered by mistake")
    assert [swap.new for swap in found if swap.path == ("reason",)] == ["ordered by mistake"]


def test_every_place_of_a_call_has_its_turn() -> None:
    call = {"order_id": "#W1111111", "payment_id": "paypal_12", "zip": "83702", "bags": 2}
    first = [swap.path for swap in offered(call, USER)[:4]]
    assert sorted(first) == [("bags",), ("order_id",), ("payment_id",), ("zip",)]


def test_a_pattern_is_letters_and_digits_and_short_words_have_none() -> None:
    assert pattern_of("#W1234567") == pattern_of("#W7654321") == "#A9999999"
    assert pattern_of("gift_card_71") == "a_a_99"
    assert (pattern_of("W12"), pattern_of("Houston")) == ("", "")
