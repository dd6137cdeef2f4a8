from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.widgets.call_text import arguments_in_words, in_words
from console.widgets.expected_text import sentences
from domains import load
from domains.core.tool import ToolCall
from tests.shared_data import TAU2, TAU2_RETAIL
from tests.toy import toy_domain

JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@pytest.mark.parametrize("domain", ["retail", "airline"])
@pytest.mark.parametrize("tau2", [False, True], ids=["own", "tau2"])
def test_every_expected_change_of_every_scenario_is_told_in_a_sentence(
    domain: str, tau2: bool
) -> None:
    if tau2 and not TAU2_RETAIL.is_dir():
        pytest.skip("needs τ²-bench's data")
    played = load(domain, TAU2 if tau2 else None)
    for scenario in played.all_scenarios:
        for calls in ([each.call for each in scenario.actions], *scenario.ends):
            told = list(sentences(played, calls))
            assert len(told) == len(calls)
            for call, sentence in zip(calls, told, strict=True):
                assert call.name not in sentence or not played.tools.mutates(call.name)
                assert "None" not in sentence


def test_a_call_is_told_as_the_calls_before_it_leave_the_records() -> None:
    domain = load("retail")
    scenario = domain.scenario("move-then-desk")
    alone = list(sentences(domain, scenario.ends[0][-1:]))
    after = list(sentences(domain, scenario.ends[0]))
    assert len(after) > 1
    assert alone == after[-1:]
    seven = ToolCall("take", {"jar": "red", "coins": 7})
    twice = list(sentences(toy_domain(), [seven, seven]))
    assert twice == ["Take 7 coins out of the jar red.", "take: red, 7"]


@given(name=st.text(), arguments=st.dictionaries(st.text(), JSON))
def test_any_call_at_all_has_words(name: str, arguments: dict[str, Any]) -> None:
    (told,) = sentences(toy_domain(), [ToolCall(name, arguments)])
    assert isinstance(told, str)
    assert all(isinstance(text, str) for pair in arguments_in_words(arguments) for text in pair)


def test_values_are_written_as_a_person_would() -> None:
    flights = [{"flight_number": "HAT1", "date": "2024-05-20"}]
    assert in_words(["a", "b"]) == "a, b"
    assert in_words({"is_free": True, "why": None}) == "is free: yes, why: none"
    assert list(arguments_in_words({"flights": flights, "item_ids": []})) == [
        ("flights 1", "flight number: HAT1, date: 2024-05-20"),
        ("item ids", "none"),
    ]
