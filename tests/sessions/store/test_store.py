from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessions.events import (
    AgentSaid,
    CustomerSaid,
    ModelChanged,
    Noted,
    Scored,
    SessionEnded,
    SessionForked,
    WriteApplied,
)
from sessions.store import database
from sessions.store.database import open_writer
from sessions.store.errors import AlreadyRecorded, SessionBusy, StoreError
from sessions.store.ids import is_session_id, new_session_id
from sessions.store.store import Store
from tests.sessions.store.at_once import begin_sessions_at_once
from tests.sessions.toy import decided, shown, started, used

WORDS = CustomerSaid(text="hello", turn=1)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "sessions.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store.open(path) as opened:
        yield opened


@pytest.fixture
def session(store: Store) -> str:
    return store.start(started())[0].session


def raw(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None)


def tampered(path: Path, sql: str, *values: Any) -> None:
    connection = raw(path)
    connection.execute("DROP TRIGGER events_are_never_changed")
    connection.execute("DROP TRIGGER events_are_never_removed")
    connection.execute(sql, values)
    connection.close()


def test_what_is_appended_is_read_back_and_survives_closing(path: Path) -> None:
    with Store.open(path) as store:
        begun = store.start(started())
        session = begun[0].session
        logged = store.append(session, [WORDS, AgentSaid(text="Hi! é \u2028 \x00 \ud800")])
        assert [each.seq for each in logged] == [2, 3]
    with Store.open(path, read_only=True) as store:
        assert store.read(session) == [*begun, *logged]


def test_a_huge_number_in_arguments_is_kept_exactly(store: Store, session: str) -> None:
    call = {"id": 2**80, "deep": [{"a": None}, 1.5, True]}
    card = shown("k").card.model_copy(update={"arguments": call})
    store.append(session, [shown("k").model_copy(update={"card": card})])
    assert store.read(session)[-1].event.card.arguments == call  # type: ignore[union-attr]


def test_an_event_that_json_cannot_hold_is_refused_and_nothing_is_recorded(
    store: Store, session: str
) -> None:
    written = WriteApplied(
        card_id="k",
        call_id="c",
        name="n",
        arguments={"x": float("nan")},
        result="",
        patch=[],
        records_digest="",
    )
    with pytest.raises(ValueError):
        store.append(session, [WORDS, written])
    assert len(store.read(session)) == 1


def test_folder_and_files_are_this_users_alone(path: Path, store: Store, session: str) -> None:
    assert path.parent.stat().st_mode & 0o777 == 0o700
    found = {each.name: each.stat().st_mode & 0o777 for each in path.parent.iterdir()}
    assert found == {path.name: 0o600, f"{path.name}-wal": 0o600, f"{path.name}-shm": 0o600}


def test_every_folder_that_is_missing_is_made_for_this_user_alone(tmp_path: Path) -> None:
    there = tmp_path / "there"
    there.mkdir(mode=0o755)
    Store.open(there / "one" / "two" / "sessions.sqlite").close()
    modes = [each.stat().st_mode & 0o777 for each in (there, there / "one", there / "one" / "two")]
    assert modes == [0o755, 0o700, 0o700]


def test_a_file_that_others_could_read_is_closed_to_them_with_a_word(path: Path) -> None:
    Store.open(path).close()
    path.chmod(0o644)
    with Store.open(path) as store:
        assert "could be read by other users" in store.warnings[0]
    assert path.stat().st_mode & 0o777 == 0o600


def test_the_settings_are_those_that_make_an_append_durable(path: Path) -> None:
    opened, warnings = open_writer(path)
    read = {
        name: opened.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("journal_mode", "synchronous", "foreign_keys", "trusted_schema")
    }
    opened.close()
    assert read == {
        "journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "trusted_schema": 0
    }  # fmt: skip
    assert warnings == ()


