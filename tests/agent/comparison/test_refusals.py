from __future__ import annotations

import pytest

from agent.comparison.mentions import mention
from agent.comparison.refusals import Things
from agent.comparison.sentences import sentences
from tests.agent.comparison.talking import ways

THINGS = ways(tent="tent", stove="stove|camp stove")
VALUES = ways(yes="insurance|insured", red="red")


@pytest.mark.parametrize(
    ("text", "wanted", "refused"),
    [
        ("I can't use the tent.", {"tent"}, set()),
        ("We could never have carried the tent so far.", {"tent"}, set()),
        ("I'm not happy with the stove.", {"stove"}, set()),
        ("I can't pay for both the tent and the stove.", {"tent", "stove"}, set()),
        ("I don't want to give the tent away.", set(), {"tent"}),
        ("I don't want the stove returned.", set(), {"stove"}),
        ("I can't light the stove so please return it.", {"stove"}, set()),
        ("The tent shouldn't go anywhere.", set(), {"tent"}),
        ("Everything, not the tent.", set(), {"tent"}),
        ("Everything except the camp stove.", set(), {"stove"}),
        ("None of it but the tent.", {"tent"}, set()),
    ],
)
@pytest.mark.parametrize("things", ["taken away", "replaced"])
def test_of_things_it_matters_what_is_denied(
    text: str, things: Things, wanted: set[str], refused: set[str]
) -> None:
    found = mention(sentences(text), THINGS, things=things)
    assert (set(found.wanted), set(found.refused)) == (wanted, refused)


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("The stove my wife needs after all.", {"stove"}),
        ("Oh, the tent I want.", {"tent"}),
        ("I still need the tent.", {"tent"}),
        ("The tent is what I want to return.", set()),
        ("I really want the stove to go back.", set()),
        ("The tent nobody wants.", set()),
        ("I need a label for the tent.", set()),
    ],
)
def test_what_is_still_wanted_is_not_given_up(text: str, refused: set[str]) -> None:
    assert mention(sentences(text), THINGS, things="taken away").refused == refused
    assert mention(sentences(text), THINGS).refused == set()


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("Insurance: none.", {"yes"}),
        ("Insurance - no. Bags: two.", {"yes"}),
        ("insurance none, window seat", {"yes"}),
        ("Insurance is not needed, thanks.", {"yes"}),
        ("Insurance isn't really necessary for me.", {"yes"}),
        ("The red one is not to my taste, insurance yes.", set()),
    ],
)
def test_a_denial_may_stand_after_what_it_denies(text: str, refused: set[str]) -> None:
    assert mention(sentences(text), VALUES).refused == refused
