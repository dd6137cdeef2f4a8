from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from sessions.events import ConsentUsed, DecisionMade, WriteApplied
from sessions.store.errors import StoreError
from sessions.store.finding import Wanted, find
from sessions.store.store import Store
from tests.sessions.toy import started as toy_started

CONVERSATIONS = 4
CONSOLE = [sys.executable, "-m", "tests.sessions.store.store_child"]
BIDDEN = "import sys; sys.stdin.readline(); from console.cli import main; main()"
RUN = [
    *(sys.executable, "-c", BIDDEN),
    *("run", "--model", "clerk", "--customer", "scripted", "--name", "beside"),
]  # fmt: skip


def started(*command: str) -> subprocess.Popen[str]:
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)


@pytest.mark.heavy
def test_two_consoles_and_a_headless_run_write_to_one_file_at_once(tmp_path: Path) -> None:
    path = tmp_path / "sessions.sqlite"
    consoles = [started(*CONSOLE, str(path), str(CONVERSATIONS)) for _ in range(2)]
    run = started(*RUN, "--db", str(path))
    ends = []
    for each in (*consoles, run):  # all go at once, and each is read to its end
        assert each.stdin is not None
        each.stdin.write("\n")
        each.stdin.flush()
    for each in (*consoles, run):
        ends.append((*each.communicate(timeout=100), each.returncode))
    assert [(code, "Traceback" in err) for _, err, code in ends] == [(0, False)] * 3, ends
    acknowledged = [
        (session, int(seq))
        for out, _, _ in ends[:2]
        for session, seq in (line.split() for line in out.splitlines())
    ]
    with Store.open(path) as store:
        assert store.verify() == store.check() == []
        logs = {row.id: store.read(row.id) for row in store.sessions()}
        assert len(store.of_run("beside")) >= CONVERSATIONS
        assert len(find(store, Wanted(words="order"), limit=200).found) > 2
    assert len({session for session, _ in acknowledged}) == 2 * CONVERSATIONS
    assert all(1 <= seq <= len(logs[session]) for session, seq in acknowledged)
    for log in logs.values():
        events = [logged.event for logged in log]
        writes = Counter(each.card_id for each in events if isinstance(each, WriteApplied))
        used = {each.card_id for each in events if isinstance(each, ConsentUsed)}
        yes = {e.card_id for e in events if isinstance(e, DecisionMade) and e.decision == "approve"}
        assert set(writes.values()) <= {1}
        assert set(writes) <= used <= yes


SABER = "from console.cli import main; main()"
OTHER = """
import sys
from pathlib import Path
from sessions.store.store import Store
from tests.sessions.toy import started
with Store.open(Path(sys.argv[1])) as store:
    store.start(started())
"""


@pytest.mark.heavy
def test_looking_into_the_file_beside_the_writer_does_not_cut_the_writer_off(
    tmp_path: Path,
) -> None:
    path = tmp_path / "sessions.sqlite"
    with Store.open(path) as store:
        sessions = [store.start(toy_started())[0].session]
        for reading in (True, False):
            Store.open(path, read_only=reading).close()
            subprocess.run([sys.executable, "-c", OTHER, str(path)], check=True, timeout=60)
            sessions.append(store.start(toy_started())[0].session)
            told = subprocess.run(
                [sys.executable, "-c", SABER, "sessions", "--db", str(path), "--json"],
                capture_output=True, text=True, check=True, timeout=60,
            )  # fmt: skip
            assert {each["id"] for each in json.loads(told.stdout)} >= set(sessions)
    with Store.open(path) as store:
        assert len(store.sessions()) == 5


def test_a_writer_whose_log_was_taken_away_says_so_and_records_nothing(tmp_path: Path) -> None:
    path = tmp_path / "sessions.sqlite"
    store = Store.open(path)
    store.start(toy_started())
    path.with_name(f"{path.name}-wal").unlink()
    with pytest.raises(StoreError, match="no longer reach the session file"):
        store.start(toy_started())
    store.close()
