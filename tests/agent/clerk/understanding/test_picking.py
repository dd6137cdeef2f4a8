from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agent.clerk.understanding.picking import any_will_do, pick_places


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
