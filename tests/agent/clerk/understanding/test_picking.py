from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from agent.clerk.understanding.picking import any_will_do, decided_part, pick_place, pick_places

SENTENCES = Path(__file__).parents[1] / "sentences"
ASKED = [
    json.loads(line)
    for line in (SENTENCES / "picks.jsonl").read_text(encoding="utf-8").splitlines()
]
BY_WORDS = {"intent", "transfer", "either", "condition"}
"""The questions whose choices may be named by their own words."""


@pytest.mark.parametrize(
    ("text", "count", "places"),
    [
        ("1, 2", 4, [0, 1]),
        ("1 and 3", 4, [0, 2]),
        ("1,2,3", 4, [0, 1, 2]),
        ("2-4 please", 4, [1, 2, 3]),
        ("the first and the third", 4, [0, 2]),
        ("number 1 and number 4, thanks", 4, [0, 3]),
        ("the first two", 4, [0, 1]),
        ("last two please", 4, [2, 3]),
        ("both", 2, [0, 1]),
        ("all of them", 3, [0, 1, 2]),
        ("all three", 3, [0, 1, 2]),
        ("both", 3, []),
        ("all three", 4, []),
        ("1", 4, []),
        ("2 and 9", 4, []),
        ("the lamp and 2", 4, []),
        ("not 1 and 2", 4, []),
        ("", 4, []),
    ],
)
def test_several_choices_are_picked_at_once(text: str, count: int, places: list[int]) -> None:
    assert pick_places(text, count) == places


@given(st.text(max_size=60), st.integers(0, 6))
@example("²", 2)
def test_whatever_is_written_only_what_is_there_is_picked(text: str, count: int) -> None:
    places = pick_places(text, count)
    assert places == sorted(set(places))
    assert len(places) != 1
    assert all(0 <= each < count for each in places)


@given(st.text(max_size=60), st.lists(st.text(max_size=12), max_size=4))
@example("a-b, 1,2 b.c", ["a b", "b c"])
@settings(deadline=None)
def test_whatever_is_written_a_choice_that_is_there_is_picked_or_none(
    text: str, choices: list[str]
) -> None:
    place = pick_place(text, choices)
    assert place is None or 0 <= place < max(len(choices), 1)


@pytest.mark.parametrize(
    "text",
    [
        "doesn't matter, forget it",
        "never mind, it doesn't matter any more",
        "i changed my mind, it doesn't matter",
        "no, doesn't matter",
        "whichever, i don't want it cancelled",
    ],
)
def test_who_lets_go_leaves_no_choice_to_the_clerk(text: str) -> None:
    assert not any_will_do(text)
    assert not any_will_do(text, "your choice")
    assert any_will_do("they're twins, doesn't matter at all, whichever you like", "your choice")


def outcome(reply: dict[str, Any], asked: dict[str, Any]) -> str:
    """What becomes of a reply to a question with choices."""
    place = pick_place(reply["text"], asked["choices"], by_words=asked["slot"] in BY_WORDS)
    picks = reply["picks"]
    if place is None:
        return "missed" if picks else "none"
    return "right" if picks in ([place + 1], ["any"]) else "wrong"


def test_a_reply_hardly_ever_picks_what_was_not_meant() -> None:
    # What is missed here may still be understood by what it says of the choice.
    counts = Counter(outcome(reply, asked) for asked in ASKED for reply in asked["replies"])
    assert counts["wrong"] <= 0.035 * counts.total()
    assert counts["right"] >= 430


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("say teh second one, and leave the other alone please, I do want one planner", 1),
        ("has to be the early one, I need to be off the ground before 8", 0),
        ("the first, no wait, the second", 1),
        ("1... sorry, 2", 1),
        ("not the first", 1),
        ("the cheaper one please. Is it direct?", 1),
        ("is it still possible to cancel on Saturday, or is that too late?", None),
        ("does the first have window seats left", None),
        ("can I take the second?", 1),
        ("I'll decide later", None),
        ("I don't want the first one", None),
        ("do the second one", 1),
        ("the second one, sorry for the late reply", 1),
        ("arriving before 7 in the morning, the cheapest", None),
    ],
)
def test_what_a_reply_decides_is_picked(text: str, place: int | None) -> None:
    choices = ["LRK261, 06:40–07:55: $124", "LRK263, 16:30–17:45: $98"]
    assert pick_place(text, choices, by_words=False) == place


@given(st.text("abcdefgh ", max_size=40), st.sampled_from(["How heavy is it?", "is it new?"]))
def test_what_is_asked_decides_nothing(told: str, asked: str) -> None:
    assert decided_part(f"{told}. {asked}") == decided_part(f"{told}.")
