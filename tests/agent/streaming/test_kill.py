from __future__ import annotations

import asyncio
import random
import time
from pathlib import Path

import pytest

from agent.streaming.stream import Stream
from sessions.events import SessionResumed
from sessions.store.store import Store
from tests.agent.headless.test_killed_table import events_in
from tests.agent.streaming.kill_child import play, shot_plan
from tests.agent.streaming.streams import Follower
from tests.agent.streaming.test_stream import fingerprint
from tests.agent.victims import Victim

pytestmark = pytest.mark.xdist_group("victims")


def test_killed_at_any_moment_streams_come_to_what_undisturbed_ones_come_to(
    tmp_path: Path,
) -> None:
    chance, path, plan = random.Random(3), tmp_path / "shot.db", shot_plan()
    for _ in range(3):
        wanted = events_in(path) + chance.randint(1, 60)
        child = Victim(play, path)
        assert child.tells() == "ready"
        while events_in(path) < wanted:
            time.sleep(0.005)
        child.kill()
        child.ended()
    assert Victim(play, path).ended() == "done"
    with Store.open(tmp_path / "whole.db") as store:
        asyncio.run(Stream(store, plan, model_of=lambda _: Follower()).play())
        whole = fingerprint(store, plan)
    with Store.open(path) as store:
        assert store.verify() == []
        assert len(store.sessions()) == 2 * 2 * 8  # none was held twice
        assert fingerprint(store, plan) == whole
        logs = [store.read(row.id) for row in store.sessions()]
    assert any(isinstance(each.event, SessionResumed) for log in logs for each in log)
