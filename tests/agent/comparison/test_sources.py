from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domains.core.facts import Facts, Source
from tests.agent.comparison.talking import NO_FACTS, agent, customer, lines, read

BORN = Source("date of birth", "1990-04-05", "has Mia born 1990-04-05", is_date=True)


def from_somewhere(source: Source) -> Facts:
    return replace(NO_FACTS, sources=(source,))


@pytest.mark.parametrize(
    ("text", "fires"),
    [
        ("Mia Li, born April 5, 1990.", False),
        ("It's 04/05/1990.", False),
        ("Her birthday is the 5th of April.", False),
        ("born May 4, 1990", True),
        ("born April 5, 1991", True),
        ("She is on file.", True),
    ],
)
def test_a_day_of_birth_was_said_in_some_form(text: str, fires: bool) -> None:
    assert bool(lines(from_somewhere(BORN), customer(text))) is fires


def test_what_only_the_agent_said_comes_out_of_nowhere() -> None:
    assert lines(from_somewhere(BORN), agent("Born 1990-04-05, then."), customer("Yes.")) == [
        ("date of birth", "", "")
    ]


def test_what_was_looked_up_comes_from_there() -> None:
    assert lines(from_somewhere(BORN), read('{"dob": "1990-04-05"}')) == []
    failed = read('{"dob": "1990-04-05"}', error=True)
    assert lines(from_somewhere(BORN), failed) != []


def test_what_is_not_what_is_on_file_has_to_be_said() -> None:
    odd = from_somewhere(replace(BORN, on_file="1991-01-01"))
    assert lines(odd, read('{"dob": "1990-04-05"}')) == [("date of birth", "", "")]
    assert lines(odd, customer("April 5, 1990 is right.")) == []
    assert lines(from_somewhere(replace(BORN, on_file="1990-04-05")), read("1990-04-05")) == []


def test_every_word_of_a_name_or_an_address_was_said_or_read() -> None:
    street = from_somewhere(Source("address1", "12 Elm Street", "ships to 12 Elm Street"))
    assert lines(street, customer("Send it to 12 elm street, please")) == []
    assert lines(street, read("11 Elm Street"), customer("12, not 11; the rest is right")) == []
    assert lines(street, customer("12 Elm Road")) == [("address1", "", "")]
    assert lines(street, agent("12 Elm Street?"), customer("Yes.")) == [("address1", "", "")]


def test_a_number_is_read_in_its_place() -> None:
    home = read('{"address1": "61 Elm Street", "address2": "Suite 204", "price": 16.75}')
    for value, comes in (("61 Elm St", True), ("16 Elm St", False), ("Suite 75", False)):
        street = from_somewhere(Source("address1", value, f"ships to {value}"))
        assert bool(lines(street, home, customer("You know my address."))) is not comes


def test_of_the_days_of_birth_that_were_given_one_is_entered() -> None:
    facts = from_somewhere(replace(BORN, on_file=BORN.value))
    profile = read('{"dob": "1990-04-05"}')
    other = "For Tim Roe, 8 May 1988, and nobody else."
    assert lines(facts, profile, customer(other)) == [("date of birth", other, "customer")]
    assert lines(facts, profile, customer(f"{other} Or rather me, April 5, 1990.")) == []
    assert lines(facts, profile, customer("For me, I was there in 2019.")) == []


@given(st.dates(date(1920, 1, 1), date(2010, 12, 31)), st.sampled_from(["%B %d, %Y", "%m/%d/%Y"]))
def test_a_day_that_was_said_is_never_out_of_nowhere(born: date, form: str) -> None:
    facts = from_somewhere(replace(BORN, value=born.isoformat()))
    assert lines(facts, customer(f"born {born.strftime(form)}")) == []
    assert lines(facts, customer("born, as you know")) != []
