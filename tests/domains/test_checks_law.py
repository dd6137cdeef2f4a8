from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domains.domain import Domain
from domains.records import Records
from domains.tool import ToolCall, WriteNotes
from tests.domains.applying import apply
from tests.domains.retail_calls import order_ids, writes

LAW = settings(
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def notes_of(domain: Domain, call: ToolCall) -> WriteNotes:
    tool = domain.tools.get(call.name)
    assert tool is not None
    assert tool.notes is not None
    return tool.notes


def after_one_write(domain: Domain, data: st.DataObject) -> tuple[Records, ToolCall]:
    """Records that may have been written to, and a write on the same order."""
    order_id = data.draw(order_ids(domain))
    records = domain.records()
    if data.draw(st.booleans()):
        apply(records, data.draw(writes(domain, order_id)))
    return records, data.draw(writes(domain, order_id))


@LAW
@given(data=st.data())
def test_a_write_succeeds_exactly_when_all_its_tool_checks_hold(
    retail: Domain, data: st.DataObject
) -> None:
    records, call = after_one_write(retail, data)
    findings = {
        check.name: check.find(records.draft(), call.arguments)
        for check in notes_of(retail, call).checks
        if check.source == "tool"
    }
    result = records.preview(call).result
    assert all(each.holds for each in findings.values()) == (not result.error), (findings, result)


@LAW
@given(data=st.data())
def test_every_change_is_told_in_words(retail: Domain, data: st.DataObject) -> None:
    records, call = after_one_write(retail, data)
    preview = records.preview(call)
    if preview.result.error:
        return
    notes = notes_of(retail, call)
    told = notes.effects(preview.after, call.arguments, preview.changes)
    changed = {each.label for change in preview.changes for each in change.fields()}
    assert changed == {label for effect in told for label in effect.covers}
    sentence = notes.sentence(records.draft(), call.arguments)
    assert sentence.endswith(".")
    assert "\n" not in sentence


@LAW
@given(data=st.data())
def test_looking_and_wording_change_nothing(retail: Domain, data: st.DataObject) -> None:
    records, call = after_one_write(retail, data)
    draft, notes = records.draft(), notes_of(retail, call)
    for check in notes.checks:
        check.find(draft, call.arguments)
    if not records.preview(call).result.error:
        notes.sentence(draft, call.arguments)
    assert draft.changes() == ()


@pytest.mark.parametrize("source", ["tool", "policy"])
def test_no_two_checks_of_a_write_have_one_name(retail: Domain, source: str) -> None:
    for tool in retail.tools:
        names = [check.name for check in tool.notes.checks] if tool.notes else []
        assert len(set(names)) == len(names)
        assert (source in {check.source for check in tool.notes.checks}) if tool.notes else True
