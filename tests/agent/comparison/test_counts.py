from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domains.core.facts import Count, Facts
from tests.agent.comparison.talking import NO_FACTS, agent, customer, lines

BAGS = frozenset(("bag", "suitcase"))


def bags(total: int, before: int = 0) -> Facts:
    return replace(NO_FACTS, counts=(Count(f"makes it {total} bags", total, before, BAGS),))


@pytest.mark.parametrize(
    ("text", "fires"),
    [
        ("2 bags please", False),
        ("two checked bags", False),
        ("I have two suitcases.", False),
        ("three bags", True),
        ("a bag", True),
        ("no bags", True),
        ("I don't need any bags", True),
        ("one extra bag", False),
        ("How many bags are free?", False),
        ("If 3 bags are free, fine.", False),
        ("Maybe 3 bags.", False),
        ("My allowance is 3 bags.", False),
        ("The bags are blue.", False),
        ("flight 123 bags", False),
    ],
)
def test_a_number_is_the_one_that_was_given(text: str, fires: bool) -> None:
    found = lines(bags(2), customer(text))
    assert found == ([("number of bags", text, "customer")] if fires else [])


@pytest.mark.parametrize(
    ("text", "fires"),
    [
        ("One suitcase apiece, please.", False),
        ("Three bags per person.", True),
        ("A bag for each of us.", False),
    ],
)
def test_a_number_for_each_counts_for_all(text: str, fires: bool) -> None:
    for_two = replace(NO_FACTS, counts=(Count("has 2 bags", 2, 0, BAGS, people=2),))
    assert bool(lines(for_two, customer(text))) is fires


@pytest.mark.parametrize(
    ("text", "fires"),
    [
        ("Add another suitcase.", True),
        ("Please put two more bags on it.", False),
        ("I bring one more bag, which makes two bags in all.", True),
        ("Make it two bags.", True),
        ("I want three bags in total.", False),
        ("Two extra bags.", False),
        ("Change my seat.", True),
    ],
)
def test_what_comes_on_top_of_what_there_was_is_counted(text: str, fires: bool) -> None:
    topped = replace(NO_FACTS, counts=(Count("makes it 3 bags", 3, 1, BAGS, is_added=True),))
    assert bool(lines(topped, customer(text))) is fires


def test_a_number_that_was_told_and_agreed_to_stands() -> None:
    topped = replace(NO_FACTS, counts=(Count("makes it 3 bags", 3, 1, BAGS, is_added=True),))
    said = (customer("One more bag."), agent("You had one more before; that makes 3 bags?"))
    assert lines(topped, *said, customer("Yes.")) == []
    assert lines(topped, *said, customer("Hm.")) != []


def test_the_last_number_counts() -> None:
    assert lines(bags(2), customer("3 bags"), customer("Rather 2 bags")) == []
    assert lines(bags(2), customer("2 bags"), customer("Rather 3 bags")) != []


NUMBERS = st.integers(0, 20)


@given(NUMBERS, NUMBERS, NUMBERS)
def test_a_total_or_what_is_added_fits_and_nothing_else(named: int, total: int, had: int) -> None:
    found = lines(bags(total, had), customer(f"I want {named} checked bags."))
    assert bool(found) is (named not in (total, total - had))
