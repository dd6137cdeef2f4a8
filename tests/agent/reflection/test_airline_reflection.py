from __future__ import annotations

import pytest

from agent.reflection.reflection import reflect
from domains.airline import load
from domains.core.domain import Domain
from domains.core.tool import ToolCall

NEEDED = {
    "book_reservation": ("at most one travel certificate", "at most five", "Free baggage depends"),
    "cancel_reservation": ("flown already", "older than 24 hours", "whole reservation"),
    "send_certificate": ("only to a silver or gold", "100 dollars", "50 dollars", "other reason"),
    "update_reservation_baggages": ("50 dollars a bag", "never take any out", "has not asked for"),
    "update_reservation_flights": ("basic economy reservation cannot", "stay the same", "flown"),
    "update_reservation_passengers": ("number of passengers", "lists all passengers"),
}


@pytest.fixture(scope="module")
def airline() -> Domain:
    return load()


def calls(domain: Domain, name: str) -> list[ToolCall]:
    return [
        call
        for scenario in domain.scenarios
        for end in scenario.ends
        for call in end
        if call.name == name
    ]


@pytest.mark.parametrize("name", NEEDED)
def test_the_lines_that_matter_are_chosen_for_each_write_of_the_scenarios(
    airline: Domain, name: str
) -> None:
    assert calls(airline, name)
    for call in calls(airline, name):
        text, lines = reflect(airline, call, airline.records())
        assert 2 <= len(lines) <= 5
        for words in NEEDED[name]:
            assert any(words in line for line in lines), f"{words!r} is not among {lines}"
            assert words in text
