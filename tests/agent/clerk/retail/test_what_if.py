"""What a change would come to: worked out as far as the words go, asked about where they don't."""

from __future__ import annotations

import pytest

import domains
from tests.agent.clerk.driver import Driver

YUSUF = "yusuf rossi, 19122"
"""One order of his is pending, two were delivered."""


def answers_to(*lines: str) -> tuple[Driver, list[str]]:
    driver = Driver(domains.load("retail"))
    driver.say(YUSUF)
    return driver, [driver.say(each) for each in lines]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("what would i get back if i cancel that", "you would get $18.00 back"),
        ("how much would i get back if i returned the sweater", "you would get $78.95 back"),
        ("if i changed the planner to a lined one what would that be", "price would stay the same"),
        ("if i send back something what would i get", "Which items would you like to return?"),
        ("what would i pay if i swapped the keyboard for a clicky one", "Which one would you like"),
        ("would it be possible to send the planner to another address", "That would be possible."),
    ],
)
def test_what_was_only_asked_about_is_told_and_not_proposed(text: str, told: str) -> None:
    driver, (said,) = answers_to(text)
    assert told in said
    assert not driver.proposed


def test_what_it_depends_on_is_asked_and_then_it_is_told() -> None:
    driver, said = answers_to("if i send back something what would i get", "the keyboard")
    assert "you would get $167.00 back" in said[-1]
    assert not driver.proposed
    driver.say("yes do it")
    driver.say("1")
    assert [call.name for call in driver.proposed] == ["return_delivered_order_items"]
