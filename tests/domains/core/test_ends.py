from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import domains
from domains.core.domain import Domain
from domains.core.draft import Draft
from domains.core.ends import CACHE_SIZE, _end, state_after
from domains.core.tool import ToolCall, Toolset, WriteDeclaration, reads, writes
from tests.domains.applying import apply
from tests.domains.call_sequences import sequences
from tests.effort import tries
from tests.toy import toy_domain


def carried_out(domain: Domain, calls: list[ToolCall]) -> dict[tuple[str, str], Any]:
    records = domain.records()
    for number, call in enumerate(calls):
        apply(records, call, f"card {number}")
    return {(change.collection, change.key): change.after for change in records.diff()}


def counted(domain: Domain) -> tuple[Domain, list[str]]:
    """The domain, and the names of the tools that have run on it."""
    ran: list[str] = []

    def look(draft: Draft, jar: str) -> str:
        ran.append("look")
        return str(draft.get("jars", jar))

    def fill(draft: Draft, jar: str, coins: int) -> str:
        ran.append("fill")
        draft.edit("jars", jar)["coins"] += coins
        return "done"

    notes = WriteDeclaration(lambda *_: "Fill.", lambda *_: [])
    tools = Toolset("ToyTools", (reads(look), writes(notes)(fill)))
    return Domain("toy", "A toy", "", tools, domain.base, lambda *_: [], lambda *_: None), ran


FILL = ToolCall("fill", {"jar": "red", "coins": 2})
LOOK = ToolCall("look", {"jar": "red"})


@pytest.mark.parametrize("name", ["retail", "airline"])
def test_an_end_is_where_applying_the_calls_one_by_one_leads(name: str) -> None:
    domain = domains.load(name)

    @settings(max_examples=tries(60))
    @given(sequences(name, domain))
    def law(calls: list[ToolCall]) -> None:
        assert state_after(domain, calls) == carried_out(domain, calls)

    law()


def test_equal_calls_are_carried_out_once_whoever_holds_them() -> None:
    domain, ran = counted(toy_domain())
    first = state_after(domain, [FILL, FILL])
    again = [ToolCall("fill", {"coins": 2, "jar": "red"}) for _ in range(2)]
    assert state_after(domain, again) is first
    assert first == {("jars", "red"): {"coins": 14}}
    assert ran == ["fill", "fill"]
    assert state_after(domain, [FILL]) == {("jars", "red"): {"coins": 12}}


def test_look_ups_lead_nowhere_and_are_not_made() -> None:
    domain, ran = counted(toy_domain())
    assert state_after(domain, [LOOK, FILL, LOOK]) is state_after(domain, [FILL])
    assert state_after(domain, [LOOK]) == state_after(domain, []) == {}
    assert ran == ["fill"]


def test_equal_calls_on_other_records_or_by_other_tools_lead_elsewhere() -> None:
    ten, twenty = counted(toy_domain())[0], counted(toy_domain(coins=20))[0]
    assert state_after(ten, [FILL]) == {("jars", "red"): {"coins": 12}}
    assert state_after(twenty, [FILL]) == {("jars", "red"): {"coins": 22}}
    other = Domain("toy", "", "", toy_domain().tools, ten.base, lambda *_: [], lambda *_: None)
    assert state_after(other, [FILL]) == {}


def test_an_end_cannot_be_changed_by_who_asked_for_it() -> None:
    end: Any = state_after(counted(toy_domain())[0], [FILL])
    with pytest.raises(TypeError):
        end["jars", "red"] = None


def test_only_so_many_ends_are_remembered() -> None:
    domain, _ = counted(toy_domain())
    for coins in range(CACHE_SIZE + 50):
        state_after(domain, [ToolCall("fill", {"jar": "red", "coins": coins})])
    assert _end.cache_info().currsize == CACHE_SIZE


@given(st.lists(st.sampled_from([FILL, ToolCall("fill", {"jar": "none", "coins": 1})]), max_size=6))
def test_a_call_that_fails_changes_nothing(calls: list[ToolCall]) -> None:
    domain, _ = counted(toy_domain())
    filled = calls.count(FILL)
    wanted = {("jars", "red"): {"coins": 10 + 2 * filled}} if filled else {}
    assert state_after(domain, calls) == wanted
