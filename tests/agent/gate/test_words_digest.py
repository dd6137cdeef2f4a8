"""An approval is bound to what the card says, and so to each argument as it is."""

from __future__ import annotations

import math
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from agent.gate.card import words_digest
from tests.sessions.toy import shown

PLAIN = shown("k1").card
LEAVES = st.sampled_from(
    [None, "null", "NaN", math.nan, math.inf, -math.inf, 1, 1.0, "1", "\ud800"]
)
VALUES = st.recursive(LEAVES, lambda inner: st.lists(inner, min_size=1, max_size=2), max_leaves=3)


def of(arguments: dict[str, Any]) -> str:
    return words_digest(PLAIN.model_copy(update={"arguments": arguments}))


@given(VALUES, VALUES, st.sampled_from(["", "\ud800"]))
def test_arguments_have_one_digest_exactly_where_they_are_the_same(
    one: object, other: object, beside: str
) -> None:
    first, second = of({"a": one, "b": beside}), of({"b": beside, "a": other})
    assert (first == second) == (repr(one) == repr(other))


def test_keys_of_several_kinds_have_a_digest() -> None:
    assert of({"x": {"\ud800": 1, 2: 3}}) == of({"x": {"2": 3, "\ud800": 1}})
