from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from sessions.events import ConsentUsed, DecisionMade, WriteApplied
from sessions.scoring import records_of
from sessions.store.store import Store
from tests.agent.kill_child import COINS, hold
from tests.agent.victims import Victim
from tests.effort import first
from tests.toy import toy_domain

pytestmark = pytest.mark.xdist_group("victims")


@pytest.mark.parametrize("seed", first(1, range(4)))
def test_killed_at_any_moment_a_session_resumes_and_no_write_runs_twice(
    tmp_path: Path, seed: int
) -> None:
    chance, path = random.Random(seed), tmp_path / "sessions.sqlite"
    session, seen = "", 0
    for shot in range(40):
        child = Victim(hold, path, session or None)
        session = child.tells()
        time.sleep(chance.uniform(0, 0.02))
        if shot < 6:
            child.kill()
        last = child.ended()
        seen = _never_less(path, session, seen)
        if last == "done":
            break
    store = Store.open(path)
    log = store.read(session)
    store.close()
    events = [logged.event for logged in log]
    written = [event.card_id for event in events if isinstance(event, WriteApplied)]
    consents = [event.card_id for event in events if isinstance(event, ConsentUsed)]
    yes = {e.card_id for e in events if isinstance(e, DecisionMade) and e.decision == "approve"}
    assert len(written) == len(set(written)) == COINS
    assert set(written) <= set(consents) <= yes
    assert records_of(toy_domain(COINS), log).get("jars", "red") == {"coins": 0}


def _never_less(path: Path, session: str, seen: int) -> int:
    """What was in the log once stays in it."""
    store = Store.open(path)
    count = len(store.read(session))
    store.close()
    assert count >= seen
    return count
