from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from agent.comparison.quoted_requests import (
    MOST_ASKED,
    MOST_LOOKED_AT,
    requests_behind,
    sentences_about,
)
from domains.core.facts import Facts
from tests.agent.comparison.talking import NO_FACTS, agent, choice, customer, scope, talk, ways

CHANGES = replace(
    NO_FACTS,
    verbs=frozenset({"cancel"}),
    about=ways(W1="w1", lamp="lamp"),
    others=ways(W9="w9"),
    choices=(choice("payment method", "visa", ways(visa="visa", gift="gift card")),),
)


def answers(*texts: str, facts: Facts = CHANGES) -> tuple[str, ...]:
    return requests_behind(scope(facts, *map(customer, texts)))


def test_the_sentences_that_a_change_answers_are_quoted_in_their_order() -> None:
    said = ("Hi there. How are you?", "Cancel w1. It rains.", "Put w1 on the lamp, with the visa.")
    assert answers(*said) == ("Cancel w1.", "Put w1 on the lamp, with the visa.")


def test_a_sentence_about_another_record_is_not_quoted() -> None:
    assert answers("Cancel w9.") == ()
    assert answers("Cancel w9 and w1.") == ("Cancel w9 and w1.",)


def test_where_nothing_is_about_the_change_nothing_is_quoted() -> None:
    assert answers("Hello.", "Yes.", "The visa is new.") == ()


def test_who_presents_themselves_asks_for_nothing_by_it() -> None:
    assert answers("Its Priya Raman, I ordered a lamp, w1.", "Cancel the lamp.") == (
        "Cancel the lamp.",
    )
    asks = "It's Priya Raman, I'd like to cancel the lamp."
    assert answers(asks) == (asks,)


def test_a_request_stands_before_a_question() -> None:
    found = answers("Is w1 a lamp?", "Cancel w1.", "Cancel the lamp.")
    assert found == ("Cancel w1.", "Cancel the lamp.")


def test_the_agents_words_are_never_what_was_asked() -> None:
    assert (
        requests_behind(scope(CHANGES, agent("Cancel w1 with the visa?"), customer("Yes."))) == ()
    )


def test_what_was_said_about_something_is_found_newest_first() -> None:
    said = talk(
        customer("I have two suitcases. Hi."), agent("Your suitcases?"), customer("Baggage: two.")
    )
    assert sentences_about(said, ["suitcase", "baggage"]) == (
        "Baggage: two.",
        "I have two suitcases.",
    )
    assert sentences_about(said, ["insurance"]) == ()
    assert sentences_about(said, []) == ()
    assert sentences_about(said, [""]) == ()


TEXTS = st.lists(st.sampled_from(["Cancel w1.", "The lamp.", "Yes.", "w9?", "visa"]), max_size=30)


@given(TEXTS)
def test_few_sentences_are_quoted_each_of_them_the_customers_own(texts: list[str]) -> None:
    for found in (answers(*texts), sentences_about(talk(*map(customer, texts)), ["lamp", "w1"])):
        assert len(found) <= MOST_ASKED
        assert all(each in texts[-MOST_LOOKED_AT:] for each in found)
