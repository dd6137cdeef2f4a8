from __future__ import annotations

import random
import time
from collections import Counter
from pathlib import Path

import pytest

from agent.memory.keeping import make_bank, open_bank, row_of
from sessions.events import DecisionMade, OtherModelAsked
from sessions.store import memory as rows
from sessions.store.store import Store
from tests.agent.memory.kill_child import update
from tests.agent.victims import Victim
from tests.effort import first
from tests.sessions.toy import shown, started, toy

pytestmark = pytest.mark.xdist_group("victims")

SESSIONS = 8


@pytest.mark.parametrize("seed", first(1, range(4)))
def test_killed_in_the_middle_of_an_update_a_memory_learns_all_of_it_and_nothing_twice(
    tmp_path: Path, seed: int
) -> None:
    chance, path = random.Random(seed), tmp_path / "sessions.sqlite"
    with Store.open(path) as store:
        make_bank(store, "b", toy())
        sessions = [store.record([started(), shown("k1"), _said(n)]) for n in range(SESSIONS)]
    for shot in range(40):
        child = Victim(update, path)
        assert child.tells() == "ready"
        time.sleep(chance.uniform(0, 0.05))
        if shot < 8:
            child.kill()
        if child.ended() == "done":
            break
    with Store.open(path, read_only=True) as store:
        bank = open_bank(store, "b")  # reads whole: no link of its chain is missing
        keys = [each.key for each in rows.changes(store, row_of(store, "b")) if each.key]
        asked = [
            sum(isinstance(each.event, OtherModelAsked) for each in store.read(session))
            for session in sessions
        ]
    assert Counter(keys) == Counter(f"{session}:3" for session in sessions)
    names = {f"{name}_{n}" for n in range(SESSIONS) for name in ("cancel", "other")}
    assert set(bank.entries) == names
    assert {len(each.history) for each in bank.capabilities.values()} == {2}
    assert min(asked) == 1  # what a model is asked is paid for, and in the log before it is heard


def _said(number: int) -> DecisionMade:
    return DecisionMade(
        card_id="k1", decision="reject", words=str(number), by="person", milliseconds=1
    )
