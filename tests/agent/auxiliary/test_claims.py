"""What a sentence claims is held against the facts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.auxiliary.claims import ungrounded_claims
from domains import load
from domains.core.records import Base

BASE = Base(
    {
        "products": {"1": {"name": "Mechanical Keyboard", "options": {"switch": "clicky"}}},
        "orders": {"#W1": {"status": "pending"}, "#W2": {"status": "delivered"}},
        "users": {"will_1": {"name": {"first_name": "Will"}}},
    },
    "made up",
)
FACTS = [
    'Tool: cancel_pending_order({"order_id":"#W2378156","reason":"no longer needed"})',
    "Afterwards: order #W2378156: pending → cancelled",
    "Afterwards: refund $1,299.50 to PayPal, at once; two items",
]


@pytest.mark.parametrize(
    "sentence",
    [
        "Your order #W2378156 will be cancelled and $1299.50 goes back to your PayPal.",
        "We will cancel your pending order w2378156, both items, refunding $1,299.5.",
        "Order #W2378156 is cancelled at once, and all two items with it.",
    ],
)
def test_what_the_facts_say_may_be_said_in_other_words(sentence: str) -> None:
    assert ungrounded_claims(sentence, FACTS, BASE) == ()


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        ("Order #W2378157 will be cancelled.", ("W2378157",)),
        ("You get $1,299.00 back.", ("1,299.00",)),
        ("Three items are cancelled.", ("Three",)),
        ("Your delivered order #W2378156 goes back.", ("delivered",)),
        ("Your Mechanical Keyboard is cancelled.", ("Mechanical Keyboard",)),
        ("The Clicky one is cancelled for Will.", ("Clicky", "Will")),
        ("Refunded within 5 to 7 days.", ("5", "7")),
    ],
)
def test_what_they_do_not_say_is_named(sentence: str, claims: tuple[str, ...]) -> None:
    assert ungrounded_claims(sentence, FACTS, BASE) == claims


@given(words=st.lists(st.sampled_from(FACTS[1].split() + FACTS[2].split()), max_size=12))
def test_words_of_the_facts_in_any_order_claim_nothing_new(words: list[str]) -> None:
    claims = ungrounded_claims(" ".join(words), FACTS, BASE)
    assert not [claim for claim in claims if claim not in " ".join(FACTS)]


def test_the_names_of_a_whole_store_are_known() -> None:
    base = load("retail").base
    names = [str(product["name"]) for product in base.collections["products"].values()]
    assert [ungrounded_claims(f"Your {name} goes back.", [], base)[-1:] for name in names] == [
        (name,) for name in names
    ]


def test_long_numbers_that_differ_in_the_end_differ() -> None:
    facts = ["Afterwards: tracking number 395699021352"]
    assert ungrounded_claims("It is 395699021352.", facts, BASE) == ()
    assert ungrounded_claims("It is 395699021358.", facts, BASE) == ("395699021358",)


def test_a_word_without_end_does_not_hold_the_program_up() -> None:
    assert ungrounded_claims("x" * 200_000, ["y" * 200_000], BASE) == ()
