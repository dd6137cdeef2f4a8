from __future__ import annotations

import time
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.clerk.airline.bags import bags_mentioned
from agent.clerk.airline.cancellation import reason
from agent.clerk.airline.dialogue import AirlineDialogue
from agent.clerk.airline.flight_slots import read_flight_slots, way_mentioned
from agent.clerk.airline.parsed_sentence import ParsedSentence, parse_sentence
from agent.clerk.airline.payment_mentions import payments
from agent.clerk.airline.slot_answers import is_yes as agrees
from agent.clerk.airline.wanted_legs import read_wanted
from agent.clerk.state.task import Task
from agent.clerk.understanding.spelling import is_word

GENEROUS = 5.0
"""Seconds; a message takes milliseconds, and the machine may be busy."""

TODAY = date(2024, 5, 15)
PHRASES = (
    "book a flight", "cancel", "change", "upgrade to business", "my trip to Chicago", "from BOS",
    "to JFK", "on May 20", "5/21", "tomorrow", "EHGLP3", "HAT045", "if not possible,", "otherwise",
    "the cheapest", "before noon", "arriving by 7am", "add 2 bags", "no insurance", "both",
    "use certificates first, then", "the rest on my visa", "ending in 7447", "my wife Anna Lee",
    "born 1990-02-30", "replace", "from Holm to Lindholm", "only if it's under $200", "and", "then",
    "back on the 24th", "except the Denver one", "how much", "delayed", "99/99", "25:99 pm", "all",
    "a day later", "direct or not", "in -3 days", "the 99th", "may 0", "$", "#", "next friday",
)  # fmt: skip
texts = st.one_of(
    st.text(max_size=200), st.lists(st.sampled_from(PHRASES), max_size=9).map(" ".join)
)


def everything(said: ParsedSentence) -> object:
    """All that is read of a sentence."""
    flight = {"date": "2024-05-20", "origin": "BOS", "destination": "JFK"}
    booked = {**flight, "flight_type": "one_way", "flights": [flight]}
    return (
        said.places, said.days, said.births, said.cabins, said.ids, said.flight_numbers,
        bags_mentioned(said), payments(said), way_mentioned(said), read_flight_slots(said),
        read_wanted([said], booked),
    )  # fmt: skip


@given(texts)
def test_any_text_is_read_without_an_error_and_always_the_same(text: str) -> None:
    assert everything(ParsedSentence(text, TODAY)) == everything(ParsedSentence(text, TODAY))
    assert AirlineDialogue().names_something(text) in {True, False}


@given(texts, st.dates(date(2000, 1, 1), date(2100, 1, 1)))
def test_every_day_that_is_read_is_a_day(text: str, today: date) -> None:
    said = parse_sentence(text, today)
    assert all(date.fromisoformat(each.value) for each in (*said.days, *said.births))


@given(st.dates(date(2024, 5, 15), date(2024, 12, 31)))
def test_a_day_is_read_however_it_is_written(day: date) -> None:
    written = (
        day.isoformat(), f"{day:%B} {day.day}", f"{day:%b} {day.day}th", f"{day.day} {day:%B}",
        f"{day.month}/{day.day}", f"the {day.day}th of {day:%B}",
    )  # fmt: skip
    for each in written:
        assert [found.value for found in parse_sentence(f"fly on {each}", TODAY).days] == [
            day.isoformat()
        ]


@given(st.integers(0, 6))
def test_a_weekday_is_the_coming_one(ahead: int) -> None:
    day = TODAY + timedelta(days=ahead)
    assert [each.value for each in parse_sentence(f"on {day:%A}", TODAY).days] == [day.isoformat()]


@pytest.mark.parametrize(
    ("text", "role"), [("from Boston", "from"), ("to Boston", "to"), ("instead of Boston", "not")]
)
def test_the_words_before_a_city_say_which_end_it_is(text: str, role: str) -> None:
    assert [(each.value, each.role) for each in parse_sentence(text, TODAY).places] == [
        (("BOS",), role)
    ]


@given(texts, texts)
def test_what_was_said_later_is_read_as_if_it_had_been_said_at_once(one: str, other: str) -> None:
    """A task keeps words: a note counts like a sentence of the message."""
    dialogue = AirlineDialogue()
    noted = Task("book_flight", one, notes=[other], message=one)
    assert [each.text for each in dialogue.sentences_of(noted)] == [one, other]


@pytest.mark.parametrize(
    "text",
    [
        "change my flight to Denver on May 20 and " * 50,
        "a" * 2_000, ", and the" * 220, "no " * 660, "1 " * 1_000, "my wife " * 250,
        "from to " * 250, "ABC123 " * 280, "the the the gift card " * 90,
    ],
    ids=lambda text: text[:20].strip(),
)  # fmt: skip
def test_a_long_sentence_is_read_soon(text: str) -> None:
    started = time.monotonic()
    everything(ParsedSentence(text, TODAY))
    AirlineDialogue().names_something(text)
    assert time.monotonic() - started < GENEROUS


@given(st.text("BCDFGHJKLMNPQRSTVWXZ", min_size=6, max_size=6))
def test_six_capitals_that_are_no_word_are_a_reservation(code: str) -> None:
    read = [parse_sentence(text, TODAY).ids for text in (code, f"please cancel {code} for me")]
    assert all(each == ([] if is_word(code) else [code]) for each in read)


@pytest.mark.parametrize("shouted", ["please CANCEL it", "REFUND me", "PLEASE REBOOK ME", "BOSTON"])
def test_a_word_in_capitals_is_no_reservation(shouted: str) -> None:
    assert parse_sentence(shouted, TODAY).ids == []


@pytest.mark.parametrize("wish", ["cancel it", "tell me why", "move my flight to Friday", "wait"])
def test_please_is_a_yes_only_where_it_asks_for_nothing_else(wish: str) -> None:
    assert agrees(parse_sentence("please", TODAY))
    assert agrees(parse_sentence("please do", TODAY))
    assert not agrees(parse_sentence(f"please {wish}", TODAY))


@pytest.mark.parametrize("word", ["ill", "sick", "in hospital", "pregnant"])
def test_an_illness_that_is_denied_is_no_reason_of_health(word: str) -> None:
    assert reason([parse_sentence(f"my wife is {word}", TODAY)]) == "health"
    assert reason([parse_sentence(f"no, she is {word}", TODAY)]) == "health"
    assert reason([parse_sentence(f"nobody is {word}", TODAY)]) == ""
