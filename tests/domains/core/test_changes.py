from __future__ import annotations

from copy import deepcopy
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from domains.core.canonical import canonical
from domains.core.changes import Change, apply_patch, patch_of, same
from domains.core.draft import Draft
from domains.core.records import Base, Records
from domains.core.tool import Toolset

LEAVES = st.sampled_from([None, True, 1, 1.0, 0.0, -0.0, "a", ""])
JSON = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3)
    ),
    max_leaves=8,
)
RECORDS = st.dictionaries(st.sampled_from("abc"), JSON, max_size=3)


@given(RECORDS, RECORDS)
@example({"a": [1]}, {"a": [1.0]})
@example({"a": 0.0}, {"a": -0.0})
@example({}, {"a": None})
def test_records_differ_in_a_field_exactly_where_they_are_not_the_same(
    before: dict[str, Any], after: dict[str, Any]
) -> None:
    change = Change("things", "1", before, after)
    assert (not change.fields) == same(before, after) == (canonical(before) == canonical(after))


@given(RECORDS, RECORDS)
def test_what_differs_leads_from_the_one_to_the_other(
    before: dict[str, Any], after: dict[str, Any]
) -> None:
    (patch,) = patch_of([Change("things", "1", before, after)])
    assert same(apply_patch(before, patch["fields"]), after)


def change_innermost(part: Any, value: Any) -> None:
    """Put a value where the innermost of the last parts begins."""
    inner = list(part.values()) if isinstance(part, dict) else list(part)
    if inner and isinstance(inner[-1], dict | list) and inner[-1]:
        change_innermost(inner[-1], value)
    else:
        part[next(iter(part)) if isinstance(part, dict) else 0] = value


@given(st.dictionaries(st.sampled_from("abc"), JSON, min_size=1, max_size=3), JSON)
@example({"a": [{"b": 1}]}, 2)
def test_what_an_edit_shares_with_the_record_is_told_as_if_it_shared_nothing(
    record: dict[str, Any], value: Any
) -> None:
    records = Records(Base({"things": {"1": deepcopy(record)}}, "test"), Toolset("Test", ()))
    draft = Draft(records)
    change_innermost(draft.edit("things", "1"), value)
    told = [change.fields for change in draft.changes()]
    after = deepcopy(record)
    change_innermost(after, value)
    apart = Change("things", "1", record, after)
    assert told == ([apart.fields] if apart.fields else [])
    assert same(records.get("things", "1"), record)
