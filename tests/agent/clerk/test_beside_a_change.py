"""What else is said in the message that asks for a change."""

from __future__ import annotations

import pytest

import domains
from tests.agent.clerk.driver import Driver

NO_SEATS = "Single seats aren't in my records"


@pytest.mark.parametrize(
    "wishes",
    [
        "i want seat 3A and add a bag to the new york trip, mastercard",
        "add a bag to the new york trip, mastercard. also i want seat 3A",
    ],
)
def test_what_is_refused_beside_a_change_is_told_once_and_before_its_card(wishes: str) -> None:
    driver = Driver(domains.load("airline"))
    for line in ("ivo_petrov_2519", wishes):
        driver.say(line)
    assert [call.name for call in driver.writes] == ["update_reservation_baggages"]
    (told,) = (each for each in driver.messages if NO_SEATS in str(each["content"]))
    (call,) = told["tool_calls"]
    assert call["function"]["name"] == "update_reservation_baggages"


@pytest.mark.parametrize(
    ("domain", "who", "wish", "unclear", "told", "changes"),
    [
        (
            "airline",
            "ivo_petrov_2519",
            "add a bag to the new york trip, mastercard",
            "also please sort the other stuff",
            "I didn't understand “also please sort the other stuff”.",
            1,
        ),
        (
            "retail",
            "yusuf rossi, 19122",
            "i want to return something",
            "also please fix the thing with my husband",
            "I didn't understand “also please fix the thing with my husband”.",
            0,
        ),
    ],
)
def test_an_unclear_wish_beside_a_clear_one_is_quoted_back(
    domain: str, who: str, wish: str, unclear: str, told: str, changes: int
) -> None:
    driver = Driver(domains.load(domain))
    driver.say(who)
    assert told in driver.say(f"{wish}. {unclear}")
    assert len(driver.writes) == changes
