"""The forms that models learn from: conversations and preferences."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import domains
from domains.core.tool import ToolCall
from sessions.events import AnyEvent, ConsentUsed, CustomerSaid, Logged, SessionEnded
from sessions.exporting import preference, sft, write_jsonl
from tests.sessions.recorded import events_of, other, right_steps
from tests.sessions.scoring.trajectories import Agent, Customer, Declined
from tests.sessions.toy import CANCEL, applied, decided, log_of, shown, started, toy, used

TOY = toy()
OTHER = ToolCall("cancel", {"order_id": "#W2"})
RETAIL = domains.load("retail")
SCENARIO = RETAIL.scenarios[0]
WRITE = next(call for call in SCENARIO.ends[0] if RETAIL.tools.mutates(call.name))


def log(*events: AnyEvent) -> list[Logged]:
    said = CustomerSaid(text="cancel it", turn=1)
    return log_of(started(TOY), said, *events, SessionEnded(reason="customer"))


def approved(card: str, by: str = "person", call: ToolCall = CANCEL) -> list[AnyEvent]:
    made = decided(card, "approve", by=by)
    return [shown(card, call), made, used(card), applied(TOY.records(), card, call)]


def pairs(events: list[Logged]) -> tuple[list[dict[str, Any]], Counter[str]]:
    left_out: Counter[str] = Counter()
    return list(preference.rows_of(events, TOY, left_out)), left_out


def conversation(*steps: Any) -> tuple[list[dict[str, Any]], Counter[str]]:
    left_out: Counter[str] = Counter()
    events = log_of(*events_of(RETAIL, SCENARIO, steps))
    return list(sft.rows_of(events, RETAIL, left_out)), left_out


def test_a_declined_call_is_paired_with_the_one_that_was_approved_in_its_place() -> None:
    found, left_out = pairs(log(shown("a", OTHER), decided("a", "reject", "#W1!"), *approved("b")))
    (row,) = found
    assert [each["role"] for each in row["prompt"]] == ["system", "user"]
    (rejected,), (chosen,) = (row[side][0]["tool_calls"] for side in ("rejected", "chosen"))
    assert rejected["function"] == {"name": "cancel", "arguments": {"order_id": "#W2"}}
    assert chosen["function"] == {"name": "cancel", "arguments": {"order_id": "#W1"}}
    assert (row["reason"], row["by"]) == ("#W1!", "person")
    assert not left_out


def test_of_several_declined_calls_each_is_paired() -> None:
    third = ToolCall("cancel", {"order_id": "#W3"})
    declined: list[AnyEvent] = [
        shown("a", OTHER), decided("a", "change", "no"),
        shown("b", third), decided("b", "reject"),
    ]  # fmt: skip
    assert len(pairs(log(*declined, *approved("c")))[0]) == 2


NO_PAIRS: dict[str, tuple[list[AnyEvent], str]] = {
    "the same call": ([shown("a"), decided("a", "reject"), *approved("b")], preference.SAME),
    "none approved": ([shown("a"), decided("a", "reject")], preference.UNPAIRED),
    "approved by nobody": (
        [shown("a", OTHER), decided("a", "reject"), *approved("b", "auto")], preference.UNPAIRED
    ),
    "in another turn": (
        [shown("a", OTHER), decided("a", "reject"), CustomerSaid(text="well", turn=2),
         *approved("b")], preference.UNPAIRED
    ),
    "not carried out": (
        [shown("a", OTHER), decided("a", "reject"), shown("b"), decided("b", "approve")],
        preference.UNPAIRED,
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", NO_PAIRS)
def test_what_is_no_preference_is_left_out_and_counted(why: str) -> None:
    events, reason = NO_PAIRS[why]
    found, left_out = pairs(log(*events))
    assert (found, left_out) == ([], {reason: 1})


def test_what_was_withdrawn_is_no_preference() -> None:
    found, left_out = pairs(log(shown("a", OTHER), decided("a", "withdrawn"), *approved("b")))
    assert (found, left_out) == ([], {})


def test_a_conversation_has_tools_and_arguments_as_text() -> None:
    ((row,), left_out) = conversation(*right_steps(RETAIL, SCENARIO))
    assert list(row) == ["messages", "tools", "parallel_tool_calls"]
    assert row["tools"] == RETAIL.tools.schemas
    calls = [call for each in row["messages"] for call in each.get("tool_calls", ())]
    assert [(call["function"]["name"], json.loads(call["function"]["arguments"]))
            for call in calls] == [(call.name, dict(call.arguments))
                                   for call in SCENARIO.ends[0]]  # fmt: skip
    assert row["messages"][-1]["role"] == "assistant"
    assert left_out[sft.DECLINED] == sum(RETAIL.tools.mutates(c.name) for c in SCENARIO.ends[0])


def test_every_call_in_a_conversation_is_answered_at_once() -> None:
    ((row,), _) = conversation(*right_steps(RETAIL, SCENARIO))
    messages = row["messages"]
    for place, message in enumerate(messages):
        for call in message.get("tool_calls", ()):
            assert messages[place + 1]["tool_call_id"] == call["id"]
        assert place == 0 or message["role"] != "system"


def test_a_declined_call_is_not_learnt_but_the_customers_words_are_kept() -> None:
    wrong = other(WRITE)
    ((row,), _) = conversation(Customer("Please."), Declined(wrong), Agent("Sorry."))
    assert not any("tool_calls" in each for each in row["messages"])


def test_a_session_in_which_the_agent_did_nothing_is_left_out() -> None:
    found, left_out = conversation(Customer("Hello?"))
    assert (found, left_out) == ([], {sft.SILENT: 1})


@pytest.mark.heavy
def test_trl_takes_both_forms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    datasets = pytest.importorskip("datasets", reason="datasets is not installed")
    trl = pytest.importorskip("trl", reason="TRL is not installed")
    events = log(shown("a", OTHER), decided("a", "reject", "#W1!"), *approved("b"))
    forms = {
        "preference": preference.rows_of(events, TOY, Counter()),
        "sft": conversation(*right_steps(RETAIL, SCENARIO))[0],
    }
    for name, rows in forms.items():
        path = tmp_path / f"{name}.jsonl"
        write_jsonl(rows, path)
        loaded = datasets.load_dataset(
            "json", data_files=str(path), cache_dir=str(tmp_path / "cache")
        )["train"]
        assert trl.data_utils.is_conversational(loaded[0])
    (row,) = preference.rows_of(events, TOY, Counter())
    assert (
        trl.extract_prompt({key: row["prompt"] + row[key] for key in ("chosen", "rejected")})[
            "prompt"
        ]
        == row["prompt"]
    )


def test_a_consent_without_a_write_is_no_approval() -> None:
    used_up = ConsentUsed(card_id="b", seal="s")
    first: list[AnyEvent] = [shown("a", OTHER), decided("a", "reject")]
    assert pairs(log(*first, shown("b"), decided("b", "approve"), used_up))[1] == {
        preference.UNPAIRED: 1
    }
