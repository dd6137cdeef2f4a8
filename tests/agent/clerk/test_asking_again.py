from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import domains
from agent.clerk.airline.asking_again import in_other_words
from agent.clerk.airline.slot_answers import SLOTS
from agent.clerk.steps import Ask, Choice
from agent.clerk.wording import ANYTHING_ELSE
from tests.agent.clerk.driver import Driver
from tests.effort import examples

OPENINGS = [
    "rania_khalil_5874, i want to fly from seattle to chicago",
    "ivo_petrov_2519, cancel a trip of mine",
    "ivo_petrov_2519, move my new york trip",
    "quentin_laval_1251, move my orlando flight to may 20",
    "bartek_zielinski_7152, add bags to my boston trip",
    "stefan_brandt_9295, upgrade my phoenix trip",
]
ANSWERS = [
    "blah", "hm", "economy", "2 bags", "my card", "the cheapest", "may 22", "evening", "ok",
    "from boston", "just me", "no bags", "no insurance", "what", "my wife too", "one way",
]  # fmt: skip
_LEAD = re.compile(r"^(?:Noted\. |Sorry, I didn't get that\. )")


def asked(answer: str) -> str:
    question = "?" in answer.replace(ANYTHING_ELSE, "")
    return _LEAD.sub("", answer) if question else ""


@settings(max_examples=examples(150), deadline=None)
@given(st.sampled_from(OPENINGS), st.lists(st.sampled_from(ANSWERS), min_size=2, max_size=6))
def test_no_question_comes_in_the_same_words_twice_in_a_row(opening: str, said: list[str]) -> None:
    driver = Driver(domains.load("airline"))
    answers = [driver.say(line) for line in [opening, *said]]
    for one, two in pairwise(answers):
        assert not asked(one) or asked(one) != asked(two)


@pytest.mark.parametrize("slot", [*SLOTS, "legs", "intent", "revise", "type"])
def test_every_question_can_be_put_differently_with_an_example(slot: str) -> None:
    text = in_other_words(Ask("Which one?", slot))
    assert "Which one?" not in text
    assert "never mind" in text


def test_a_question_put_differently_still_lists_its_choices() -> None:
    offered = (Choice("a", "the first flight"), Choice("b", "the second flight"))
    text = in_other_words(Ask("Which one?", "out_flight", choices=offered))
    assert "1. the first flight\n2. the second flight" in text


def test_a_question_of_an_unknown_kind_is_asked_with_its_own_words() -> None:
    assert in_other_words(Ask("How so?", "unheard-of")).endswith("How so?")
