from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.comparison.talk import MAX_MESSAGES
from sessions.events import AgentSaid
from tests.agent.comparison.talking import agent, customer, read, talk, written

LIST = "Here they are:\n\n1. **Red** lamp, $5\n2. **Blue** lamp, $6\n   1. warm\n3. Green lamp"


def pointed(text: str, told: str = LIST) -> list[str]:
    found = talk(agent(told), customer(text)).utterances[-1]
    return [each.text for each in found.pointed_at]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("The second one, please.", "Blue lamp, $6"),
        ("option 2", "Blue lamp, $6"),
        ("I'll take number 3", "Green lamp"),
        ("the third item", "Green lamp"),
        ("Option one!", "Red lamp, $5"),
        ("#2", "Blue lamp, $6"),
    ],
)
def test_what_points_at_a_list_means_its_line(text: str, line: str) -> None:
    assert line in pointed(text)
    assert "Red lamp, $5" not in pointed(text) or line == "Red lamp, $5"


@pytest.mark.parametrize("text", ["the blue one", "2 bags", "option 9", "number 2 bags", ""])
def test_what_does_not_point_at_it_means_none(text: str) -> None:
    assert pointed(text) == []


def test_without_a_list_nothing_is_pointed_at() -> None:
    assert pointed("the second one", "Red or blue?") == []
    assert talk(customer("the second one")).utterances[-1].pointed_at == ()


def test_what_is_pointed_at_is_quoted_in_the_words_that_point() -> None:
    found = talk(agent(LIST), customer("The second one,\nplease.")).utterances[-1]
    assert {each.words_to_quote for each in found.pointed_at} == {"The second one, please."}


def test_after_a_write_that_was_answered_the_talk_begins_anew() -> None:
    found = talk(customer("one"), written(), agent("done"), customer("two"), agent("three"))
    assert [each.text for each in found.since_write] == ["three", "two", "done"]
    assert [each.text for each in found.before_write] == ["one"]
    assert [each.text for each in found.newest] == ["three", "two", "done", "one"]


def test_writes_that_follow_each_other_belong_to_the_same_words() -> None:
    found = talk(customer("both"), written(), agent("first done"), written())
    assert [each.text for each in found.since_write] == ["first done", "both"]
    assert found.before_write == []


def test_what_failed_and_what_was_said_about_a_card_is_no_talk() -> None:
    found = talk(read("Error", error=True), AgentSaid(text="because", about_card="k"), agent(" \n"))
    assert (found.read, found.utterances) == ([], [])


def test_of_what_was_read_words_are_known_as_they_stand_beside_each_other() -> None:
    found = talk(read('{"address1": "730 Oak Street", "address2": "Apartment 12", "zip": "10450"}'))
    assert all(map(found.was_read, ["730 Oak St", "Apt. 12", "10450", "oak street"]))
    assert not any(map(found.was_read, ["73 Oak Street", "Apt 730", "12 Oak Street", "1045", ""]))
    assert found.has_read("oak")
    assert not found.has_read("ak")


def test_what_was_read_long_ago_is_not_gone_through() -> None:
    found = talk(read("far"), *(read(f"near {number}") for number in range(MAX_MESSAGES)))
    assert found.was_read("near 3")
    assert not found.was_read("far")


@given(st.lists(st.sampled_from(["c", "a", "w"]), max_size=3 * MAX_MESSAGES))
def test_what_is_looked_through_is_bounded_and_the_newest(kinds: list[str]) -> None:
    events = [
        written() if kind == "w" else (customer if kind == "c" else agent)(str(number))
        for number, kind in enumerate(kinds)
    ]
    found = talk(*events)
    spoken = [each.text for each in found.utterances]
    assert [each.text for each in found.newest] == spoken[::-1][:MAX_MESSAGES]
    for part in (found.since_write, found.before_write, found.newest):
        assert len(part) <= MAX_MESSAGES
    both = [each.text for each in (*found.since_write, *found.before_write)]
    assert sorted(both) == sorted(set(both))


WORDS = st.sampled_from(["lamp", "mug", "rug", "and"])


@given(st.lists(st.lists(WORDS, max_size=3).map(" ".join)), st.sets(WORDS), st.sets(WORDS))
def test_messages_that_hold_a_word_are_those_in_whose_words_it_is(
    texts: list[str], some: set[str], others: set[str]
) -> None:
    found = talk(*map(customer, texts))
    holding = [each for each in found.newest if each.vocabulary & (some | others)]
    assert found.messages_with(found.newest, some, others) == holding
    assert [each for each in found.newest if each.has_any(some)] == [
        each for each in found.newest if each.vocabulary & some
    ]
