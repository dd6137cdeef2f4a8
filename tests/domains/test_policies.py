from __future__ import annotations

import re
from datetime import datetime

import pytest

import domains
from domains.airline import load
from domains.airline.schema import NOW
from domains.core.domain import Domain

LEANING = re.compile(r"(?:It|They|He|She|This|That|These|Those|Such|Otherwise|So|Then|Also)\b")


@pytest.fixture(params=domains.names())
def domain(request: pytest.FixtureRequest) -> Domain:
    return domains.load(request.param)


def bullets(domain: Domain) -> list[str]:
    return [line[2:] for line in domain.policy.splitlines() if line.startswith("- ")]


def test_every_line_of_a_policy_stands_alone(domain: Domain) -> None:
    for line in bullets(domain):
        assert line.endswith(".")
        assert line[0].isupper()
        assert not LEANING.match(line)
        assert len(line) <= 300


def test_a_policy_is_headings_and_lines_and_says_nothing_twice(domain: Domain) -> None:
    lines = bullets(domain)
    assert len(set(lines)) == len(lines) >= 40
    rest = [line for line in domain.policy.splitlines() if line and not line.startswith("- ")]
    assert [line for line in rest if not line.startswith("#")] in (
        [],
        [f"The current time is {datetime.fromisoformat(NOW)} EST."],
    )


def test_a_policy_says_how_to_hand_over_and_to_wait_for_a_yes(domain: Domain) -> None:
    assert "YOU ARE BEING TRANSFERRED TO A HUMAN AGENT. PLEASE HOLD ON." in domain.policy
    assert any("explicit yes" in line for line in bullets(domain))


def test_the_airlines_policy_says_what_its_rules_are_in_numbers() -> None:
    policy = load().policy
    for words in (
        f"The current time is {datetime.fromisoformat(NOW)} EST.",
        "regular 0 in basic economy, 1 in economy, 2 in business; silver 1, 2, 3; gold 2, 3, 4",
        "costs 50 dollars a bag",
        "30 dollars for each passenger",
        "at most five passengers",
        "at most one travel certificate, at most one credit card and at most three gift cards",
        "within the last 24 hours",
        "100 dollars for each passenger",
        "50 dollars for each passenger",
        "within 5 to 7 business days",
    ):
        assert words in policy
