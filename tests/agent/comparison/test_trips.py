from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domains.core.facts import Facts, Leg
from tests.agent.comparison.talking import NO_FACTS, agent, customer, lines

BEFORE = "2024-05-20"


def flies(day: str, departs: str = "12:00", *, before: str = BEFORE) -> Facts:
    """A trip that is moved to a day, or booked where there was none before."""
    leg = Leg("LRK1", day, departs, "15:00", day != before)
    return replace(NO_FACTS, legs=(leg,), dates_before=(before,) if before else ())


@pytest.mark.parametrize(
    ("text", "fires"),
    [
        ("Move it to May 22.", False),
        ("Move it to 2024-05-22.", False),
        ("Move it to the 23rd of May.", True),
        ("Move it from May 20 to May 22.", False),
        ("It is on May 20, I believe.", False),
        ("May 22 or May 23 will do.", False),
        ("I was born on May 3, 1990.", False),
        ("Move it, please.", False),
        ("Move it to the next day.", True),
        ("Move it a day later, please.", True),
        ("Can it be a day later?", False),
        ("Move it a day later, on the 22nd.", False),
    ],
)
def test_a_new_date_is_one_that_was_named(text: str, fires: bool) -> None:
    found = lines(flies("2024-05-22"), customer(text))
    assert found == ([("date", text, "customer")] if fires else [])


def test_a_date_that_the_agent_told_last_was_offered() -> None:
    said = (customer("May 23?"), agent("Only May 22 is free."), customer("Then that."))
    assert lines(flies("2024-05-22"), *said) == []


@pytest.mark.parametrize(("text", "day"), [("the next day", 21), ("a day earlier", 19)])
def test_the_day_after_and_the_day_before_are_counted_from_the_trip(text: str, day: int) -> None:
    text = f"Move it to {text}." if "next" in text else f"Move it {text}."
    assert lines(flies(f"2024-05-{day}"), customer(text)) == []
    assert lines(flies("2024-05-23"), customer(text)) == [("date", text, "customer")]


def test_a_day_later_may_be_after_any_day_of_the_trip() -> None:
    out, home = (Leg("LRK1", BEFORE, "12:00", "15:00", False), flies("2024-05-24").legs[0])
    facts = replace(NO_FACTS, legs=(out, home), dates_before=(BEFORE, "2024-05-23"))
    assert lines(facts, customer("I want to fly back a day later.")) == []


def test_a_trip_that_stays_as_it_is_needs_no_date() -> None:
    assert lines(flies(BEFORE), customer("May 23 is my birthday, by the way.")) == []


@pytest.mark.parametrize(
    ("text", "fires"),
    [
        ("Put us on the flight on the 23rd.", True),
        ("From the 20th to the 22nd, please.", False),
        ("For me and my son, 7 August 2011, on the 22nd.", False),
        ("My daughter Eva, 9 March 2015, flies too.", False),
        ("Take the 3rd option.", False),
        ("The dates should stay as they are.", True),
        ("Same day, please.", True),
        ("Are the dates the same?", False),
    ],
)
def test_a_day_may_be_told_without_its_month_and_a_birthday_is_none(text: str, fires: bool) -> None:
    found = lines(flies("2024-05-22"), customer(text))
    assert found == ([("date", text, "customer")] if fires else [])


@pytest.mark.parametrize(
    ("text", "fires"),
    [
        ("I have to be at the office by 2 pm.", True),
        ("We should land before 4 pm.", False),
        ("The 8 am flight, please.", True),
        ("The 12 o'clock one.", False),
        ("That 3 pm flight.", False),
        ("I don't want the 8 am flight.", False),
        ("Is the 8 am flight full?", False),
        ("Leaving between 1 and 2 pm.", True),
        ("Something leaving between 11 and 1.", False),
        ("Between 2 and 3 bags.", False),
    ],
)
def test_a_flight_lands_and_leaves_when_it_was_asked_to(text: str, fires: bool) -> None:
    found = lines(flies("2024-05-22", before=""), customer(text))
    assert found == ([("time", text, "customer")] if fires else [])


def test_a_flight_that_was_offered_by_its_number_was_chosen_knowingly() -> None:
    said = (customer("The 8 am flight."), agent("LRK1 at noon is left. Book?"), customer("Yes."))
    assert lines(flies("2024-05-22", before=""), *said) == []


DAYS = st.dates(date(2024, 5, 1), date(2024, 5, 30))


@given(DAYS, DAYS, st.sampled_from(["{:%Y-%m-%d}", "{:%B %d}", "{:%d %B}", "{:%m/%d}"]))
def test_a_line_stands_exactly_where_the_day_is_another(named: date, day: date, form: str) -> None:
    text = f"Please book it for {form.format(named)}."
    found = lines(flies(day.isoformat(), before=""), customer(text))
    assert found == ([] if named == day else [("date", text, "customer")])


@given(DAYS, st.integers(-3, 3))
def test_a_day_later_means_exactly_the_day_after(day: date, moved: int) -> None:
    facts = flies((day + timedelta(moved)).isoformat(), before=day.isoformat())
    if moved:
        assert bool(lines(facts, customer("A day later, please."))) is (moved != 1)


@pytest.mark.parametrize(
    ("departs", "text", "fires"),
    [
        ("08:00", "Not before 9am.", True),
        ("09:00", "Not before 9am.", False),
        ("20:00", "No later than 7 pm.", True),
        ("19:00", "No later than 7 pm.", False),
        ("08:00", "I must arrive after 9am.", False),
        ("08:00", "Anything will do.", False),
    ],
)
def test_a_flight_leaves_when_the_customer_would(departs: str, text: str, fires: bool) -> None:
    found = lines(flies("2024-05-22", departs, before=""), customer(text))
    assert found == ([("time", text, "customer")] if fires else [])


@pytest.mark.parametrize(
    ("text", "fires"),
    [
        ("And for going home something after 6pm.", False),
        ("The flight back has to leave after 8 pm.", True),
        ("It has to leave after 8 am.", True),
    ],
)
def test_a_time_for_the_way_back_is_not_asked_of_the_way_out(text: str, fires: bool) -> None:
    legs = (Leg("LRK1", BEFORE, "06:40", "07:55"), Leg("LRK2", BEFORE, "19:10", "20:25"))
    facts = replace(NO_FACTS, legs=legs, dates_before=())
    found = lines(facts, customer(f"Fly me there and back on May 20. {text}"))
    assert [each for each in found if each[0] == "time"] == (
        [("time", text, "customer")] if fires else []
    )


@pytest.mark.parametrize(
    ("text", "fires"),
    [
        ("The flight back has to leave after 6 pm.", True),
        ("The flight back has to leave after 2 pm.", False),
        ("The flight back has to leave before 4 pm.", False),
        ("The flight back has to leave before 2 pm.", True),
    ],
)
def test_a_way_back_with_a_stop_begins_with_its_first_flight(text: str, fires: bool) -> None:
    out = Leg("LRK1", BEFORE, "06:40", "07:55")
    back = (
        Leg("LRK2", "2024-05-23", "15:00", "16:00"),
        Leg("LRK3", "2024-05-23", "19:00", "20:00"),
    )
    facts = replace(NO_FACTS, legs=(out, *back), dates_before=())
    found = lines(facts, customer(f"Fly me there on May 20 and back on May 23. {text}"))
    assert [each[0] for each in found if each[0] == "time"] == ["time"] * fires


def test_a_flight_that_was_there_before_is_not_asked_when_it_leaves() -> None:
    assert lines(flies(BEFORE, "08:00"), customer("Not before 9am.")) == []
