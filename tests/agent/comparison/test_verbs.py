from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.comparison.sentences import words
from agent.comparison.verbs import has_verb, place_of_verb

CANCEL = frozenset({"cancel", "call off"})


@pytest.mark.parametrize(
    "text",
    ["Cancel it", "I cancelled", "canceled", "cancelling it", "a cancellation", "call it all off"],
)
def test_an_act_is_heard_in_its_forms(text: str) -> None:
    assert has_verb(CANCEL, words(text))


def test_words_of_an_act_stand_beside_each_other() -> None:
    assert has_verb(CANCEL, words("Please call off the trip"))
    assert has_verb(frozenset({"send back"}), words("I am sending back the lamp"))
    assert not has_verb(CANCEL, words("I call the shop, the light is off"))


@pytest.mark.parametrize(
    "text",
    [
        "Could you have that old toaster sent back?",
        "The whole lot goes straight back.",
        "They took the rug back.",
        "We are sending both of them back.",
    ],
)
def test_a_particle_may_follow_what_the_act_is_done_to(text: str) -> None:
    assert has_verb(frozenset({"send back", "go back", "take back"}), words(text))


def test_an_act_stands_where_its_first_word_stands() -> None:
    assert place_of_verb("cancel", words("please do not cancel it")) == 3
    assert place_of_verb("send back", words("I ask you: send back")) == 3
    assert place_of_verb("cancel", words("a candle")) is None


@given(st.lists(st.sampled_from(["a", "cancel", "off", "call", "trips"]), max_size=6))
def test_an_act_is_heard_exactly_where_it_stands(said: list[str]) -> None:
    tokens = words(" ".join(said))
    stands = any(place_of_verb(verb, tokens) is not None for verb in CANCEL)
    assert has_verb(CANCEL, tokens) is stands
