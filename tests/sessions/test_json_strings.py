from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from sessions.json_strings import leaves_in, map_strings, strings_in

WORD = st.text(alphabet="abc", max_size=3)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | WORD,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORD, inner, max_size=3),
    max_leaves=12,
)


@given(VALUES)
def test_the_strings_are_those_that_the_json_text_has_in_its_order(value: Any) -> None:
    written = json.dumps(value).split('"')[1::2]
    assert list(strings_in(value)) == written


@given(VALUES)
def test_without_keys_no_key_is_among_the_leaves(value: Any) -> None:
    marked = map_strings(value, lambda text: f"<{text}>")
    assert list(strings_in(marked)) == [f"<{text}>" for text in strings_in(value)]
    plain: list[object] = []

    def keep(items: Any) -> None:
        for each in items.values() if isinstance(items, dict) else items:
            if isinstance(each, dict | list):
                keep(each)
            else:
                plain.append(each)

    keep([value])
    assert list(leaves_in(value, keys=False)) == plain


@given(VALUES)
def test_what_changes_nothing_gives_the_same_value_and_shares_no_container(value: Any) -> None:
    same = map_strings(value, str)
    assert same == value
    assert not isinstance(value, dict | list) or same is not value
