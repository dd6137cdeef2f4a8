from __future__ import annotations

import copy
import gc
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domains.core.canonical import canonical
from domains.core.changes import patch_of, same
from domains.core.consent import Consent, ConsentRefused, call_digest
from domains.core.domain import Domain
from domains.core.draft import Draft
from domains.core.records import Base, Records, RecordsMismatch
from domains.core.tool import ToolCall
from tests.domains.applying import apply
from tests.domains.retail.retail_calls import order_ids, writes
from tests.effort import examples
from tests.toy import toy_domain

LAW = settings(
    max_examples=examples(200),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
TAKE_THREE = ToolCall("take", {"jar": "red", "coins": 3})


def consent(records: Records, call: ToolCall, card_id: str = "card") -> Consent:
    return Consent(card_id, call_digest(call), records.preview(call).state, "words")


@LAW
@given(data=st.data())
def test_a_preview_changes_nothing_and_applying_does_what_it_said(
    retail: Domain, data: st.DataObject
) -> None:
    records = retail.records()
    order_id = data.draw(order_ids(retail))
    order = records.get("orders", order_id) or {}
    base = copy.deepcopy([order, records.get("users", order["user_id"])])
    for number in range(2):
        call = data.draw(writes(retail, order_id))
        before = records.digest
        preview = records.preview(call)
        assert records.digest == before
        applied = records.apply(call, consent(records, call, f"card {number}"))
        assert (applied.result, applied.changes) == (preview.result, preview.changes)
        assert applied.digest == records.digest
        assert (records.digest == before) == (not applied.changes)
    shared = retail.base.collections
    assert [shared["orders"][order_id], shared["users"][order["user_id"]]] == base


@LAW
@given(data=st.data())
def test_a_session_is_rebuilt_from_its_patches(retail: Domain, data: st.DataObject) -> None:
    records, rebuilt = retail.records(), retail.records()
    order_id = data.draw(order_ids(retail))
    for number in range(3):
        applied = apply(records, data.draw(writes(retail, order_id)), f"card {number}")
        rebuilt.replay_write(f"card {number}", patch_of(applied.changes), applied.digest)
    assert rebuilt.diff() == records.diff()


def test_a_consent_is_good_for_one_use() -> None:
    records = toy_domain().records()
    once = consent(records, TAKE_THREE)
    records.apply(TAKE_THREE, once)
    again = replace(once, state=records.preview(TAKE_THREE).state)
    after = records.digest
    with pytest.raises(ConsentRefused, match="already been used"):
        records.apply(TAKE_THREE, again)
    assert records.digest == after


def test_a_consent_from_the_log_counts_as_used() -> None:
    records, other = toy_domain().records(), toy_domain().records()
    once = consent(records, TAKE_THREE)
    applied = records.apply(TAKE_THREE, once)
    other.replay_write("card", patch_of(applied.changes), applied.digest)
    with pytest.raises(ConsentRefused, match="already been used"):
        other.apply(TAKE_THREE, replace(once, state=other.preview(TAKE_THREE).state))


@pytest.mark.parametrize(
    "other",
    [
        ToolCall("take", {"jar": "red", "coins": 4}),
        ToolCall("take", {"jar": "blue", "coins": 3}),
        ToolCall("take", {"jar": "red", "coins": 3, "extra": None}),
        ToolCall("liar", {"jar": "red"}),
    ],
)
def test_a_consent_is_refused_for_any_other_call(other: ToolCall) -> None:
    records = toy_domain().records()
    with pytest.raises(ConsentRefused, match="different call"):
        records.apply(other, consent(records, TAKE_THREE))
    assert records.diff() == ()


def test_a_consent_is_refused_once_the_records_it_was_given_on_have_moved() -> None:
    records = toy_domain().records()
    given_before = consent(records, TAKE_THREE)
    apply(records, ToolCall("take", {"jar": "red", "coins": 1}), "another card")
    with pytest.raises(ConsentRefused, match="have changed"):
        records.apply(TAKE_THREE, given_before)
    assert records.get("jars", "red") == {"coins": 9}


def test_a_consent_survives_changes_to_records_that_its_call_does_not_touch() -> None:
    records = toy_domain().records()
    given_before = consent(records, TAKE_THREE)
    apply(records, ToolCall("take", {"jar": "blue", "coins": 1}), "another card")
    records.apply(TAKE_THREE, given_before)
    assert records.get("jars", "red") == {"coins": 7}


def test_a_refused_consent_is_not_used_up() -> None:
    records = toy_domain().records()
    once = consent(records, TAKE_THREE)
    with pytest.raises(ConsentRefused):
        records.apply(ToolCall("take", {"jar": "red", "coins": 9}), once)
    records.apply(TAKE_THREE, once)


def test_a_tool_that_lies_about_changing_nothing_is_refused_and_undone() -> None:
    records = toy_domain().records()
    result = records.look_up(ToolCall("liar", {"jar": "red"}))
    assert result.error
    assert "not declared as changing" in result.text
    assert records.diff() == ()


def test_a_call_that_fails_half_way_leaves_nothing_behind() -> None:
    records = toy_domain().records()
    call = ToolCall("take", {"jar": "red", "coins": 99})
    assert records.apply(call, consent(records, call)).changes == ()
    assert records.diff() == ()


def test_records_that_come_back_to_the_base_are_equal_to_it() -> None:
    records = toy_domain().records()
    untouched, start = records.digest, records.snapshot()
    apply(records, TAKE_THREE)
    assert records.digest != untouched
    records.restore(start)
    assert records.digest == untouched


def test_a_patch_that_does_not_fit_the_records_is_noticed() -> None:
    records, other = toy_domain().records(), toy_domain(coins=20).records()
    applied = apply(records, TAKE_THREE)
    with pytest.raises(RecordsMismatch):
        other.replay_write("card", patch_of(applied.changes), applied.digest)


@given(
    st.lists(st.tuples(st.integers(0, 1), st.sampled_from("abcd"), st.integers(0, 9)), max_size=8)
)
def test_what_is_listed_is_what_is_there_one_by_one(
    changes: list[tuple[int, str, int]],
) -> None:
    base = Base({"jars": {"a": {"coins": 1}, "b": {"coins": 2}}}, "two jars")
    records = Records(base, toy_domain().tools)
    first = records.draft()
    drafts = (first, Draft(first))
    for depth, key, coins in changes:
        drafts[depth].put("jars", key, {"coins": coins})
    layers: tuple[Records | Draft, ...] = (records, *drafts)
    for layer in layers:
        listed = dict(layer.items("jars"))
        assert listed == {key: layer.get("jars", key) for key in listed}
        assert set(listed) == {key for key in "abcd" if layer.get("jars", key) is not None}
        assert list(listed)[:2] == ["a", "b"]


def test_looking_through_a_collection_touches_all_of_it() -> None:
    records = toy_domain().records()
    draft, after = records.draft(), records.draft()
    assert dict(draft.items("jars"))
    before = draft.touched_state()
    apply(records, TAKE_THREE)
    assert dict(after.items("jars"))
    assert draft.touched_state() == after.touched_state() != before


def test_sessions_on_one_base_do_not_see_each_other() -> None:
    domain = toy_domain()
    one, two = domain.records(), domain.records()
    apply(one, TAKE_THREE)
    assert two.get("jars", "red") == {"coins": 10}


@LAW
@given(data=st.data())
def test_a_fork_copies_no_record_and_goes_its_own_way(retail: Domain, data: st.DataObject) -> None:
    records, fork = retail.records(), retail.records()
    order_id = data.draw(order_ids(retail))
    for number in range(data.draw(st.integers(0, 4))):
        apply(records, data.draw(writes(retail, order_id)), f"card {number}")
    fork.restore(records.snapshot())
    assert fork.digest == records.digest
    for table in retail.base.collections:
        for key, record in records.items(table):
            assert fork.get(table, key) is record
    before, applied = records.digest, apply(fork, data.draw(writes(retail, order_id)), "another")
    assert records.digest == before
    assert (fork.digest == before) == (not applied.changes)


@cache
def jars(count: int) -> Domain:
    collections = {"jars": {name: {"coins": 10} for name in ("red", *map(str, range(count)))}}
    domain = replace(toy_domain(), base=Base(collections, "jars"))
    assert domain.base.digest
    return domain


def traced(make: Callable[[], object]) -> tuple[int, int]:
    """Bytes that what was made holds, and that making it took at the most."""
    make()
    gc.collect()
    gc.freeze()  # what was there before is looked through only once
    tracemalloc.start()
    kept = make()
    _, most = tracemalloc.get_traced_memory()
    gc.collect()
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept is not None
    return held, most


def written(domain: Domain, writes: int = 1) -> Records:
    records = domain.records()
    for number in range(writes):
        apply(records, ToolCall("take", {"jar": "red", "coins": 1}), f"card {number}")
    return records


def forked(records: Records) -> Records:
    fork = Records(records.base, records.tools)
    fork.restore(records.snapshot())
    return fork


@pytest.mark.parametrize(
    "made",
    [
        lambda domain: domain.records(),
        lambda domain: domain.records().preview(TAKE_THREE),
        lambda domain: written(domain),
        lambda domain: forked(written(domain, 5)),
    ],
    ids=["session", "preview", "write", "fork"],
)
def test_what_a_session_does_costs_the_same_on_a_base_a_thousand_times_as_large(
    made: Callable[[Domain], object],
) -> None:
    small, large = jars(30), jars(30_000)
    _, most = traced(lambda: made(small))
    assert traced(lambda: made(large))[1] <= most + 1000


def test_sessions_on_one_base_grow_in_step_with_what_they_touch() -> None:
    domain = jars(1000)

    def held(count: int) -> int:
        return traced(lambda: [written(domain) for _ in range(count)])[0]

    assert 1.8 < held(200) / held(100) < 2.2


_LEAVES = (
    st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from([0.0, -0.0, 1.0, 2.0, ""])
)
_JSON = st.recursive(
    _LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab"), inner),
    max_leaves=6,
)


@given(one=_JSON, other=_JSON)
def test_values_are_the_same_exactly_where_their_digests_are(one: object, other: object) -> None:
    assert same(one, other) == (canonical(one) == canonical(other))
    assert same(one, copy.deepcopy(one))
