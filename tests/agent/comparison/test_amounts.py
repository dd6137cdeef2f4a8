from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.comparison.amounts import amounts, limit_in, stated_amounts
from agent.comparison.utterance import Utterance


def told(text: str) -> list[tuple[float, str, bool]]:
    return [
        (each.amount, each.way, each.for_each) for each in stated_amounts(Utterance("agent", text))
    ]


def limit(*texts: str) -> float | None:
    """The limit that stands after these words of the customer, in their order."""
    found = limit_in(Utterance("customer", text) for text in reversed(texts))
    return None if found is None else found.amount


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("$1,194 and $5.50", [1194, 5.5]),
        ("20 dollars, 3,000 bucks, 7 USD", [20, 3000, 7]),
        ("$ 12", [12]),
        ("order #W5, 24 hours, 3 bags, ending in 1234", []),
        ("US$5", []),
    ],
)
def test_amounts_have_a_sign_or_a_word(text: str, found: list[float]) -> None:
    assert list(amounts(text)) == found


@given(st.integers(0, 10**7), st.sampled_from(["${:,.2f}", "${:.2f}", "{:.2f} dollars"]))
def test_every_amount_is_read_as_it_is_written(cents: int, form: str) -> None:
    assert list(amounts(f"It is {form.format(cents / 100)}.")) == [pytest.approx(cents / 100)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The total is $40.", [(40, "due", False)]),
        ("You will be charged an additional $40 per passenger.", [(40, "due", True)]),
        ("A refund of $40 goes to your card.", [(40, "back", False)]),
        ("The refund will be $5, and the fee $2.", [(5, "back", False), (2, "due", False)]),
        ("The lamp: $40.", []),
        ("The total comes next. $40", []),
    ],
)
def test_an_amount_is_due_or_comes_back_by_the_words_around_it(
    text: str, found: list[tuple[float, str, bool]]
) -> None:
    assert told(text) == found


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("I can pay up to $600.", 600),
        ("Not more than 30 dollars extra.", 30),
        ("My budget is 500.", 500),
        ("I don't want to spend more than $80 or $90.", 80),
        ("If it costs more than $30, forget it.", 30),
        ("Anything under $75?", 75),
        ("$1,786 is below my limit.", None),
        ("It was more than $30 last time.", None),
        ("Is it over $100?", None),
        ("A trip within 24 hours", None),
        ("I have a limit of 2 bags.", None),
        ("swap it if its under 30 more, on the visa", 30),
        ("but only if its not more than 80", 80),
        ("if it's over 80 forget it", 80),
        ("only if it weighs less than 20 kg", None),
        ("only if it arrives within 3 days", None),
    ],
)
def test_a_limit_is_the_amount_after_its_words(text: str, amount: float | None) -> None:
    assert limit(text) == amount


def test_the_last_limit_holds() -> None:
    assert limit("Up to $100.", "Or rather up to $150.", "Thanks.") == 150


@given(st.text())
def test_whatever_is_said_its_amounts_are_not_negative(text: str) -> None:
    assert all(each >= 0 for each in amounts(text))
    limit(text)
    told(text)
