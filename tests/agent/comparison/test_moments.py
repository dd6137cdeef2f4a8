from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.comparison.moments import Day, bounds, days
from agent.comparison.utterance import Utterance

FORMS = [
    "{0:%Y-%m-%d}",
    "{0:%B} {0.day}",
    "{0:%b} {0.day}",
    "{0:%b}. {0.day}",
    "{0:%B} {0.day}, {0.year}",
    "{0:%B} the {0.day}th",
    "{0.day} {0:%B}",
    "the {0.day}th of {0:%B}",
    "{0.day} {0:%b} {0.year}",
    "{0.month}/{0.day}",
    "{0.month:02}/{0.day:02}/{0.year}",
]


@given(st.dates(date(1900, 1, 1), date(2099, 12, 31)), st.sampled_from(FORMS))
def test_a_date_is_read_in_every_form(day: date, form: str) -> None:
    (found,) = days(f"I fly on {form.format(day)}, please.")
    assert (found.month, found.day) == (day.month, day.day)
    assert found.year in (None, day.year)


def test_years_are_kept_where_they_were_said() -> None:
    assert days("2024-05-20 and May 21st") == [Day(5, 20, 2024), Day(5, 21)]


@pytest.mark.parametrize("text", ["May I go?", "at 13/45", "99/99", "room 12", "2024-13-40", ""])
def test_what_is_no_date_is_none(text: str) -> None:
    assert days(text) == []


def limits(*texts: str) -> tuple[str, str, bool]:
    """The earliest and the latest time after these words, in their order; empty for none."""
    found = bounds([Utterance("customer", text) for text in reversed(texts)])
    early, late = found.earliest, found.latest
    return early.time if early else "", late.time if late else "", found.of_arrival


@pytest.mark.parametrize(
    ("text", "earliest", "latest"),
    [
        ("I want to leave after 9am.", "09:00", ""),
        ("Not before 11 am please.", "11:00", ""),
        ("I don't want to fly before 11am.", "11:00", ""),
        ("no earlier than 5:30 pm", "17:30", ""),
        ("no later than 17:30", "", "17:30"),
        ("before noon", "", "12:00"),
        ("by 12 am", "", "00:00"),
        ("nothing after 8 in the evening", "", "20:00"),
        ("after 7 in the morning and before 3 p.m.", "07:00", "15:00"),
        ("before May 20", "", ""),
        ("after 2 bags", "", ""),
    ],
)
def test_times_of_day_are_bounds(text: str, earliest: str, latest: str) -> None:
    assert limits(text) == (earliest, latest, False)


def test_a_time_of_arrival_is_another_matter() -> None:
    assert limits("I must land before 6 pm.") == ("", "", True)


def test_the_last_bound_holds() -> None:
    assert limits("after 9am", "after 10am, before 8pm", "thanks") == ("10:00", "20:00", False)


@given(st.times(), st.booleans(), st.sampled_from(["%H:%M", "%I:%M %p", "%I:%M%p"]))
def test_a_time_is_read_in_every_form(time: object, early: bool, form: str) -> None:
    from datetime import time as clock

    assert isinstance(time, clock)
    said = f"{'after' if early else 'before'} {time.strftime(form)}"
    wanted = time.strftime("%H:%M")
    assert limits(said)[0 if early else 1] == wanted


@given(st.text())
def test_whatever_is_said_there_are_only_days_of_the_year(text: str) -> None:
    assert all(1 <= each.month <= 12 and 1 <= each.day <= 31 for each in days(text))
    limits(text)
