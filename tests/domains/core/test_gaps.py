"""Scenarios that stand in a gap of a policy: told from others by more than their id."""

from __future__ import annotations

from dataclasses import replace

import pytest

from domains.core.domain import Gaps, Role, Scenario
from domains.core.tool import ToolCall
from tests.toy import toy_domain

PLAIN = Scenario("coins", "Three coins", Role("You are Ann."), ((ToolCall("spend", {"n": 3}),),))
SISTER = replace(PLAIN, id="coins-simplified", gap="coins", parent="coins", variant="simplified")


def test_a_scenario_that_is_about_no_gap_keeps_the_digest_it_had() -> None:
    assert PLAIN.digest.startswith("494f619943cc8e9e")


@pytest.mark.parametrize(
    "other",
    [
        replace(PLAIN, gap="G"),
        replace(PLAIN, parent="p"),
        replace(PLAIN, variant="complex"),
        replace(PLAIN, explanation="It may."),
    ],
    ids=["gap", "parent", "variant", "explanation"],
)
def test_whatever_is_said_of_a_gap_makes_another_task_of_it(other: Scenario) -> None:
    assert other.digest != PLAIN.digest


def test_what_stands_in_a_gap_is_found_by_its_id_and_listed_nowhere() -> None:
    domain = replace(toy_domain(), read_gaps=lambda _: Gaps((), (SISTER,)))
    assert domain.scenario("coins-simplified") is SISTER
    assert SISTER not in domain.scenarios
    assert not toy_domain().gap_scenarios
