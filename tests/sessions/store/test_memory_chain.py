"""What is told of a memory that is not as it was recorded, and what older versions recorded."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from agent.memory.keeping import open_bank
from sessions.store import memory
from sessions.store.memory import MemoryRefused
from sessions.store.store import Store
from tests.sessions.store.test_schema import as_made_by


def tampered(path: Path, *statements: str) -> Store:
    """A file with two memories, changed by somebody who takes its guards away for that."""
    with Store.open(path) as store:
        for name in ("b", "other"):
            memory.make_bank(store, name, "toy", "p", None, [(None, {"n": n}) for n in range(3)])
    with sqlite3.connect(path) as database:
        found = database.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        guards = found.fetchall()
        for name, _ in guards:
            database.execute(f"DROP TRIGGER {name}")
        for each in (*statements, *(sql for _, sql in guards)):
            database.execute(each)
    database.close()
    return Store.open(path)


@pytest.mark.parametrize(
    ("statements", "sentence"),
    [
        (
            ["UPDATE memory_banks SET policy_digest = 'q' WHERE name = 'b'"],
            "change 1 does not match",
        ),
        (
            ["UPDATE memory_banks SET stream = 's' WHERE name = 'b'"],
            "change 1 does not match the record of",
        ),
        (["DELETE FROM memory_changes WHERE bank = 'b' AND revision = 3"], "2 changes are there"),
        (["DELETE FROM memory_changes WHERE bank = 'b'"], "0 changes are there, but 3 were"),
        (
            ["DELETE FROM memory_changes WHERE bank = 'b' AND revision = 2"],
            "change 2 does not match",
        ),
        (["DELETE FROM memory_heads WHERE bank = 'b'"], "3 changes are there, but no were"),
        (
            [
                "DELETE FROM memory_changes WHERE bank = 'b'",
                "UPDATE memory_banks SET domain = 'd' WHERE name = 'b'",
                "UPDATE memory_heads SET revision = 0 WHERE bank = 'b'",
            ],
            "0 changes are there, but 0 were",
        ),
    ],
)
def test_a_memory_that_was_changed_or_cut_is_told_and_not_used(
    tmp_path: Path, statements: list[str], sentence: str
) -> None:
    with tampered(tmp_path / "s.db", *statements) as store:
        row, other = memory.banks(store)
        with pytest.raises(MemoryRefused, match=sentence):
            memory.changes(store, row)
        assert len(memory.changes(store, other)) == 3
        (told,) = store.verify()
        assert sentence in told


def test_a_memory_whose_beginning_is_gone_is_told(tmp_path: Path) -> None:
    with tampered(tmp_path / "s.db", "DELETE FROM memory_banks WHERE name = 'b'") as store:
        (told,) = store.verify()
        assert (
            "The memory b was changed outside this program: the record of its creation is missing"
            in told
        )


def test_of_changes_that_cannot_all_be_made_no_bank_is_left(tmp_path: Path) -> None:
    with Store.open(tmp_path / "s.db") as store:
        with pytest.raises(MemoryRefused, match="learned from this already"):
            memory.make_bank(store, "b", "toy", "p", None, [("key", {}), ("key", {})])
        assert memory.banks(store) == []


def test_what_an_older_version_recorded_is_bound_to_its_beginning(tmp_path: Path) -> None:
    with Store.open(as_made_by(4, tmp_path / "s.db")) as store:
        mine, stream, own = memory.banks(store)
        assert (mine.name, mine.stream, own.stream) == ("mine", None, None)
        assert (stream.name, stream.stream) == ("night.policybank-reward-tool.1.1", "night abc")
        assert [open_bank(store, row.name).revision for row in (mine, stream, own)] == [4, 3, 5]
        bank = open_bank(store, "own")
        assert bank.entries["cancel"].trigger == "broken"
        assert [each.entry.trigger for each in bank.waiting()] == ["late", "later"]
        assert store.verify() == []
