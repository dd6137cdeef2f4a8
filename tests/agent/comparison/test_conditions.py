from __future__ import annotations

from dataclasses import replace

import pytest

from agent.comparison.conditions import sentences_at_cost
from agent.comparison.sentences import sentences
from domains.core.facts import Money
from tests.agent.comparison.talking import NO_FACTS, choice, customer, lines, ways

CARDS = ways(visa="visa", gift="gift card")


@pytest.mark.parametrize(
    ("text", "at_90", "at_300"),
    [
        ("The gift card if it is under $120.", ["The gift card if it is under $120."], []),
        ("If it is over $120, the Visa.", [], ["the Visa."]),
        ("The gift card if it's below $120, otherwise the Visa.",
         ["The gift card if it's below $120"], ["the Visa."]),
        ("The Visa if it is more than $120. If it's not, the gift card.",
         ["the gift card."],
         ["The Visa if it is more than $120.", "If it's not, the gift card."]),
        ("The gift card if it's more than 120.", [], ["The gift card if it's more than 120."]),
        ("The Visa if it's over 120. If it's less then the gift card.", ["then the gift card."],
         ["The Visa if it's over 120.", "If it's less then the gift card."]),
        ("The Visa if the price is higher than $120. If it isn't, the gift card.",
         ["the gift card."],
         ["The Visa if the price is higher than $120.", "If it isn't, the gift card."]),
        ("The Visa unless it is over $120.", ["The Visa unless it is over $120."],
         ["The Visa unless it is over $120."]),
        ("If the flight is late, the Visa.", ["If the flight is late, the Visa."] * 1,
         ["If the flight is late, the Visa."]),
    ],
)  # fmt: skip
def test_the_price_decides_what_hangs_on_it(text: str, at_90: list[str], at_300: list[str]) -> None:
    for cost, left in ((90.0, at_90), (300.0, at_300)):
        found = list(sentences_at_cost(sentences(text), cost))
        assert [each.text for each in found] == left
        assert all(each.words_to_quote in text for each in found)


@pytest.mark.parametrize(("cost", "pays", "fires"), [
    (90.0, "gift", False), (90.0, "visa", True), (300.0, "visa", False), (300.0, "gift", True),
])  # fmt: skip
def test_a_method_that_hangs_on_the_price_is_the_one_for_this_price(
    cost: float, pays: str, fires: bool
) -> None:
    facts = replace(
        NO_FACTS,
        choices=(choice("payment method", pays, CARDS),),
        money=Money(cost, f"charges ${cost:.2f}"),
    )
    said = customer("Charge the gift card if that's under $120, otherwise the Visa.")
    assert bool(lines(facts, said)) is fires
