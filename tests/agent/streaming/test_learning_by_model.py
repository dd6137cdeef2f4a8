"""Streams whose policy agent is a model: what it writes, what is refused of it, what it costs."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from agent.memory.keeping import open_bank
from agent.models.protocol import ChatModel
from agent.streaming.model_insights import LONGEST_ANSWER, MOST, read_insights
from agent.streaming.plan import Learning, StreamPlan
from agent.streaming.remembering import JUDGE
from agent.streaming.stream import Stream, sessions_of_stream
from agent.streaming.summary import read_streamed, summaries
from sessions.events import OtherModelAsked
from sessions.store import memory as rows
from sessions.store.memory import MemoryRefused
from sessions.store.store import Store
from tests.agent.scripted import ScriptedModel
from tests.agent.streaming.streams import (
    CHECK,
    EXPLAINED,
    LESSON,
    Follower,
    gap_domain,
    stream_plan,
)

TEACHER = "teacher"
INSIGHTS = Learning("reasoningbank", "explanation", "insights")


def played(store: Store, plan: StreamPlan, *answers: str) -> None:
    follower, teacher = Follower(), ScriptedModel(*answers, name=TEACHER)
    models: dict[str, ChatModel] = {"follower": follower, TEACHER: teacher}
    progress = asyncio.run(Stream(store, plan, model_of=models.__getitem__).play())
    assert (progress.left, progress.lost) == ([], [])


def by_teacher(learning: Learning, begun_by: str = "rules") -> StreamPlan:
    return stream_plan(gap_domain(), learning, policy_agent=TEACHER, begun_by=begun_by)


def test_a_models_insights_are_handed_on_and_what_is_none_is_kept_as_that(tmp_path: Path) -> None:
    plan = by_teacher(INSIGHTS)
    with Store.open(tmp_path / "s.db") as store:
        played(
            store, plan, json.dumps({"insights": [LESSON, "Look first."]}), "None, I think.",
            '{"insights": []}', '{"insights": ["Take coins without asking for a confirmation."]}',
        )  # fmt: skip
        found = read_streamed(store, plan)
        (told,) = summaries(store, plan, found)
        (bank,) = (open_bank(store, row.name) for row in rows.banks(store))
    assert [each.right for each in found] == [False, True, True, True]
    assert [each.key_insight for each in bank.entries.values()] == [LESSON, "Look first."]
    assert told.expenses.learner.answers == 4
    assert told.memory is not None
    assert (told.memory.added, told.memory.omitted) == (2, 3)
    why = [change.origin.why for _, _, change in bank.capabilities["no_lesson"].history]
    assert ["form" in why[0], "yes" in why[1]] == [True, True]


def test_a_model_begins_a_memory_and_revises_it(tmp_path: Path) -> None:
    plan = by_teacher(EXPLAINED, begun_by=TEACHER)
    entry = {"capability": "take", "tool": "take", "trigger": "The customer wants coins."}
    revised = {
        **entry, "evidence": 1, "operation": "revise", "key_insight": LESSON,
        "gap": "missing exception",
        "check": {"name": CHECK, "effect": "relaxes", "condition": LESSON},
    }  # fmt: skip
    with Store.open(tmp_path / "s.db") as store:
        played(
            store, plan, json.dumps({"reasons": "So it says.", "entries": [entry]}),
            json.dumps(
                {"success": False, "failure": "alignment", "reasons": "r", "entries": [revised]}
            ),
        )  # fmt: skip
        found = read_streamed(store, plan)
        logs = [store.read(row.id) for row in sessions_of_stream(store, plan).values()]
        (bank,) = (open_bank(store, row.name) for row in rows.banks(store))
    assert [each.right for each in found] == [False, True, True, True]
    history = [change for _, _, change in bank.capabilities["take"].history]
    assert [(each.does, each.by) for each in history[:4]] == [
        ("propose", TEACHER), ("accept", JUDGE), ("propose", TEACHER), ("accept", JUDGE)
    ]  # fmt: skip
    asked = [
        sum(isinstance(e.event, OtherModelAsked) and e.event.purpose == "learn" for e in log)
        for log in sorted(logs, key=lambda log: log[0].at)
    ]
    assert asked == [2, 0, 0, 0]  # the beginning and one review; what went right is not asked about


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"insights": "one"}', '{"insights": [1]}', "x" * (LONGEST_ANSWER + 1),
     json.dumps({"insights": ["a"] * (MOST + 1)})],
)  # fmt: skip
def test_what_is_no_list_of_insights_is_refused(text: str) -> None:
    with pytest.raises(MemoryRefused):
        read_insights(text)


def test_insights_are_clean_lines() -> None:
    answer: dict[str, Any] = {"insights": ["a\x1b[2J\nb", "  ", "c"]}
    assert read_insights(f"```json\n{json.dumps(answer)}\n```") == ["a[2J b", "c"]
