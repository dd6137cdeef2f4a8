from __future__ import annotations

import pytest

from sessions.events import RunPlace, Safeguards, SessionStarted, StreamPlace
from sessions.events.memory import MemoryUsed
from sessions.statistics.settings import memory_in_words

USED = MemoryUsed(bank="retail", revision=7, by="whole")
STREAM = RunPlace(
    name="mine",
    stream=StreamPlace(memory="policybank", feedback="oracle", policy_agent="rules", position=3),
)


@pytest.mark.parametrize(
    ("memory", "run", "told"),
    [
        (None, None, ""),
        (None, STREAM, ""),
        (USED, None, "memory retail as of revision 7, read by whole"),
        (USED, STREAM, "memory policybank, oracle, rules, read by whole"),
    ],
)
def test_sessions_of_a_stream_go_together_though_its_memory_grows(
    memory: MemoryUsed | None, run: RunPlace | None, told: str
) -> None:
    started = SessionStarted(
        domain="jars", source="", model="m", safeguards=Safeguards(), program="", policy_digest="",
        tools_digest="", records_digest="", memory=memory, run=run,
    )  # fmt: skip
    assert memory_in_words(started) == told
