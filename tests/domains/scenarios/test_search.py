from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import domains
from domains.core.domain import Role, Scenario
from domains.scenarios.search import search

SCENARIOS = domains.load("retail").scenarios


def scenario(scenario_id: str, title: str = "", *wants: str) -> Scenario:
    return Scenario(scenario_id, title, Role("You are Ann.", wants=wants), ends=((),))


def ids(words: str, scenarios: tuple[Scenario, ...] = SCENARIOS) -> list[str]:
    return [each.id for each in search(scenarios, words)]


def text(each: Scenario) -> str:
    role = each.role
    told = (role.who, *role.knows, *role.does_not_know, *role.wants, role.manner)
    return "\n".join((each.id, each.title, *each.tags, *told)).casefold()


@pytest.mark.parametrize("words", ["", "  ", "\n"])
def test_without_words_all_are_there_in_their_order(words: str) -> None:
    assert search(SCENARIOS, words) == list(SCENARIOS)


@given(st.data())
def test_words_of_a_scenario_find_it_whatever_their_case_and_order(data: st.DataObject) -> None:
    wanted = data.draw(st.sampled_from(SCENARIOS))
    known = text(wanted).split()
    words = data.draw(st.lists(st.sampled_from(known), min_size=1, max_size=3))
    asked = " ".join(data.draw(st.sampled_from([word, word.upper()])) for word in words)
    found = search(SCENARIOS, asked)
    assert wanted in found
    assert all(word in text(each) for each in found for word in words)


LONG = sorted({word for each in SCENARIOS for word in re.findall(r"[a-z]{6,}", text(each))})


@given(st.sampled_from(LONG), st.data())
def test_a_word_with_two_letters_swapped_finds_what_the_word_finds(
    word: str, data: st.DataObject
) -> None:
    place = data.draw(st.integers(1, len(word) - 2))
    slip = word[:place] + word[place + 1] + word[place] + word[place + 2 :]
    found = search(SCENARIOS, slip)
    assert any(word in text(each) or slip in text(each) for each in found)


@given(st.text(max_size=20))
def test_any_words_at_all_can_be_searched_for(words: str) -> None:
    assert set(ids(words)) <= {each.id for each in SCENARIOS}


def test_every_word_must_occur() -> None:
    lamp = scenario("a", "Return the lamp", "you have a gift card")
    desk = scenario("b", "Return the desk")
    assert ids("return", (lamp, desk)) == ["a", "b"]
    assert ids("return gift", (lamp, desk)) == ["a"]
    assert ids("return zebra", (lamp, desk)) == []


def test_a_word_that_is_spelt_as_somewhere_is_not_taken_for_another() -> None:
    assert ids("cats", (scenario("a", "two cats"), scenario("b", "the cast"))) == ["a"]
    assert ids("castt", (scenario("a", "two cats"), scenario("b", "the cast"))) == ["b"]


def test_figures_are_never_guessed() -> None:
    assert ids("#w12346", (scenario("a", "order #W12345"),)) == []
    assert ids("12346", (scenario("a", "order #W12345"),)) == []


def test_an_id_comes_first_and_then_titles() -> None:
    three = (scenario("1", "x", "all 12 cups"), scenario("2", "12 cups"), scenario("12", "one"))
    assert ids("12", three) == ["12", "2", "1"]
