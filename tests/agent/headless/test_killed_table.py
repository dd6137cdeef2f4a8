"""A run that is killed over and over comes to the table of one that nobody disturbed.

Eight times among 44 sessions, and among 198 in a whole run.
"""

from __future__ import annotations

import random
import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path

import pytest

from sessions.store.store import Store
from tests.agent.headless.saber_child import saber
from tests.agent.victims import Victim
from tests.effort import WHOLE

pytestmark = pytest.mark.xdist_group("victims")

SHOTS = 8
TRIALS = "9" if WHOLE else "2"
MOST = 150
"""Events that a run may record before it is shot again."""


def events_in(path: Path) -> int:
    """How much has been recorded; asked of SQLite itself, since it is asked all the time."""
    if not path.exists():
        return 0
    where = f"{path.as_uri()}?mode=ro"
    with closing(sqlite3.connect(where, uri=True)) as file, suppress(sqlite3.OperationalError):
        return int(file.execute("SELECT coalesce(sum(head_seq), 0) FROM sessions").fetchone()[0])
    return 0  # the file is being made


def begun(command: list[str], path: Path) -> Victim:
    """The command on a file, in a process of its own."""
    return Victim(saber, *command, "--db", str(path), forks=True)


def shoot(command: list[str], path: Path, chance: random.Random) -> None:
    """Begin or go on with a run, and kill it once it has recorded some more."""
    wanted = events_in(path) + chance.randint(1, MOST)
    child = begun(command, path)
    while child.lives and events_in(path) < wanted:
        time.sleep(0.03)
    child.kill()
    child.ended()


def finished(command: list[str], path: Path) -> str:
    """The table at the end and what it rests on; how it came about is told before that."""
    code, _, printed = begun(command, path).ended().partition("\n")
    assert code == "0"
    return printed.partition("Based on")[2]


@pytest.mark.timeout(900)
@pytest.mark.heavy
def test_a_run_killed_at_random_moments_gives_the_same_table(tmp_path: Path) -> None:
    chance = random.Random(11)
    command = ["run", "--data", "demo", "--model", "clerk+all", "--trials", TRIALS]
    shot, whole = (tmp_path / name for name in ("shot.sqlite", "whole.sqlite"))
    for _ in range(SHOTS):
        shoot(command, shot, chance)
    with Store.open(shot, read_only=True) as store:
        assert any(row.ended is None for row in store.sessions())
    table = finished(command, shot)
    assert "our verdict" in table
    assert table == finished(command, whole)
