from __future__ import annotations

import json
import os
import sqlite3
from collections import namedtuple
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from agent.context import embedding_worker
from agent.models.providers import PROVIDERS
from console import cli
from console.reports import doctor
from sessions.events import CustomerSaid
from sessions.store.store import Store
from tests.sessions.store.test_schema import as_made_by
from tests.sessions.toy import started

Usage = namedtuple("Usage", "total used free")


@pytest.fixture(autouse=True)
def machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on which all is well, without keys."""
    for each in PROVIDERS:
        for name in (*each.keys, *each.bases):
            monkeypatch.delenv(name, raising=False)
    monkeypatch.delenv("TAU2_DATA_DIR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setattr("shutil.disk_usage", lambda _: Usage(9e10, 0, 9e10))


@pytest.fixture
def db(tmp_path: Path) -> Path:
    path = tmp_path / "sessions.sqlite"
    with Store.open(path) as store:
        store.append(store.start(started())[0].session, [CustomerSaid(text="hello", turn=1)])
    return path


def invoke(*arguments: str) -> Result:
    return CliRunner().invoke(cli.saber, ["doctor", *arguments])


def checks(db: Path, code: int = 0) -> dict[str, dict[str, Any]]:
    result = invoke("--db", str(db), "--json")
    assert result.exit_code == code, result.output
    return {each["name"]: each for each in json.loads(result.output)}


def test_where_all_is_well_every_line_says_so(db: Path) -> None:
    result = invoke("--db", str(db))
    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert f"✓ session file: {db} opens" in lines
    assert "✓ integrity: every page, list and word of the index is consistent" in lines
    assert "✓ logs: 1 session with 2 events read through, every hash matches" in lines
    assert f"✓ permissions: {db} is yours alone (0600)" in lines
    assert "✗" not in result.output
    found = checks(db)
    assert found["embedding weights"]["verdict"] == "ok"
    assert found["libraries"]["verdict"] == found["SQLite"]["verdict"] == "ok"


def test_without_a_file_it_says_that_one_will_be_made_and_makes_none(tmp_path: Path) -> None:
    found = checks(tmp_path / "new" / "sessions.sqlite")
    assert "is created when the first session is recorded" in found["session file"]["told"]
    assert list(tmp_path.iterdir()) == []


def test_of_keys_only_the_names_are_told(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert checks(db)["keys"]["verdict"] == "note"
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary")
    monkeypatch.setenv("OPENAI_BASE_URL", "https://me:canary@example.org/v1?key=canary")
    result = invoke("--db", str(db))
    assert "✓ keys: found: OPENAI_API_KEY" in result.output
    assert "gpt-4o" in result.output
    assert "would be contacted at https://example.org/v1" in result.output
    assert "canary" not in result.output


def test_a_log_that_was_changed_is_named(db: Path) -> None:
    connection = sqlite3.connect(db)
    (trigger,) = connection.execute(
        "SELECT sql FROM sqlite_master WHERE name = 'events_are_never_changed'"
    ).fetchone()
    connection.execute("DROP TRIGGER events_are_never_changed")
    connection.execute("UPDATE events SET payload = replace(payload, 'hello', 'hullo')")
    connection.execute(trigger)
    connection.commit()
    connection.close()
    found = checks(db, 2)
    assert "has been changed since it was recorded: event 2" in found["logs"]["told"]
    assert "backup" in found["logs"]["advice"]
    assert found["integrity"]["verdict"] == "wrong"


def test_a_damaged_file_is_told_and_the_other_checks_go_on(db: Path) -> None:
    content = bytearray(db.read_bytes())
    content[4096:8192] = os.urandom(4096)
    db.write_bytes(content)
    found = checks(db, 2)
    assert found["session file"]["verdict"] == "wrong"
    assert found["SQLite"]["verdict"] == "ok"


def test_a_file_that_is_none_of_ours_is_told(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("not a database")
    assert "not an SQLite database" in checks(path, 2)["session file"]["told"]
    assert path.read_text() == "not a database"


def test_an_older_file_is_left_as_it_is(tmp_path: Path) -> None:
    path = as_made_by(1, tmp_path / "sessions.sqlite")
    before = path.read_bytes()
    found = checks(path)
    assert found["session file"]["verdict"] == "note"
    assert "upgraded when it is opened" in found["session file"]["advice"]
    assert path.read_bytes() == before


def test_a_newer_file_is_told_to_be_for_reading_only(db: Path) -> None:
    connection = sqlite3.connect(db)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    assert "reading only" in checks(db)["session file"]["told"]


def test_what_others_may_read_is_told_with_the_command_that_ends_it(db: Path) -> None:
    db.chmod(0o644)
    assert checks(db)["permissions"]["advice"] == f"Run: chmod 600 {db}"
    db.chmod(0o600)
    db.parent.chmod(0o777)
    assert checks(db)["permissions"]["advice"] == f"Run: chmod 700 {db.parent}"


@pytest.mark.parametrize(("free", "verdict", "code"), [(5e8, "note", 0), (1e6, "wrong", 2)])
def test_little_space_is_told(
    db: Path, monkeypatch: pytest.MonkeyPatch, free: float, verdict: str, code: int
) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _: Usage(9e10, 0, free))
    assert checks(db, code)["disk"]["verdict"] == verdict


def test_a_terminal_that_can_show_nothing_is_wrong(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "dumb")
    assert "xterm-256color" in checks(db, 2)["terminal type"]["advice"]


@pytest.mark.parametrize(
    ("size", "verdict"), [((79, 24), "wrong"), ((100, 30), "note"), ((140, 40), "ok")]
)
def test_the_size_of_the_window_is_judged(size: tuple[int, int], verdict: str) -> None:
    assert doctor._size(*size).verdict == verdict


def test_weights_that_are_not_the_published_ones_are_told(
    db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"other")
    monkeypatch.setattr(embedding_worker, "weights_folder", lambda: tmp_path)
    assert "not the published ones" in checks(db)["embedding weights"]["told"]


def test_a_data_folder_that_is_not_there_is_told(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAU2_DATA_DIR", str(db.parent / "gone"))
    assert "not a folder" in checks(db, 2)["records"]["told"]


def test_a_name_with_escape_sequences_does_not_reach_the_terminal(tmp_path: Path) -> None:
    assert "\x1b" not in invoke("--db", str(tmp_path / "\x1b]0;owned\x07")).output
