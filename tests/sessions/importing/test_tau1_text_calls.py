from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import domains
from sessions.events import AgentSaid, CustomerSaid, Imported, ModelAnswered, WriteApplied
from sessions.importing import import_runs, read_runs
from sessions.importing.runs import Agent, Customer, Returned, Step
from sessions.importing.storing import Origin
from sessions.importing.tau1_schema import Message
from sessions.importing.tau1_text_calls import steps, style
from sessions.scoring.rescoring import Scorer
from sessions.store.store import Store
from tests.sessions.importing.test_tau1 import SAMPLE, needs_the_sample
from tests.shared_data import TAU2

THOUGHT = {"react": "Thought:\nLet me see.\n", "act": ""}


def as_text(run: dict[str, Any], thought: str) -> dict[str, Any]:
    """A run as ReAct or Act would have left it: every step of the agent written out."""
    return {**run, "traj": [_as_text(message, thought) for message in run["traj"]]}


def _as_text(message: dict[str, Any], thought: str) -> dict[str, Any]:
    if message["role"] == "tool":
        return {"role": "user", "content": f"API output: {message['content']}"}
    if message["role"] != "assistant":
        return message
    action = {"name": "respond", "arguments": {"content": message["content"]}}
    for call in message.get("tool_calls") or ():  # one at most, then
        function = call["function"]
        action = {"name": function["name"], "arguments": json.loads(function["arguments"])}
    return {"role": "assistant", "content": f"{thought}Action:\n{json.dumps(action)}"}


async def told(path: Path, db: Path) -> tuple[list[Any], list[str], list[Imported]]:
    """What was said, called and scored in each run of a file, and as what it was imported."""
    airline, happened, imported = domains.load("airline", TAU2), [], []
    with Store.open(db) as store:
        runs = list(read_runs(path, "airline"))
        report = import_runs(store, runs, airline, Origin(path, TAU2, "1"))
        scored = [each.scored and each.scored.reward for each in await Scorer(store).all()]
        for session, reward in zip(report.sessions, scored, strict=True):
            events = [each.event for each in store.read(session)]
            assert isinstance(events[1], Imported)
            imported.append(events[1])
            writes = [(each.name, each.arguments, each.result) for each in events
                      if isinstance(each, WriteApplied)]  # fmt: skip
            words = [each.text for each in events if isinstance(each, AgentSaid | CustomerSaid)]
            calls = [
                (call.name, json.loads(call.arguments)) for each in events
                if isinstance(each, ModelAnswered) for call in each.calls
            ]  # fmt: skip
            happened.append((reward, events[-1], writes, words, calls))
        thoughts = [
            each.event.reasoning
            for session in report.sessions
            for each in store.read(session)
            if isinstance(each.event, ModelAnswered)
        ]
    return happened, thoughts, imported


@needs_the_sample
@pytest.mark.parametrize("form", THOUGHT)
async def test_calls_that_were_written_out_are_the_same_calls(form: str, tmp_path: Path) -> None:
    runs = json.loads(SAMPLE.read_text())
    path = tmp_path / "written.json"
    path.write_text(json.dumps([as_text(run, THOUGHT[form]) for run in runs]))
    happened, thoughts, imported = await told(path, tmp_path / "one.db")
    assert happened == (await told(SAMPLE, tmp_path / "two.db"))[0]
    assert {each.agent for each in imported} == {form}
    assert set(thoughts) == {"Let me see." if form == "react" else ""}


def read(*said: tuple[str, str]) -> list[Step]:
    return list(steps([Message.model_validate({"role": role, "content": text})
                       for role, text in said]))  # fmt: skip


def test_what_is_no_action_was_said_to_the_customer_as_that_program_had_it() -> None:
    said, heard = read(("assistant", "Thought: hm\nAction:\nI can help."), ("user", "Good"))
    assert (said, heard) == (Agent("I can help.", reasoning="hm"), Customer("Good"))
    nameless, _ = read(("assistant", 'Action: {"arguments": {}}'), ("user", "Good"))
    assert isinstance(nameless, Agent)
    assert nameless.calls == ()


def test_the_result_of_a_call_is_no_word_of_the_customer() -> None:
    called, back = read(
        ("assistant", 'Thought: x\nAction:\n{"name": "think", "arguments": {"thought": "y"}}'),
        ("user", "API output: "),
    )
    assert isinstance(called, Agent)
    assert [(each.name, each.arguments) for each in called.calls] == [("think", '{"thought": "y"}')]
    assert back == Returned(called.calls[0].id, "")


@given(st.text())
def test_whatever_an_agent_wrote_is_one_step_of_it(text: str) -> None:
    (step,) = read(("assistant", text))
    assert isinstance(step, Agent)


def test_an_agent_that_called_tools_wrote_none_whatever_it_said() -> None:
    call = {"id": "c", "function": {"name": "think", "arguments": "{}"}}
    text = 'Action: {"name": "think", "arguments": {}}'
    messages = [Message.model_validate({"role": "assistant", "content": text, **more})
                for more in ({}, {"tool_calls": [call]})]  # fmt: skip
    assert (style(messages[:1]), style(messages)) == ("act", "")