def test_a_file_system_without_a_write_ahead_log_is_used_without_it(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = database._pragma
    monkeypatch.setattr(
        database, "_pragma", lambda db, name: "delete" if "WAL" in name else plain(db, name)
    )
    with Store.open(path) as store:
        assert "does not support a write-ahead log" in store.warnings[0]
        store.append(store.start(started())[0].session, [WORDS])


@pytest.mark.heavy
def test_programs_that_open_a_new_file_at_once_all_succeed(path: Path) -> None:
    assert begin_sessions_at_once(path, 4) == [("", 0)] * 4
    with Store.open(path, read_only=True) as store:
        assert len(store.sessions()) == 4


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE events SET payload = '{}'",
        "UPDATE events SET hash = ''",
        "DELETE FROM events",
        "DELETE FROM events WHERE seq = 2",
        "INSERT OR REPLACE INTO events SELECT * FROM events",
    ],
)
def test_the_file_itself_refuses_to_change_or_remove_events(
    path: Path, store: Store, session: str, sql: str
) -> None:
    store.append(session, [WORDS])
    connection = raw(path)
    connection.execute("PRAGMA recursive_triggers = ON")
    with pytest.raises(sqlite3.IntegrityError, match="an event is"):
        connection.execute(sql)
    connection.close()
    assert len(store.read(session)) == 2


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE events SET payload = replace(payload, 'hello', 'hallo') WHERE seq = 2",
        "UPDATE events SET at = '2020' WHERE seq = 2",
        "UPDATE events SET key = 'other' WHERE seq = 2",
        "UPDATE events SET type = 'noted' WHERE seq = 2",
        "DELETE FROM events WHERE seq = 2",
        "DELETE FROM events WHERE seq = 3",
        "UPDATE events SET seq = CASE seq WHEN 2 THEN 30 ELSE 2 END WHERE seq > 1",
    ],
)
def test_a_changed_log_is_found_by_its_hashes(
    path: Path, store: Store, session: str, sql: str
) -> None:
    store.append(session, [WORDS, AgentSaid(text="hello")])
    assert store.verify() == []
    tampered(path, sql)
    with pytest.raises(StoreError, match=f"Session {session} has been changed .* event [23]"):
        store.read(session)
    assert len(store.verify()) == 1


def test_a_list_entry_with_another_beginning_than_its_log_has_is_found(
    path: Path, store: Store, session: str
) -> None:
    fork = store.fork(session)[0].session
    assert store.verify() == []
    for each in (session, fork):
        sql = "UPDATE sessions SET created_at = ? WHERE id = ?"
        raw(path).execute(sql, ["2020-01-01T00:00:00.000000+00:00", each])
    assert store.verify() == [
        f"The list entry of session {each} differs from its log in: created_at."
        for each in (session, fork)
    ]


def test_a_list_entry_that_says_what_its_log_does_not_is_found(
    path: Path, store: Store, session: str
) -> None:
    raw(path).execute("UPDATE sessions SET scenario = 'another'")
    assert store.verify() == [
        f"The list entry of session {session} differs from its log in: scenario."
    ]


def test_an_event_of_a_newer_program_is_not_guessed_at(
    path: Path, store: Store, session: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Noted, "version", 2)
    store.append(session, [Noted(text="from the future")])
    monkeypatch.undo()
    with pytest.raises(StoreError, match="a newer version may have written it"):
        store.read(session)


@pytest.mark.parametrize(
    "sql",
    ["PRAGMA user_version = 99", "INSERT INTO _sqlite_migrations VALUES (9, 'saber', 'm999', '')"],
)
def test_a_file_of_a_newer_program_is_read_and_not_written(path: Path, sql: str) -> None:
    with Store.open(path) as store:
        session = store.start(started())[0].session
    connection = raw(path)
    connection.execute(sql)
    connection.close()
    before = path.read_bytes()
    for read_only in (False, True):
        with Store.open(path, read_only=read_only) as store:
            assert store.read_only
            assert "written by a newer version" in store.warnings[0]
            assert len(store.read(session)) == 1
            with pytest.raises(StoreError, match=r"newer version .* reading only"):
                store.append(session, [WORDS])
    assert path.read_bytes() == before


def test_a_file_that_a_newer_program_migrates_meanwhile_takes_no_more_from_this_one(
    path: Path, store: Store, session: str
) -> None:
    connection = raw(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(StoreError, match="while it was open here"):
        store.append(session, [WORDS])
    assert len(store.read(session)) == 1


@pytest.mark.parametrize("content", [b"not a database at all", b"S", b"SQLite format 3\x00" * 99])
def test_a_file_that_is_no_database_is_refused_and_left_alone(
    tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    with pytest.raises(StoreError, match=r"not an SQLite database|damaged"):
        Store.open(path)
    assert path.read_bytes() == content


def test_another_programs_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    connection = raw(path)
    connection.execute("CREATE TABLE bookmarks (url)")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="another program's database"):
        Store.open(path)
    assert path.read_bytes() == before


def test_a_damaged_file_is_refused(path: Path) -> None:
    with Store.open(path) as store:
        session = store.start(started())[0].session
        for _ in range(30):
            store.append(session, [AgentSaid(text="x" * 3000)])
    whole = path.read_bytes()
    path.write_bytes(whole[:8192] + b"\xff" * 40_000 + whole[48_192:])
    with pytest.raises(StoreError, match="damaged"):
        Store.open(path)


def test_a_symbolic_link_is_refused(path: Path, tmp_path: Path) -> None:
    Store.open(path).close()
    link = tmp_path / "link.db"
    link.symlink_to(path)
    with pytest.raises(StoreError, match="symbolic link"):
        Store.open(link)


def test_another_users_file_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Store.open(path).close()
    mine = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: mine + 1)
    with pytest.raises(StoreError, match="belongs to another user"):
        Store.open(path)


