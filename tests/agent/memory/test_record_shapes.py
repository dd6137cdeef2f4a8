from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import domains
from agent.memory.record_shapes import record_shapes, shape_of
from sessions.json_strings import strings_in

KINDS = {"text", "number", "true", "false", "nothing"}

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
)


@pytest.mark.parametrize("name", ["retail", "airline"])
def test_a_database_is_told_by_its_fields_and_by_none_of_its_ids(name: str) -> None:
    collections = domains.load(name).base.collections
    told = set(strings_in(record_shapes(collections)))
    ids = {key for records in collections.values() for key in records}
    assert told >= {"user_id", "email", *collections}
    assert not told & ids
    assert not any(each.isdigit() or "@" in each for each in told)


@given(st.lists(values))
def test_no_value_is_told(records: list[Any]) -> None:
    told = strings_in(shape_of(records), keys=False)
    assert {kind for each in told for kind in each.split(" or ")} <= KINDS


def test_what_stands_under_names_of_things_is_told_once() -> None:
    told = shape_of([{"2024-05-16": {"price": 3}}, {"2024-05-17": {"price": 4, "free": True}}])
    assert told == {"by id": {"price": "number", "free": "true or false"}}
