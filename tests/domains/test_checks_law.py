from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domains.core.domain import Domain
from domains.core.records import Records
from domains.core.tool import ToolCall, WriteDeclaration
from tests.domains.airline import airline_calls
from tests.domains.applying import apply
from tests.domains.retail import retail_calls
from tests.effort import examples

LAW = settings(
    max_examples=examples(300),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


def notes_of(domain: Domain, call: ToolCall) -> WriteDeclaration:
    tool = domain.tools.get(call.name)
    assert tool is not None
    assert tool.notes is not None
    return tool.notes


@pytest.fixture(params=["demo", "tau2", "airline_demo", "airline_tau2"])
def domain(request: pytest.FixtureRequest) -> Domain:
    found: Domain = request.getfixturevalue(request.param)
    return found


def after_writes(domain: Domain, data: st.DataObject) -> tuple[Records, ToolCall]:
    """Records that may have been written to, and a write on the same order or customer."""
    records, writes = domain.records(), data.draw(_writes_about_one(domain))
    for number in range(data.draw(st.sampled_from([0, 0, 1, 3]))):
        apply(records, data.draw(writes), f"card {number}")
    return records, data.draw(writes)


def _writes_about_one(domain: Domain) -> st.SearchStrategy[st.SearchStrategy[ToolCall]]:
    if domain.name == "retail":
        return retail_calls.order_ids(domain).map(lambda id_: retail_calls.writes(domain, id_))
    return airline_calls.user_ids(domain).map(lambda id_: airline_calls.writes(domain, id_))


@LAW
@given(data=st.data())
def test_a_write_succeeds_exactly_when_all_its_tool_checks_hold(
    domain: Domain, data: st.DataObject
) -> None:
    records, call = after_writes(domain, data)
    findings = {
        check.name: check.run(records.draft(), call.arguments)
        for check in notes_of(domain, call).checks
        if check.source == "tool"
    }
    result = records.preview(call).result
    assert all(each.holds for each in findings.values()) == (not result.error), (findings, result)


@LAW
@given(data=st.data())
def test_every_change_is_told_in_words(domain: Domain, data: st.DataObject) -> None:
    records, call = after_writes(domain, data)
    preview = records.preview(call)
    if preview.result.error:
        return
    notes = notes_of(domain, call)
    told = notes.effects(preview.after, call.arguments, preview.changes)
    changed = {each.label for change in preview.changes for each in change.fields}
    assert changed == {label for effect in told for label in effect.covers}
    sentence = notes.sentence(records.draft(), call.arguments)
    assert sentence.endswith(".")
    assert "\n" not in sentence
    before = records.draft()
    for question in notes.questions(before, call.arguments):
        assert "?" in question.text
        assert all(question.about)
    for line in (*notes.stays(before, call.arguments), *notes.closes(before, call.arguments)):
        assert line
    assert before.changes() == ()


@LAW
@given(data=st.data())
def test_looking_and_wording_change_nothing(domain: Domain, data: st.DataObject) -> None:
    records, call = after_writes(domain, data)
    draft, notes = records.draft(), notes_of(domain, call)
    for check in notes.checks:
        check.run(draft, call.arguments)
    if not records.preview(call).result.error:
        notes.sentence(draft, call.arguments)
    assert draft.changes() == ()


def test_no_two_checks_of_a_write_have_one_name(domain: Domain) -> None:
    for tool in domain.tools:
        names = [check.name for check in tool.notes.checks] if tool.notes else []
        assert len(set(names)) == len(names)


@pytest.mark.parametrize("source", ["tool", "policy"])
def test_every_write_has_checks_of_both_kinds_but_where_the_policy_asks_nothing(
    domain: Domain, source: str
) -> None:
    for tool in domain.tools:
        if tool.notes and (tool.name, source) != ("modify_user_address", "policy"):
            assert source in {check.source for check in tool.notes.checks}


@LAW
@given(data=st.data())
def test_no_call_that_its_tool_takes_is_one_that_the_protocol_sends_back(
    domain: Domain, data: st.DataObject
) -> None:
    records, call = after_writes(domain, data)
    if not records.preview(call).result.error:
        told = (each.first_objection(call, records.draft()) for each in domain.tools.protocol)
        assert not any(told)
