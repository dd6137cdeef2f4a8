"""Airports of one city: flights are changed to another one only where an entry names both."""

from __future__ import annotations

from functools import cache

import pytest

import domains
from agent.simulated.scripts import script_for
from domains.core.domain import Domain
from tests.agent.clerk.driver import Driver
from tests.agent.clerk.lessons.test_adjusting import holding_in, lesson
from tests.agent.clerk.test_conversations import digest_after
from tests.shared_data import TAU2

pytestmark = [
    pytest.mark.heavy,
    pytest.mark.skipif(not TAU2.is_dir(), reason="needs the records of τ²-bench"),
]
SAME = ("update_reservation_flights", "The trip stays the same: origin, destination and type")
KENNEDY = "Kennedy counts as the same destination or origin as LaGuardia: they serve one city."
NEWARK = "Newark counts as the same destination as LaGuardia."


@cache
def plain() -> Domain:
    return domains.load("airline", TAU2)


@pytest.mark.parametrize("scenario", ["29-parent", "29-different", "29-complex"])
def test_flights_go_to_another_airport_where_an_entry_says_that_it_is_the_same_city(
    scenario: str,
) -> None:
    told = plain().scenario(scenario)
    driver = Driver(holding_in(plain(), lesson(SAME, KENNEDY)))
    for line in script_for(told).lines:
        driver.say(line)
    assert driver.records.digest in [digest_after(plain(), end) for end in told.ends]


@pytest.mark.parametrize("condition", ["", NEWARK, "Mourners may fly elsewhere."])
def test_without_such_an_entry_they_stay(condition: str) -> None:
    learned = [lesson(SAME, condition)] if condition else []
    driver = Driver(holding_in(plain(), *learned))
    driver.say(script_for(plain().scenario("29-parent")).lines[0])
    driver.say("yes")
    assert driver.proposed == []
