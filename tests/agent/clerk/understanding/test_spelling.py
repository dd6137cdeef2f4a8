from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.clerk.understanding.spelling import CUSTOMER_WORDS, correct, is_word
from tests.generators.clerk_reader.words import customer_words

WORDS = json.loads(CUSTOMER_WORDS.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("can i exhcange teh keybord", "can i exchange the keyboard"),
        ("my flihgt was delyed 6 hors", "my flight was delayed 6 hours"),
        ("i wnat to giv them back", "i want to give them back"),
        ("CANCL MY ORDRE", "cancel MY order"),
        ("rong size, adn the colur too", "wrong size, and the color too"),
        ("resrvation 8KPQ2L; a bussiness seat", "reservation 8KPQ2L; a business seat"),
    ],
)
def test_a_mistake_becomes_the_word_that_customers_use(typed: str, meant: str) -> None:
    assert correct(typed) == meant


@pytest.mark.parametrize(
    "text",
    [
        "my roommates racket, the teak bench and the snowing",  # rare, but words
        "pls cancel it, thx, tmrw is fine, nvm",  # as people type
        "Lindqvist, Okafor and Popescu fly; Wnat is a name",  # names
        "order #W2272676, reservation EHGLP3, LRK122, mia_kovacs_4412, ana.lpez@exmple.com",
        "https://exmple.com/ordr/wnat",
        "don’t, won't, y'all, l'ordre",
    ],
)
def test_what_is_no_mistake_stays_as_it_is(text: str) -> None:
    assert correct(text) == text


@given(st.lists(st.sampled_from(WORDS), max_size=12))
def test_the_words_of_customers_are_words_and_stay(words: list[str]) -> None:
    assert all(map(is_word, words))
    assert correct(" ".join(words)) == " ".join(words)


@given(st.text(max_size=200))
def test_correcting_twice_is_correcting_once_and_only_letters_change(text: str) -> None:
    once = correct(text)
    assert correct(once) == once
    assert [each for each in once if not each.isalpha()] == [
        each for each in text if not each.isalpha()
    ]


def test_the_words_are_those_of_the_examples() -> None:
    assert customer_words() == WORDS
