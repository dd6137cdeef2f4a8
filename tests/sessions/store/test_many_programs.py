from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from sessions.events import ConsentUsed, DecisionMade, WriteApplied
from sessions.store.errors import StoreError
from sessions.store.finding import SessionFilter, find
from sessions.store.store import Store
from tests.agent.headless.saber_child import saber
from tests.agent.victims import Victim
from tests.sessions.store.store_child import add_session, converse
from tests.sessions.toy import started as toy_started

CONVERSATIONS = 4
RUN = ["run", "--model", "clerk", "--customer", "scripted", "--name", "beside"]


@pytest.mark.heavy
@pytest.mark.xdist_group("victims")
def test_two_consoles_and_a_headless_run_write_to_one_file_at_once(tmp_path: Path) -> None:
    path = tmp_path / "sessions.sqlite"
    consoles = [Victim(converse, path, CONVERSATIONS) for _ in range(2)]
    run = Victim(saber, *RUN, "--db", str(path), forks=True)
    heard = [[*iter(each.tells, "")] for each in consoles]
    begun, errors, printed = iter(run.tells, "")
    assert (begun, printed[:2]) == ("begun", "0\n")
    assert [errors, *(told.pop() for told in heard)] == ["errors: "] * 3
    acknowledged = [
        (session, int(seq)) for told in heard for session, seq in (line.split() for line in told)
    ]
    with Store.open(path) as store:
        assert store.verify() == store.check() == []
        logs = {row.id: store.read(row.id) for row in store.sessions()}
        assert len(store.of_run("beside")) >= CONVERSATIONS
        assert len(find(store, SessionFilter(words="order"), limit=200).found) > 2
    assert len({session for session, _ in acknowledged}) == 2 * CONVERSATIONS
    assert all(1 <= seq <= len(logs[session]) for session, seq in acknowledged)
    for log in logs.values():
        events = [logged.event for logged in log]
        writes = Counter(each.card_id for each in events if isinstance(each, WriteApplied))
        used = {each.card_id for each in events if isinstance(each, ConsentUsed)}
        yes = {e.card_id for e in events if isinstance(e, DecisionMade) and e.decision == "approve"}
        assert set(writes.values()) <= {1}
        assert set(writes) <= used <= yes


@pytest.mark.heavy
@pytest.mark.xdist_group("victims")
def test_looking_into_the_file_beside_the_writer_does_not_cut_the_writer_off(
    tmp_path: Path,
) -> None:
    path = tmp_path / "sessions.sqlite"
    with Store.open(path) as store:
        sessions = [store.start(toy_started())[0].session]
        for reading in (True, False):
            Store.open(path, read_only=reading).close()
            other = Victim(add_session, path)
            other.ended()
            assert other.code == 0
            sessions.append(store.start(toy_started())[0].session)
            listing = Victim(saber, "sessions", "--db", str(path), "--json", forks=True)
            code, _, printed = listing.ended().partition("\n")
            assert code == "0"
            assert {each["id"] for each in json.loads(printed)} >= set(sessions)
    with Store.open(path) as store:
        assert len(store.sessions()) == 5


def test_a_writer_whose_log_was_taken_away_says_so_and_records_nothing(tmp_path: Path) -> None:
    path = tmp_path / "sessions.sqlite"
    store = Store.open(path)
    store.start(toy_started())
    path.with_name(f"{path.name}-wal").unlink()
    with pytest.raises(StoreError, match="Nothing more can be recorded in the session file"):
        store.start(toy_started())
    store.close()
