"""Limits without a word for money, and what is left out of everything."""

from __future__ import annotations

import pytest

from agent.clerk.understanding.clauses import limit
from domains.text.phrasing import BARE_LIMIT, with_except


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("swap it if its under 30 more, on the visa", "30"),
        ("but only if it's not more than 1,080.50", "1,080.50"),
        ("as long as it is below 100 in total", "100"),
        ("only if it weighs less than 20 kg", None),
        ("if it arrives within 3 days", None),
        ("under 30", None),
    ],
)
def test_a_limit_needs_no_word_for_money(text: str, number: str | None) -> None:
    found = BARE_LIMIT.search(text)
    assert (found[1] if found else None) == number
    assert limit(text) == (float(number.replace(",", "")) if number else None)


@pytest.mark.parametrize(
    "text",
    [
        "everything from my last order but the puzzle",
        "return the whole order but the puzzle pls",
        "return all the things of order #W1234567 but my mug, to my visa",
    ],
)
def test_everything_but_one_thing_excepts_it(text: str) -> None:
    assert with_except(text) == text.replace(" but ", " except ")


def test_everything_is_known_by_its_slips_too() -> None:
    assert with_except("everythin bar the mug") == "everything except the mug"
    assert with_except("evrything in it but the mug") == "everything in it except the mug"


@pytest.mark.parametrize(
    "text",
    [
        "all of it came but the mug is broken",
        "all my orders arrived but the mug doesn't work",
        "everything is fine, but the mug goes back",
        "cancel it but the mug stays",
    ],
)
def test_a_but_that_tells_more_excepts_nothing(text: str) -> None:
    assert with_except(text) == text
