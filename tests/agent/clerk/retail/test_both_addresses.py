"""An address for an order and for the profile in one breath, also at a card that is sent back."""

from __future__ import annotations

import pytest

import domains
from tests.agent.clerk.driver import Driver

WHO = "tobias keller, zip 53703."
NEW = "1020 Jenifer Street, Apt 2, Madison, WI 53703"
OAK = "55 Oak Lane, Madison, WI 53703"
JENIFER = ("1020 Jenifer Street", "Apt 2")
LANE = ("55 Oak Lane", "")


@pytest.mark.parametrize(
    ("first", "change", "rest", "to"),
    [
        (f"I'm moving. Please ship my pending order to {NEW}, and change my account address too.",
         "make it Apt 3, for both the order and my account", [], ("1020 Jenifer Street", "Apt 3")),
        (f"Please ship my pending order to {NEW}.",
         f"please use {OAK} for both the order and my account", [], LANE),
        (f"Please ship my pending order to {NEW}.",
         "wrong street", [f"{OAK}, for my account and the order"], LANE),
        ("Please cancel my pending order, it is no longer needed.",
         f"don't cancel it, change the address to {OAK} on both profile and order", [], LANE),
        (f"Please change my address to {NEW}.", "and the order too", [], JENIFER),
        (f"Please change my address to {NEW}.", "for my profile and the order", [], JENIFER),
        (f"Please ship my pending order to {NEW}.", "my account as well, please", [], JENIFER),
    ],
)  # fmt: skip
def test_an_address_for_both_changes_both_and_nothing_else(
    first: str, change: str, rest: list[str], to: tuple[str, str]
) -> None:
    driver = Driver(domains.load("retail"), decisions=[f"change: {change}"])
    driver.say(f"{WHO} {first}")
    for line in rest:
        driver.say(line)
    made = {each.name: each.arguments for each in driver.writes}
    assert made.keys() == {"modify_pending_order_address", "modify_user_address"}
    assert len(driver.writes) == 2
    assert {(each["address1"], each["address2"]) for each in made.values()} == {to}


@pytest.mark.parametrize(
    ("change", "made"),
    [
        (f"use {OAK}, not for the order and my account, only for the account",
         ["modify_user_address"]),
        (f"use {OAK} for the order", ["modify_pending_order_address"]),
    ],
)  # fmt: skip
def test_an_address_for_one_does_not_change_both(change: str, made: list[str]) -> None:
    driver = Driver(domains.load("retail"), decisions=[f"change: {change}"])
    driver.say(f"{WHO} Please change my address to {NEW}.")
    assert [each.name for each in driver.writes] in (made, [])