def test_an_sqlite_that_is_too_old_is_told_in_a_sentence(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "MIN_SQLITE_VERSION", (99, 0, 0))
    with pytest.raises(StoreError, match=r"99\.0\.0 is needed"):
        Store.open(path)


def test_a_folder_that_cannot_be_made_is_told_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match=r"folder .* cannot be made"):
        Store.open(tmp_path / "file" / "sessions.db")
    with pytest.raises(StoreError, match="is not a file"):
        Store.open(tmp_path)


def test_reading_only_needs_a_file_and_never_makes_one(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="There is no session file"):
        Store.open(tmp_path / "none.db", read_only=True)
    assert list(tmp_path.iterdir()) == []


def test_a_store_opened_for_reading_records_nothing(path: Path, store: Store, session: str) -> None:
    with Store.open(path, read_only=True) as reader, pytest.raises(StoreError, match="reading"):
        reader.append(session, [WORDS])


def test_a_file_that_another_program_holds_is_told_in_a_sentence(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.1)
    with Store.open(path) as store:
        session = store.start(started())[0].session
        other = raw(path)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="Another program has locked"):
            store.append(session, [WORDS])
        other.execute("ROLLBACK")
        other.close()
        assert store.append(session, [WORDS])[0].seq == 2


def test_a_full_disk_is_told_in_a_sentence_and_loses_nothing(store: Store, session: str) -> None:
    limit = store.submit(lambda db: db.execute("PRAGMA max_page_count = 20").fetchone()).result()
    assert limit is not None
    recorded = 1
    with pytest.raises(StoreError, match="The disk is full"):  # noqa: PT012
        while recorded < 100:
            recorded = store.append(session, [AgentSaid(text="x" * 3000)])[-1].seq
    assert len(store.read(session)) == recorded
    store.submit(lambda db: db.execute("PRAGMA max_page_count = 9999").fetchone()).result()
    assert store.append(session, [WORDS])[0].seq == recorded + 1
    assert store.verify() == []


def test_a_file_that_was_deleted_or_replaced_meanwhile_takes_no_more(
    path: Path, store: Store, session: str
) -> None:
    kept = path.rename(path.with_name("kept.db"))
    with pytest.raises(StoreError, match="moved, replaced or deleted"):
        store.append(session, [WORDS])
    kept.rename(path)
    assert store.append(session, [WORDS])[0].seq == 2


def test_an_event_with_a_key_happens_once_and_the_whole_batch_falls_with_it(
    store: Store, session: str
) -> None:
    store.append(session, [shown("k"), decided("k", "ask"), decided("k", "ask"), used("k")])
    with pytest.raises(AlreadyRecorded, match="already holds consent_used for k"):
        store.append(session, [WORDS, used("k")])
    assert len(store.read(session)) == 5
    other = store.start(started())[0].session
    store.append(other, [used("k")])


def test_two_programs_in_one_session_are_told_apart(path: Path, store: Store, session: str) -> None:
    with Store.open(path) as second:
        second.append(session, [WORDS], after=1)
        with pytest.raises(SessionBusy, match="continued by another program"):
            store.append(session, [WORDS], after=1)
    assert len(store.read(session)) == 2


def test_programs_that_write_and_read_at_once_do_not_disturb_each_other(path: Path) -> None:
    def write(store: Store) -> int:
        session = store.start(started())[0].session
        for _ in range(60):
            last = store.append(session, [WORDS, AgentSaid(text="x" * 500)])[-1].seq
            store.read(session)
        return last

    with Store.open(path) as one, Store.open(path) as two, ThreadPoolExecutor() as threads:
        writing = [threads.submit(write, store) for store in (one, two)]
        while not all(each.done() for each in writing):
            assert one.verify() == []
    assert [each.result() for each in writing] == [121, 121]


