from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import domains
from sessions.events import (
    AnyEvent,
    CustomerSaid,
    Logged,
    ModelFailed,
    SessionEnded,
    ToolCalled,
    ToolReturned,
)
from sessions.exporting import agentack, write_jsonl
from tests.sessions.recorded import events_of, right_steps
from tests.sessions.toy import CANCEL, applied, decided, log_of, shown, started, toy, used

DOMAIN = toy()
SAID = CustomerSaid(text="cancel it", turn=1)
END = SessionEnded(reason="customer")


def session(*events: AnyEvent) -> list[Logged]:
    return log_of(started(DOMAIN), SAID, *events, END)


def written(card: str = "a") -> AnyEvent:
    return applied(DOMAIN.records(), card)


def approved(card: str = "a", by: str = "person") -> list[AnyEvent]:
    return [shown(card), decided(card, "approve", by=by), used(card), written(card)]


def kinds(log: list[Logged]) -> list[str]:
    return [row["type"] for row in agentack.rows(log)]


def checked(log: list[Logged], tmp_path: Path) -> Any:
    """The public checker's report on the trace of a session."""
    engine = pytest.importorskip("agentack.engine", reason="AgentAck is not installed")
    parser = pytest.importorskip("agentack.parser")
    path = tmp_path / "trace.jsonl"
    utc = [each.model_copy(update={"at": f"{each.at}+00:00"}) for each in log]
    write_jsonl(agentack.rows(utc), path, force=True)
    return engine.evaluate_events(parser.read_jsonl(path))


def test_an_approved_change_is_proposed_presented_decided_and_executed_with_one_approval() -> None:
    rows = list(agentack.rows(session(*approved())))
    assert [row["type"] for row in rows] == [
        "action_proposed", "approval_requested", "approval_decision", "action_executed",
        "session_end",
    ]  # fmt: skip
    assert {row["approval_id"] for row in rows[1:4]} == {"a"}
    assert rows[0]["action"] == rows[3]["action"]
    assert rows[0]["action"]["parameters"] == CANCEL.arguments


def test_a_change_that_was_not_wanted_is_blocked() -> None:
    log = session(shown("a"), decided("a", "ask", "why?"), decided("a", "reject", "no"))
    assert kinds(log)[2:] == ["approval_decision", "action_blocked", "session_end"]


def test_all_nine_rules_pass_on_what_the_gate_records(tmp_path: Path) -> None:
    retail = domains.load("retail")
    for scenario in retail.scenarios:
        log = log_of(*events_of(retail, scenario, right_steps(retail, scenario)))
        report = checked(_in_minutes(log), tmp_path)
        assert (report.status, [each.message for each in report.findings]) == ("PASS", [])
    again = session(
        shown("a"), decided("a", "reject", "no"), shown("b"), decided("b", "approve"), used("b"),
        written("b"), ToolCalled(call_id="c", name="get_order", arguments={}),
        ToolReturned(call_id="c", name="get_order", text="{}"),
        shown("c"), decided("c", "approve"), shown("d"), decided("d", "withdrawn"),
    )  # fmt: skip
    report = checked(again, tmp_path)
    assert (report.status, [each.message for each in report.findings]) == ("PASS", [])


def _in_minutes(log: list[Logged]) -> list[Logged]:
    return [
        each.model_copy(update={"at": f"2026-11-21T12:{each.seq // 60:02}:{each.seq % 60:02}"})
        for each in log
    ]


BAD: dict[str, list[AnyEvent]] = {
    "ACK001": [shown("a"), decided("a", "approve", by="auto"), used("a"), written("a")],
    "ACK002": [shown("a"), decided("a", "reject"), written("a")],
    "ACK004": [*approved(), written("a")],
    "ACK008": [shown("a"), ModelFailed(model="m", fault="cancelled", sentence="."),
               decided("a", "approve"), used("a"), written("a")],
}  # fmt: skip


@pytest.mark.parametrize("rule", BAD)
def test_what_would_break_a_rule_is_found_and_not_hidden(rule: str, tmp_path: Path) -> None:
    report = checked(session(*BAD[rule]), tmp_path)
    found = Counter(each.rule_id for each in report.findings)
    assert report.status == "FAIL"
    assert found[rule] or (rule in ("ACK002", "ACK004") and found["ACK001"])


def test_a_session_that_is_still_open_is_incomplete(tmp_path: Path) -> None:
    report = checked(session(shown("a"))[:-1], tmp_path)
    assert (report.status, set(report.rule_counts)) == ("INCOMPLETE", {"ACK009"})
