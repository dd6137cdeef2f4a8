"""Slips that are put right: what takes whose place, and what puts nothing right."""

from __future__ import annotations

import pytest

from agent.clerk.retail.address_parts import says_same
from agent.clerk.understanding.correcting import corrected_values

GIVEN = {
    "address1": "2251 Eastland Avenue",
    "address2": "Unit 4",
    "city": "Nashville",
    "zip": "37206",
}


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("2215 not 2251, fat fingers", {"address1": "2215 Eastland Avenue"}),
        ("it should say 2215 and not 2251", {"address1": "2215 Eastland Avenue"}),
        ("not 2251, 2215", {"address1": "2215 Eastland Avenue"}),
        ("not 2251 but 2215", {"address1": "2215 Eastland Avenue"}),
        ("2215 instead of 2251", {"address1": "2215 Eastland Avenue"}),
        ("2215 Eastland Avenue, not 2251", {"address1": "2215 Eastland Avenue"}),
        ("the zip is 37216 not 37206", {"zip": "37216"}),
        ("it's Memphis, not Nashville", {"city": "Memphis"}),
        ("unit 5 not unit 4", {"address2": "Unit 5"}),
        ("eastlend with an e", {"address1": "2251 Eastlend Avenue"}),
        ("that's not 2251", {}),
        ("12 Oak Street, not Apt 2", {}),
        ("i did not ask for Nashville", {}),
        ("do not cancel it", {}),
        ("the one with a lid", {}),
    ],
)
def test_what_is_put_right(text: str, right: dict[str, str]) -> None:
    assert corrected_values(text, GIVEN) == right


@pytest.mark.parametrize("digits", ["10", "2215", "99999"])
def test_any_figure_takes_the_place_of_the_one_that_was_given(digits: str) -> None:
    assert corrected_values(f"{digits} not 7", {"address1": "7 Oak"}) == {
        "address1": f"{digits} Oak"
    }


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("same zip", ["zip", "state"]),
        ("same city and zip code", ["city", "zip", "state"]),
        ("the state stays the same", ["state"]),
        ("the same day", []),
        ("zip 37206", []),
    ],
)
def test_which_parts_are_said_to_be_the_same(text: str, parts: list[str]) -> None:
    assert says_same(text) == parts
