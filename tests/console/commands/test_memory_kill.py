from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from agent.memory.bank import Bank
from agent.memory.keeping import open_bank
from sessions.store import memory as rows
from sessions.store.store import Store
from tests.agent.victims import Victim
from tests.console.commands.memory_commands import EXCHANGE, REASON, proposed, rejected
from tests.console.commands.memory_kill_child import run
from tests.effort import WHOLE

pytestmark = [pytest.mark.xdist_group("victims"), pytest.mark.heavy]

KILLS = 2
"""Of each command."""


@pytest.mark.parametrize("seed", range(4 if WHOLE else 1))
def test_a_command_that_is_killed_was_carried_out_or_never_given(tmp_path: Path, seed: int) -> None:
    chance, db = random.Random(seed), tmp_path / "sessions.sqlite"
    session = rejected(db)

    def carry_out(words: tuple[str, ...], before: int, *after: int) -> None:
        for shot in range(KILLS + 1):
            child = Victim(run, ("memory", *words, "--db", str(db)))
            assert child.tells() == "ready"
            time.sleep(chance.uniform(0, 0.4))
            if shot < KILLS:
                child.kill()
            child.ended()
            stands = standing(db)
            assert (stands.revision if stands else 0) in (before, *after)
            if stands and stands.revision != before:
                return
        pytest.fail(f"{words[0]} was never carried out")

    carry_out(("begin",), 0, 7)
    carry_out(("import", str(proposed(tmp_path / "in", "it broke"))), 7, 8)
    carry_out(("accept", waiting(db)), 8, 9)
    carry_out(("undo", EXCHANGE, "--yes"), 9, 10)
    carry_out(("learn", session, "--answer", "accept"), 10, 11, 12)
    if waiting(db):  # it was learned from, and nobody has decided
        carry_out(("accept", waiting(db)), 11, 12)
    stands = standing(db)
    assert stands is not None
    assert stands.entries[EXCHANGE].key_insight in REASON
    assert stands.waiting() == []


def standing(db: Path) -> Bank | None:
    """The memory, whole; None where there is none."""
    with Store.open(db, read_only=True) as store:
        assert store.verify() == []
        return open_bank(store, None) if rows.banks(store) else None


def waiting(db: Path) -> str:
    """The id of what waits, if anything does."""
    stands = standing(db)
    return "".join(each.id for each in stands.waiting()) if stands else ""
