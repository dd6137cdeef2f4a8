from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from sessions.events import CustomerSaid
from sessions.store.errors import StoreError
from sessions.store.finding import SessionFilter, find
from sessions.store.store import Store
from tests.sessions.toy import decided, shown, started

ENDLESS = "WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) SELECT"
FLIP = (
    "CREATE TRIGGER approve AFTER INSERT ON events WHEN NEW.type = 'decision_made' BEGIN "
    "UPDATE events SET payload = replace(payload, 'reject', 'approve') WHERE id = NEW.id; END"
)
HOSTILE = {
    "a trigger that turns a no into a yes": FLIP,
    "a trigger on the list": "CREATE TRIGGER t AFTER UPDATE ON sessions "
    "BEGIN DELETE FROM events; END",
    "a trigger on a table that was put beside": "CREATE TABLE other (x); "
    "CREATE TRIGGER t AFTER INSERT ON other BEGIN DELETE FROM sessions; END",
    "a trigger of ours that does nothing": "DROP TRIGGER events_are_never_changed; "
    "CREATE TRIGGER events_are_never_changed BEFORE UPDATE ON events BEGIN SELECT 1; END",
    "a trigger of ours that is gone": "DROP TRIGGER events_are_never_removed",
    "an endless view in place of the list": "ALTER TABLE sessions RENAME TO old; "
    f"CREATE VIEW sessions AS {ENDLESS} * FROM n",
    "an endless view in place of the log": "DROP TRIGGER events_are_never_changed; "
    "DROP TRIGGER events_are_never_removed; DROP VIEW decisions; "
    f"ALTER TABLE events RENAME TO old; CREATE VIEW events AS {ENDLESS} * FROM n",
    "an endless view of migrations": "DROP TABLE _sqlite_migrations; "
    f"CREATE VIEW _sqlite_migrations AS {ENDLESS} 'saber' AS migration_set, id AS name FROM n",
    "another view of decisions": "DROP VIEW decisions; "
    "CREATE VIEW decisions AS SELECT 'approve' AS decision",
    "a column more": "ALTER TABLE events ADD COLUMN more TEXT",
    "another index of words": "DROP TABLE said_index; CREATE TABLE said_index (text)",
}


def planted(path: Path, sql: str) -> Path:
    with Store.open(path) as store:
        session = store.start(started())[0].session
        store.append(session, [CustomerSaid(text="hello there", turn=1), shown("a")])
    connection = sqlite3.connect(path)
    connection.executescript(sql)
    connection.close()
    return path


@pytest.mark.timeout(20)
@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize("sql", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_file_in_which_something_was_planted_is_refused_and_left_alone(
    tmp_path: Path, sql: str, read_only: bool
) -> None:
    path = planted(tmp_path / "sessions.sqlite", sql)
    before = path.read_bytes()
    with pytest.raises(StoreError, match="planted"):
        Store.open(path, read_only=read_only)
    assert path.read_bytes() == before


@pytest.mark.timeout(20)
@pytest.mark.parametrize("name", [each for each in HOSTILE if "in place" in each])
def test_one_that_says_a_newer_program_made_it_is_refused_as_well(
    tmp_path: Path, name: str
) -> None:
    path = planted(tmp_path / "sessions.sqlite", HOSTILE[name] + "; PRAGMA user_version = 99")
    with pytest.raises(StoreError, match="planted"):
        Store.open(path)


@pytest.mark.timeout(20)
def test_a_newer_file_with_a_planted_trigger_is_only_read(tmp_path: Path) -> None:
    path = planted(tmp_path / "sessions.sqlite", f"{FLIP}; PRAGMA user_version = 99")
    with Store.open(path) as store:
        (row,) = store.sessions()
        with pytest.raises(StoreError, match="newer"):
            store.append(row.id, [decided("a", "reject")])
        assert len(store.read(row.id)) == 3


@pytest.mark.timeout(20)
def test_what_somebody_put_beside_our_tables_is_never_looked_at(tmp_path: Path) -> None:
    path = planted(
        tmp_path / "sessions.sqlite",
        f"CREATE VIEW endless AS {ENDLESS} * FROM n; CREATE TABLE mine (id); "
        "CREATE INDEX my_index ON sessions (title)",
    )
    with Store.open(path) as store:
        (row,) = store.sessions()
        store.append(row.id, [decided("a", "reject")])
        assert len(find(store, SessionFilter(words="hello")).found) == 1
        assert store.check() == store.verify() == []


def test_a_planted_trigger_did_turn_a_no_into_a_yes_where_nobody_looked(tmp_path: Path) -> None:
    path = planted(
        tmp_path / "sessions.sqlite",
        f"PRAGMA recursive_triggers = ON; DROP TRIGGER events_are_never_changed; {FLIP}",
    )
    connection = sqlite3.connect(path)
    connection.execute(
        "INSERT INTO events SELECT NULL, session_id, 4, 'decision_made', 'a', 1, at, "
        "'{\"decision\":\"reject\"}', '', '' FROM events WHERE seq = 3"
    )
    (payload,) = connection.execute("SELECT payload FROM events WHERE seq = 4").fetchone()
    connection.close()
    assert "approve" in payload


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize("name", [b"events", b"said_index"])
def test_one_flipped_bit_in_a_name_of_the_schema_is_told_as_damage(
    tmp_path: Path, name: bytes, read_only: bool
) -> None:
    path = tmp_path / "sessions.sqlite"
    Store.open(path).close()
    whole = path.read_bytes()
    refused = []
    for at in (at for at in range(len(whole)) if whole.startswith(name, at)):
        flipped = bytearray(whole)
        flipped[at + 2] ^= 0x80
        path.write_bytes(flipped)
        try:
            Store.open(path, read_only=read_only).close()
        except StoreError as error:
            refused.append(str(error))
    assert any("is damaged and was left as it is. Restore it" in each for each in refused)
