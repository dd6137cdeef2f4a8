from __future__ import annotations

import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from sessions.store.finding import SessionFilter, find
from sessions.store.store import Store
from tests.effort import first
from tests.sessions.store.flipped_bits import WORDS, flip, make_sound, outcome, spoken, told
from tests.sessions.toy import started

LIMITED = """
import resource, signal, sys
from pathlib import Path
from sessions.store.errors import StoreError
from sessions.events import AgentSaid
from sessions.store.store import Store
from tests.sessions.store.flipped_bits import WORDS, flip, make_sound, outcome, spoken, told
from tests.sessions.toy import started

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
store = Store.open(Path(sys.argv[1]))
session = store.start(started())[0].session
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
last = 1
try:
    while last < 2000:
        last = store.append(session, [AgentSaid(text="said " * 200)])[-1].seq
        print(session, last, flush=True)
except StoreError as error:
    print(error, file=sys.stderr)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print(session, store.append(session, [AgentSaid(text="after")])[-1].seq)
"""


@pytest.mark.parametrize("kilobytes", first(1, [333, 200, 1000]))
def test_a_disk_that_takes_no_more_is_told_and_nothing_acknowledged_is_lost(
    tmp_path: Path, kilobytes: int
) -> None:
    path = tmp_path / "sessions.sqlite"
    child = subprocess.run(
        [sys.executable, "-c", LIMITED, str(path), str(kilobytes * 1000)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "Nothing of this step was recorded" in child.stderr
    session, last = child.stdout.split()[-2:]
    with Store.open(path) as store:
        assert [each.seq for each in store.read(session)] == list(range(1, int(last) + 1))
        assert store.check() == store.verify() == []
    assert len(child.stdout.splitlines()) == int(last) - 1


READING = """
import os, shutil, sys, tempfile
from pathlib import Path
from sessions.store.errors import StoreError
from sessions.store.finding import SessionFilter, find
from sessions.store.store import Store
from tests.sessions.store.flipped_bits import WORDS, flip, make_sound, outcome, spoken, told
from tests.sessions.toy import started

def read(path):
    with Store.open(path, read_only=True) as store:
        (row,) = store.sessions()
        found = find(store, SessionFilter(words="hello")).found
        return len(store.read(row.id)), len(found), store.verify()

path = Path(sys.argv[1])
if os.getuid() == 0:  # may write anywhere; another user may not even import what is not yet
    read(Path(shutil.copy(path, Path(tempfile.mkdtemp()) / "another.sqlite")))
    os.chown(path, 65534, 65534)
    os.setgid(65534)
    os.setuid(65534)
try:
    Store.open(path)
except StoreError as error:
    print(error)
print(*read(path))
"""


def test_in_a_read_only_folder_sessions_are_read_and_recording_is_refused_in_a_sentence() -> None:
    folder = Path(tempfile.mkdtemp())  # pytest's own lies where another user cannot look
    path = folder / "sessions.sqlite"
    try:
        with Store.open(path) as store:
            store.append(store.start(started())[0].session, [WORDS])
        path.chmod(0o400)
        folder.chmod(0o555)
        child = subprocess.run(
            [sys.executable, "-c", READING, str(path)], capture_output=True, text=True
        )
        assert sorted(each.name for each in folder.iterdir()) == [path.name]
    finally:
        folder.chmod(0o700)
        shutil.rmtree(folder)
    assert child.stderr == ""
    refused, read = child.stdout.splitlines()
    assert "cannot be written" in refused or "cannot be opened" in refused
    assert read == "2 1 []"


@pytest.mark.parametrize("seed", first(15, range(60)))
def test_a_write_ahead_log_cut_anywhere_leaves_the_first_events_of_each_session(
    tmp_path: Path, seed: int
) -> None:
    path, chance = tmp_path / "sessions.sqlite", random.Random(seed)
    with Store.open(path) as store:
        logs = [spoken(store, 12), spoken(store, 12)]
        cut = tmp_path / "cut.sqlite"
        shutil.copy(path, cut)
        log = path.with_name(f"{path.name}-wal").read_bytes()
    cut.with_name(f"{cut.name}-wal").write_bytes(log[: chance.randrange(len(log))])
    with Store.open(cut) as store:
        assert store.check() == store.verify() == []
        for whole in logs:
            kept = [row.id for row in store.sessions()]
            if whole[0].session in kept:
                read = store.read(whole[0].session)
                assert read == whole[: len(read)]
        added = store.start(started())[0].session
        store.append(added, [WORDS])
        assert store.check() == []


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_sound(tmp_path_factory.mktemp("sound") / "sessions.sqlite")


@pytest.fixture(scope="module")
def right(sound: Path) -> object:
    """What one is told of it."""
    return told(sound)


@pytest.mark.parametrize("seed", first(30, range(150)))
def test_a_flipped_bit_changes_no_answer_that_the_check_does_not_tell_of(
    tmp_path: Path, sound: Path, right: object, seed: int
) -> None:
    path = tmp_path / "sessions.sqlite"
    flip(sound, path, random.Random(seed))
    assert outcome(path, right) != "untold"


def test_a_word_that_is_gone_from_the_index_is_told(tmp_path: Path, sound: Path) -> None:
    path = tmp_path / "sessions.sqlite"
    shutil.copy(sound, path)
    connection = sqlite3.connect(path)
    connection.execute(
        "INSERT INTO said_index(said_index, rowid, text) VALUES ('delete', ?, 'hello')",
        [4 << 24 | 2],
    )
    connection.commit()
    connection.close()
    with Store.open(path, read_only=True) as store:
        assert find(store, SessionFilter(words="hello")).found == ()
        (problem,) = store.check()
        assert "search index differs" in problem


def test_events_that_belong_to_no_session_are_told(tmp_path: Path, sound: Path) -> None:
    path = tmp_path / "sessions.sqlite"
    shutil.copy(sound, path)
    connection = sqlite3.connect(path)
    connection.execute("DELETE FROM sessions WHERE number = 1")
    connection.commit()
    connection.close()
    with Store.open(path, read_only=True) as store:
        assert "20 events belong to no listed session" in store.verify()[0]
        assert len(store.check()) >= 20
