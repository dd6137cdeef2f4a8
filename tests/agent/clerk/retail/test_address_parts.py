"""Addresses as people type them: with commas or without, with a unit, a box, a state in full."""

from __future__ import annotations

import pytest

from agent.clerk.retail.address_parts import parse_address

NEW_YORK = {"address2": "", "city": "New York", "state": "NY", "zip": "10004"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("change it to 12 oak street madison wi 53711 please",
         {"address1": "12 Oak Street", "city": "Madison", "state": "WI", "zip": "53711"}),
        ("to my sister, 44 Holly St Unit 5b in Portland Oregon, 97205",
         {"address1": "44 Holly St", "address2": "Unit 5b", "city": "Portland", "state": "OR"}),
        ("it should go to 8 Broadway, New York, NY 10004 instead of 12 Main Street",
         {"address1": "8 Broadway", **NEW_YORK}),
        ("my new place is 77 W Elm Ave #3, Columbus OH 43206",
         {"address1": "77 W Elm Ave", "address2": "#3", "city": "Columbus", "state": "OH"}),
        ("two of the 3 lamps to my office: 500 Congress Avenue, Suite 1100, Austin, Texas",
         {"address1": "500 Congress Avenue", "address2": "Suite 1100", "state": "TX"}),
        ("she's at 412 Birchwood Lane, Tacoma, Washington, 98405. Shes retired and always in so "
         "nobody can nick it off the porch haha. Just for the coffee thing, my own address stays",
         {"address1": "412 Birchwood Lane", "city": "Tacoma", "state": "WA", "zip": "98405"}),
        ("P.O. Box 12, Madison WI 53703", {"address1": "P.O. Box 12", "city": "Madison"}),
        ("318 Alder Lane unit 2B, rest is right", {"address1": "318 Alder Lane"}),
        ("it's in Madison, WI", {"city": "Madison", "state": "WI"}),
        ("make it apt 5 not 2", {"address2": "Apt 5"}),
    ],
)  # fmt: skip
def test_an_address_is_read_from_a_sentence(text: str, told: dict[str, str]) -> None:
    found = parse_address(text)
    assert told.items() <= {**found, "address2": found.get("address2", "").capitalize()}.items()


@pytest.mark.parametrize(
    "text",
    [
        "cancel the 2 mugs from last week",
        "exchange the 10 mm mat",
        "return 2 lamps and 3 mugs please",
    ],
)
def test_numbers_of_things_are_no_address(text: str) -> None:
    assert parse_address(text) == {}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Wisconsin", {"state": "WI"}),
        ("it's madison, wisconsin", {"city": "Madison", "state": "WI"}),
        ("zip 53711", {"zip": "53711"}),
    ],
)
def test_a_bare_word_is_the_part_that_is_still_missing(text: str, told: dict[str, str]) -> None:
    assert parse_address(text, ["city", "state", "zip"]) == told
