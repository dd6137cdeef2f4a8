"""Of what is offered several things are picked in one answer, or all but one."""

from __future__ import annotations

import pytest

import domains
from tests.agent.clerk.driver import Driver

KEYBOARD, LAMP, BOTTLE = "6465303743", "1355753000", "4851420025"
BELT, SWEATER = "1748939143", "3703100425"


@pytest.mark.parametrize(
    ("wish", "answer", "orders"),
    [
        ("i want to return something", "1 and 3", [{KEYBOARD, BOTTLE}]),
        ("i want to return something", "the first and the last", [{KEYBOARD}, {SWEATER}]),
        ("i want to return something", "all of them", [{KEYBOARD, LAMP, BOTTLE}, {BELT, SWEATER}]),
        ("i want to return something", "all but the lamp", [{KEYBOARD, BOTTLE}, {BELT, SWEATER}]),
        (
            "i want to return something",
            "all of it except the lamp and the belt",
            [{KEYBOARD, BOTTLE}, {SWEATER}],
        ),
        (
            "i want to return something from order 1457422",
            "everything except the lamp",
            [{KEYBOARD, BOTTLE}],
        ),
    ],
)
def test_several_of_what_is_offered_go_back(wish: str, answer: str, orders: list[set[str]]) -> None:
    driver = Driver(domains.load("retail"))
    for line in ("yusuf rossi, 19122", wish, answer, "1"):
        driver.say(line)
    assert [set(call.arguments["item_ids"]) for call in driver.proposed] == orders


def test_a_change_is_made_of_both_reservations_that_are_picked() -> None:
    driver = Driver(domains.load("airline"))
    for line in ("ivo_petrov_2519", "add a bag", "1 and 2", "1"):
        driver.say(line)
    changed = [call.arguments["reservation_id"] for call in driver.proposed]
    assert changed == ["H9EY6R", "F3JM9V"]


@pytest.mark.parametrize(
    ("limit", "proposes"),
    [("but only if not more than 80", False), ("only if it is under 500 dollars", True)],
)
def test_a_limit_that_comes_as_an_answer_holds(limit: str, *, proposes: bool) -> None:
    driver = Driver(domains.load("airline"), decisions=["reject"])
    for line in ("ivo_petrov_2519", "upgrade the new york trip to business", limit, "1"):
        driver.say(line)
    assert bool(driver.proposed) is proposes
