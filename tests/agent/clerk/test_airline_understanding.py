from __future__ import annotations

import time
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.clerk.airline.requests import Said, Trip
from agent.clerk.airline.understanding import understand
from agent.clerk.english import LONGEST

GENEROUS = 5.0
"""Seconds; a message takes milliseconds, and the machine may be busy."""


PHRASES = (
    "book a flight", "cancel", "change", "upgrade to business", "my trip to Chicago", "from BOS",
    "to JFK", "on May 20", "5/21", "tomorrow", "EHGLP3", "HAT045", "if not possible,", "otherwise",
    "the cheapest", "before noon", "arriving by 7am", "add 2 bags", "no insurance", "both",
    "use certificates first, then", "the rest on my visa", "ending in 7447", "my wife Anna Lee",
    "born 1990-02-30", "replace", "from Holm to Lindholm", "only if it's under $200", "and", "then",
    "back on the 24th", "except the Denver one", "how much", "delayed", "99/99", "25:99 pm", "all",
    "a day later", "direct or not", "in -3 days", "the 99th", "may 0", "$", "#", "next friday",
)  # fmt: skip
lines = st.one_of(
    st.text(max_size=200),
    st.lists(st.sampled_from(PHRASES), max_size=9).map(" ".join),
)


@settings(max_examples=400, deadline=None)
@given(lines)
@pytest.mark.heavy
def test_any_text_is_read_without_an_error(text: str) -> None:
    said = understand(text)
    assert isinstance(said, Said)
    assert all(request.intent is not None for request in said.requests)


@settings(max_examples=200, deadline=None)
@given(lines, st.dates(date(2000, 1, 1), date(2100, 1, 1)))
@pytest.mark.heavy
def test_every_day_that_is_read_is_a_day(text: str, today: date) -> None:
    said = understand(text, today)
    for request in (*said.requests, said.loose):
        days = (*request.trip.dates, request.out.date, request.back.date, *request.out.dates)
        assert all(date.fromisoformat(day) for day in days if day)


@settings(max_examples=100, deadline=None)
@given(lines)
def test_the_same_text_gives_equal_meanings_that_share_nothing(text: str) -> None:
    one, other = understand(text), understand(text)
    assert one == other
    one.loose.trip.ids.append("ABC123")
    assert one != other


@pytest.mark.parametrize(
    "text",
    [
        "change my flight to Denver on May 20 and " * 2500,
        "a" * 100_000,
        "if " * 33_000,
        ", and the" * 11_000,
        "no " * 33_000,
        "1 " * 50_000,
        "my wife " * 12_000,
        "from to " * 12_000,
        "\n" * 100_000,
        "ABC123 " * 14_000,
        "add a passenger to my to my " * 3_500,
        "the same flight as my " * 4_500,
        "the the the gift card " * 4_500,
        "cancel every future every future reservation " * 2_200,
    ],
    ids=lambda text: text[:20].strip(),
)
def test_a_huge_message_is_read_soon(text: str) -> None:
    started = time.monotonic()
    assert understand(text).cut
    assert time.monotonic() - started < GENEROUS


def test_days_are_reckoned_from_the_day_it_is() -> None:
    assert understand("book a flight to Miami tomorrow", "2024-05-20").requests[0].out.date == (
        "2024-05-21"
    )


def test_only_as_much_as_the_longest_message_is_read() -> None:
    assert not understand("x" * LONGEST).cut
    assert understand("cancel ABC123 " + "x" * LONGEST).requests[0].trip == Trip(ids=["ABC123"])
