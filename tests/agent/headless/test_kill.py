from __future__ import annotations

import json
import random
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from sessions.events import (
    CardShown,
    DecisionMade,
    SessionResumed,
    SessionStarted,
    WriteApplied,
)
from sessions.scoring import records_of
from sessions.store.errors import StoreError
from sessions.store.store import Store
from tests.agent.headless.kill_child import TASKS, TRIALS, play
from tests.agent.headless.plans import many_tasks
from tests.agent.headless.saber_child import saber
from tests.agent.victims import Victim

pytestmark = pytest.mark.xdist_group("victims")


def test_killed_at_any_moment_a_run_goes_on_and_plays_nothing_twice(tmp_path: Path) -> None:
    chance, path = random.Random(7), tmp_path / "sessions.sqlite"
    for _ in range(4):
        child = Victim(play, path)
        assert child.tells() == "ready"
        _until_under_way(path)  # so that the first shot leaves something to go on with
        time.sleep(chance.uniform(0, 0.1))
        child.kill()
        child.ended()
    assert Victim(play, path).ended() == "done"
    with Store.open(path) as store:
        assert store.verify() == []
        logs = [store.read(row.id) for row in store.sessions()]
    places: Counter[tuple[str | None, int]] = Counter()
    resumed = 0
    for log in logs:
        events = [logged.event for logged in log]
        started = events[0]
        assert isinstance(started, SessionStarted)
        assert started.run is not None
        places[started.scenario, started.run.trial] += 1
        resumed += any(isinstance(each, SessionResumed) for each in events)
        shown = {each.card.id for each in events if isinstance(each, CardShown)}
        yes = {e.card_id for e in events if isinstance(e, DecisionMade) and e.decision == "approve"}
        written = [each.card_id for each in events if isinstance(each, WriteApplied)]
        assert len(written) == 1
        assert set(written) <= yes <= shown
        assert records_of(many_tasks(TASKS), log).get("jars", "red") == {"coins": 7}
    assert len(places) == TASKS * TRIALS
    assert set(places.values()) == {1}
    assert resumed


def test_the_same_command_goes_on_with_a_run_that_was_killed(tmp_path: Path) -> None:
    path = tmp_path / "sessions.sqlite"
    tasks = "shoes-not-needed,coffee-and-lamp,one-size-up,planner-twice"
    command = ["run", "--tasks", tasks, "--trials", "2", "--db", str(path), "--json"]
    child = Victim(saber, *command, forks=True)
    _until_under_way(path)
    child.kill()
    child.ended()
    _, _, printed = Victim(saber, *command, forks=True).ended().partition("\n")
    told: dict[str, Any] = json.loads(printed)
    assert told["sessions_finished"] == told["sessions_planned"] == 8
    assert told["finished_before"] + told["resumed"] > 0
    assert told["arms"][0]["success"]["ours"]["succeeded"]["value"] == 1.0
    assert told["arms"][0]["unconsented"]["count"] == 0
    with Store.open(path, read_only=True) as store:
        assert len(store.sessions()) == 8


def _until_under_way(path: Path) -> None:
    """Wait until something was said in a session."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        with suppress(StoreError), Store.open(path, read_only=True) as store:
            if any(row.turns for row in store.sessions()):
                return
        time.sleep(0.02)
    raise AssertionError("the run did not begin")
