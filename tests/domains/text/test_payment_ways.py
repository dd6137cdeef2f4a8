from __future__ import annotations

import pytest

from agent.comparison.mentions import mention
from agent.comparison.sentences import sentences
from domains.text.payment_ways import payment_ways

VISA = {"source": "credit_card", "brand": "visa", "last_four": "2468"}
GIFT = {"source": "gift_card", "balance": 40}


@pytest.mark.parametrize(
    ("text", "wanted", "refused"),
    [
        ("Please, no gift card for me.", set(), set()),
        ("I had a voucher once, and a gift card.", set(), set()),
        ("The credit card is fine.", {"v"}, set()),
        ("To my card, not as a gift card.", {"v"}, set()),
        ("Not the card.", set(), {"v"}),
    ],
)
def test_a_method_that_a_customer_does_not_have_is_none_of_theirs(
    text: str, wanted: set[str], refused: set[str]
) -> None:
    found = mention(sentences(text), payment_ways({"payment_methods": {"v": VISA}}))
    assert (set(found.wanted), set(found.refused)) == (wanted, refused)


def test_a_card_may_be_either_where_there_are_both() -> None:
    ways = payment_ways({"payment_methods": {"v": VISA, "g": GIFT}})
    assert ways["card"] == {"v", "g"}
    assert ways["credit card"] == {"v"}
    assert ways["gift card"] == {"g"}
    assert ways["voucher"] == set()
