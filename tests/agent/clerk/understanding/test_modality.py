from __future__ import annotations

from collections.abc import Mapping

import pytest

from agent.clerk.airline.dialogue import AirlineDialogue
from agent.clerk.understanding.intents import Guess
from agent.clerk.understanding.labelling import Stance
from agent.clerk.understanding.modality import set_modality
from agent.clerk.understanding.parsed_message import ParsedRequest

CATALOG = AirlineDialogue().reader.catalog


def request_with(stance: Mapping[Stance, float]) -> ParsedRequest:
    guesses = (Guess("cancel_reservation", 0.9), Guess("change_flights", 0.1))
    request = ParsedRequest("cancel_reservation", "no need to call it off", 0.9, guesses)
    return set_modality(request, CATALOG, stance)


@pytest.mark.parametrize(
    ("stance", "offered"),
    [
        ({"want": 0.35, "deny": 0.6, "ask": 0.05, "none": 0.0, "mention": 0.0}, "nothing_changes"),
        ({"want": 0.35, "deny": 0.05, "ask": 0.6, "none": 0.0, "mention": 0.0}, "hypothetical"),
    ],
)
def test_what_may_be_denied_or_only_asked_about_is_offered_as_that_too(
    stance: Mapping[Stance, float], offered: str
) -> None:
    request = request_with(stance)
    assert request.is_uncertain
    assert [each.name for each in request.guesses] == [
        "cancel_reservation",
        offered,
        "change_flights",
    ]


def test_what_is_clearly_wanted_is_offered_as_nothing_else() -> None:
    request = request_with({"want": 0.7, "deny": 0.3, "ask": 0.0, "none": 0.0, "mention": 0.0})
    assert not request.is_uncertain
    assert [each.name for each in request.guesses] == ["cancel_reservation", "change_flights"]
