from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from sessions.events import CustomerSaid, Labelled
from sessions.store import rebuilding
from sessions.store.database import version_at
from sessions.store.errors import StoreError
from sessions.store.finding import SessionFilter, find
from sessions.store.schema import SCHEMA_VERSION, STEPS
from sessions.store.schema_check import _objects
from sessions.store.store import Store
from tests.sessions.store.at_once import begin_sessions_at_once

EARLIER = range(1, SCHEMA_VERSION)
HERE = Path(__file__).parent


def as_made_by(version: int, path: Path) -> Path:
    """A file as that version of the program left it: the same three sessions, and later ones."""
    connection = sqlite3.connect(path)
    connection.executescript((HERE / f"version_{version}.sql").read_text())
    connection.close()
    path.chmod(0o600)
    return path


def told(path: Path) -> list[str]:
    return [row.id for row in Store.open(path, read_only=True).sessions()]


def schema(path: Path) -> dict[tuple[str, str], str]:
    with Store.open(path, read_only=True) as store, store.reading() as database:
        found = _objects(database)
    return {each: sql for each, sql in found.items() if not each[1].startswith("sqlite_stat")}


def test_every_migration_raises_the_version_and_every_version_has_a_file_to_test_with() -> None:
    assert len(STEPS) == SCHEMA_VERSION
    assert all((HERE / f"version_{version}.sql").exists() for version in EARLIER)


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize("version", EARLIER)
def test_a_file_of_an_earlier_version_is_brought_up_to_date_with_all_that_it_holds(
    tmp_path: Path, version: int, read_only: bool
) -> None:
    path = as_made_by(version, tmp_path / "sessions.sqlite")
    Store.open(tmp_path / "new.sqlite").close()
    with Store.open(path, read_only=read_only) as store:
        assert "was upgraded" in store.warnings[0]
        assert store.verify() == []
        assert store.check() == []
        third, second, first = store.sessions()[-3:]
        assert (first.turns, first.cards, first.writes) == (2, 2, 1)
        assert (first.result, first.run, first.number) == ("right", "night", 1)
        assert "gate" not in first.safeguards.split()
        assert "gate" in second.safeguards.split()
        assert (third.title, third.result, third.number) == (None, "open", 3)
        for words, row in (("café", first), ('"not that one"', first), ("refundable", second)):
            assert [each.row for each in find(store, SessionFilter(words=words)).found] == [row]
    assert schema(path) == schema(tmp_path / "new.sqlite")
    with Store.open(path) as store:
        assert store.warnings == ()
        store.append(second.id, [CustomerSaid(text="hello", turn=2)])


def test_labels_and_imports_in_an_older_file_are_found_once_it_is_up_to_date(
    tmp_path: Path,
) -> None:
    with Store.open(as_made_by(2, tmp_path / "sessions.sqlite")) as store:
        imported, third, second, first = store.sessions()
        assert imported.source == "imported from runs.json"
        assert (imported.labels, third.tags) == ("", "")
        assert (first.labels, first.tags) == ("2 right, 1 unclear", "checked\nlate")
        assert second.labels == "1 wrong"
        for wanted, rows in (
            (SessionFilter(label="wrong"), [second]),
            (SessionFilter(label="right"), [first]),
            (SessionFilter(tag="late"), [first]),
            (SessionFilter(tag="wrong item"), []),
        ):
            assert [each.row for each in find(store, wanted).found] == rows
        store.append(first.id, [Labelled(verdict="wrong", by="bob", about="card", card_id="k2")])
        assert store.session(first.id).labels == "1 right, 1 wrong, 1 unclear"
        assert store.verify() == []


def test_sessions_that_have_a_number_keep_it_whatever_the_clock_said(tmp_path: Path) -> None:
    path = as_made_by(2, tmp_path / "sessions.sqlite")
    connection = sqlite3.connect(path)
    before = dict(connection.execute("SELECT id, 9 - 2 * number FROM sessions"))
    connection.execute("UPDATE sessions SET number = 9 - 2 * number")
    connection.commit()
    connection.close()
    with Store.open(path) as store:
        assert {row.id: row.number for row in store.sessions()} == before
        assert store.check() == []
        assert len(find(store, SessionFilter(words="café")).found) == 1


@pytest.mark.parametrize("version", EARLIER)
def test_the_file_is_kept_as_it_was_beside_the_migrated_one(tmp_path: Path, version: int) -> None:
    path = as_made_by(version, tmp_path / "sessions.sqlite")
    Store.open(path).close()
    (kept,) = tmp_path.glob(f"sessions-*-version-{version}.sqlite")
    assert kept.stat().st_mode & 0o777 == 0o600
    assert version_at(kept) == version
    assert version_at(path) == SCHEMA_VERSION
    assert told(kept) == told(path)


def test_a_migration_that_fails_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = as_made_by(1, tmp_path / "sessions.sqlite")

    def full(_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(rebuilding, "rebuild", full)
    with pytest.raises(StoreError, match="full"):
        Store.open(path)
    assert version_at(path) == 1
    monkeypatch.undo()
    assert len(told(path)) == 3


def test_a_file_that_cannot_be_copied_first_is_not_migrated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = as_made_by(1, tmp_path / "sessions.sqlite")

    def refuse(_: Path, copy: Path) -> None:
        raise StoreError(f"The copy {copy} cannot be made.")

    monkeypatch.setattr("sessions.store.database.copy_to", refuse)
    with pytest.raises(StoreError, match="cannot be made"):
        Store.open(path)
    assert version_at(path) == 1


@pytest.mark.heavy
def test_programs_that_migrate_a_file_at_once_all_succeed_and_keep_one_copy(tmp_path: Path) -> None:
    path = as_made_by(1, tmp_path / "sessions.sqlite")
    assert begin_sessions_at_once(path, 3) == [("", 0)] * 3
    assert len(told(path)) == 6
    assert len(list(tmp_path.glob("*-version-1.sqlite"))) == 1


def test_a_session_whose_log_is_broken_keeps_no_other_from_being_migrated(tmp_path: Path) -> None:
    path = as_made_by(1, tmp_path / "sessions.sqlite")
    connection = sqlite3.connect(path)
    (changed,) = connection.execute(
        "SELECT sql FROM sqlite_master WHERE name = 'events_are_never_changed'"
    ).fetchone()
    connection.execute("DROP TRIGGER events_are_never_changed")
    connection.execute("UPDATE events SET payload = '{' WHERE type = 'customer_said' AND seq = 4")
    connection.execute(changed)
    connection.commit()
    connection.close()
    with Store.open(path) as store:
        (problem,) = store.verify()
        assert "has been changed since it was recorded: event 4" in problem
        assert len(find(store, SessionFilter(words="lisbon")).found) == 1