def test_a_session_that_is_not_there_is_told_in_a_sentence(store: Store) -> None:
    for attempt in (
        lambda: store.read("X"),
        lambda: store.append("X", [WORDS]),
        lambda: store.delete("X"),
        lambda: store.session("X"),
    ):
        with pytest.raises(StoreError, match="There is no session X"):
            attempt()


def test_deleting_a_session_takes_its_whole_log_and_no_other(path: Path, store: Store) -> None:
    first, second = (store.start(started())[0].session for _ in range(2))
    store.append(first, [WORDS])
    store.delete(first)
    assert [row.id for row in store.sessions()] == [second]
    assert raw(path).execute("SELECT DISTINCT session_id FROM events").fetchall() == [(second,)]


def test_the_list_shows_what_each_log_says(store: Store) -> None:
    first = store.start(started(scenario="one"))[0].session
    second = store.start(started(domain="air"))[0].session
    third = store.start(started(model="gpt-4o"))[0].session
    scored = Scored(scenario="one", reward=1.0, records_match=True, communicated=True)
    ended = SessionEnded(reason="customer")
    store.append(first, [CustomerSaid(text="I  want\n" + "x" * 99, turn=1), WORDS, ended, scored])
    store.append(second, [WORDS, ModelChanged(model="gpt-4o"), SessionForked(parent="P", seq=7)])
    assert [row.id for row in store.sessions()] == [third, second, first]
    assert [row.id for row in store.sessions(limit=2)] == [third, second]
    assert [row.id for row in store.sessions(domain="air")] == [second]
    assert [row.id for row in store.sessions(model="gpt-4o")] == [third, second]
    assert [row.id for row in store.sessions(status="ended", scenario="one")] == [first]
    assert [row.id for row in store.unfinished_sessions()] == [second]
    row = store.session(first)
    assert (row.title, row.turns, row.reward) == ("I want " + "x" * 73, 2, 1.0)
    assert (row.status, row.ended, row.head_seq) == ("ended", "customer", 5)
    assert (store.session(second).parent, store.session(second).fork_seq) == ("P", 7)


def test_the_decisions_view_has_one_row_for_each_card(
    path: Path, store: Store, session: str
) -> None:
    written = WriteApplied(
        card_id="b",
        call_id="c1",
        name="cancel",
        arguments={},
        result="done",
        patch=[],
        records_digest="d",
    )
    store.append(session, [shown("a"), decided("a", "ask", "why?"), decided("a", "reject", "no")])
    store.append(session, [shown("b"), decided("b", "approve"), used("b"), written, shown("c")])
    connection = raw(path)
    rows = connection.execute(
        "SELECT card, tool, arguments, decision, words, by, milliseconds, consented, applied, error"
        " FROM decisions ORDER BY seq"
    ).fetchall()
    connection.close()
    call = ("cancel", '{"order_id":"#W1"}')
    assert rows == [
        ("a", *call, "reject", "no", "person", 900, 0, 0, None),
        ("b", *call, "approve", "", "person", 900, 1, 1, None),
        ("c", *call, None, None, None, None, 0, 0, None),
    ]


def test_a_backup_is_whole_and_this_users_alone(store: Store, session: str, tmp_path: Path) -> None:
    store.append(session, [WORDS])
    copy = tmp_path / "copy.db"
    store.backup(copy)
    assert copy.stat().st_mode & 0o777 == 0o600
    with Store.open(copy, read_only=True) as kept:
        assert kept.read(session) == store.read(session)
    with pytest.raises(StoreError, match="cannot be made: File exists"):
        store.backup(copy)


def test_closing_leaves_one_file_and_takes_nothing_more(path: Path) -> None:
    store = Store.open(path)
    session = store.start(started())[0].session
    store.close()
    store.close()
    assert [each.name for each in path.parent.iterdir()] == [path.name]
    with pytest.raises(StoreError, match="has been closed"):
        store.append(session, [WORDS])


def test_session_ids_sort_by_the_time_they_were_made() -> None:
    ids = [new_session_id() for _ in range(1000)]
    assert ids == sorted(set(ids))
    assert all(is_session_id(each) for each in ids)
    assert not is_session_id("../../etc/passwd")


@given(st.from_regex(r"[0-9A-Za-z]{26}", fullmatch=True) | st.text(max_size=30))
def test_a_session_id_has_the_shape_of_a_ulid_and_no_other(text: str) -> None:
    shape = re.fullmatch(r"[0-7][0-9A-HJKMNP-TV-Z]{25}", text)
    assert is_session_id(text) is (shape is not None)
