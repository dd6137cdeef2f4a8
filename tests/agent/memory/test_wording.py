from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.memory.wording import About, is_open, rule_in_words, says_a_rule, without_frame
from domains.text.one_line import line, quotation

ABOUT = About("Exchanging items", "exchange_items", "Other options", "relaxes")
FRAMES = [
    "", "no, ", "Can't you see that ", "but I was told ", "You should know that ",
    "please note that ", "I think that ", "It's obvious that ", "Look: ",
    "Well, the policy says that ",
]  # fmt: skip
WORDS = [
    "I", "my", "we", "us", "it", "the", "broken", "chair", "may", "must", "not", "be", "should",
    "have", "been", "because", "so", ",", ":", "if", "arrived", "exchanged", "allowed",
]  # fmt: skip
RULES = [
    "A broken one may be replaced by the same.",
    "Items that were worn must not come back.",
    "A scratch counts as broken.",
    "Customers who waited should never pay twice.",
]


def rule(*sentences: str, of_one: str = "#1") -> str:
    return rule_in_words(
        filter(None, map(without_frame, sentences)), ABOUT, lambda each: of_one in each
    )


@given(st.sampled_from(FRAMES), st.sampled_from(FRAMES), st.sampled_from(RULES))
def test_what_is_said_around_a_rule_is_no_part_of_it(first: str, second: str, said: str) -> None:
    framed = f"{first}{second}{said[0].lower()}{said[1:]}"
    assert rule(framed) == said


@given(
    st.lists(
        st.sampled_from(WORDS),
        max_size=12,
    ).map(" ".join)
    | st.text()
)
def test_a_rule_names_nobody_of_the_conversation_and_ends(said: str) -> None:
    made = rule(said)
    assert is_open(made) or (says_a_rule(made) and made.endswith("."))
    assert not re.search(r"\b(?:I|me|my|we|us|our)\b", made, re.IGNORECASE)


@given(
    st.sampled_from(FRAMES),
    st.sampled_from(["A scratch is covered", "Torn items count as broken", "A cup may be sent"]),
    st.sampled_from([": ", "; ", " – ", ". "]),
    st.sampled_from(["it may be replaced by the same", "they must not be sold again"]),
)
def test_what_a_pronoun_says_stays_with_the_rule_that_it_is_about(
    frame: str, first: str, between: str, second: str
) -> None:
    later = f"{second[0].upper()}{second[1:]}" if between == ". " else second
    whole = f"{first}{between}{later}"
    framed = f"{frame}{whole[0].lower()}{whole[1:]}"
    assert rule(*framed.split(". ")) == f"{whole}."


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("it is broken, so it should be replaced", "does not hold, where it is broken."),
        ("I was told a broken one may be", "does not hold, for a broken one."),
        ("it may be, because my chair broke", "items: it may be, because the chair broke."),
        ("You should have exchanged the cup", "The agent may exchange the cup."),
        ("The cup should have been exchanged: a broken one may be.", "hold, for a broken one."),
        ("let me swap my broken chair for the same", "may swap the broken chair for the same."),
        ("what's broken should be replaced by the same thing", "be replaced by the same thing."),
        (
            "if something arrives broken people have to be able to get the same one again",
            "If something arrives broken people have to be able to get the same one again.",
        ),
        ("Order #1 may be exchanged. A cup may not be sent.", "A cup may not be sent."),
    ],
)
def test_the_case_in_the_words_becomes_the_condition(said: str, told: str) -> None:
    assert rule(*said.split(". ")).endswith(told)


@pytest.mark.parametrize(
    "said",
    ["let me swap my chair", "I have to go", "you have to joke", "let me see", "what is best"],
)
def test_what_one_customer_wants_or_has_to_do_is_no_rule(said: str) -> None:
    assert not says_a_rule(said)


@pytest.mark.parametrize(
    "said", ["That is not allowed", "It should be allowed", "You should have done it", "#1 may be"]
)
def test_what_does_not_say_when_stays_open(said: str) -> None:
    made = rule(said)
    assert is_open(made)
    assert "'Other options'" in made
    assert line(quotation(made)) == f"“{made}”"  # nothing in it is spelled by its code point
