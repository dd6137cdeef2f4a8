"""What a session teaches is proposed, and a person decides."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from click.testing import CliRunner

import domains
from agent.memory.keeping import open_bank
from agent.memory.on_cards import find_learned
from console import cli
from sessions.events import (
    Labelled,
    Scored,
)
from sessions.store.store import Store
from tests.console.commands.memory_commands import (
    EXCHANGE,
    accept,
    db,
    done,
    memory,
    rejected,
    saber,
    waiting,
)
from tests.sessions.toy import started

__all__ = ["db"]


def test_the_agent_wants_to_remember_and_a_person_decides(db: Path) -> None:
    done(db, "begin")
    session = rejected(db)
    told = done(db, "learn", session, "--answer", "wait")
    assert f"The agent wants to change what it remembers: {EXCHANGE} (session {session}" in told
    assert "what the policy says and what is right differ; missing exception" in told
    assert "  + key insight: A broken item may be exchanged for the identical item." in told
    assert "never for the identical item" in told
    assert "in force, a change not accepted" in done(db, "show", EXCHANGE)
    assert "nothing more to learn" in done(db, "learn", session)
    accept(db, EXCHANGE)
    assert "key insight: A broken" in done(db, "show", EXCHANGE).partition("history:")[0]
    done(db, "undo", EXCHANGE, "--yes")
    assert "key insight" not in done(db, "show", EXCHANGE)


@pytest.mark.parametrize(("answer", "holds"), [("accept", True), ("refuse", False)])
def test_what_is_answered_at_once_holds_at_once(db: Path, answer: str, holds: bool) -> None:
    done(db, "begin")
    words = ["memory", "learn", rejected(db), "--db", str(db)]
    result = CliRunner().invoke(cli.saber, words, input=f"{answer}\n")
    assert result.exit_code == 0, result.output
    assert ("key insight: A broken" in done(db, "show", EXCHANGE)) == holds
    assert "not accepted (" not in done(db, "show", EXCHANGE)


def test_a_customer_whom_code_or_a_model_plays_teaches_nothing(db: Path) -> None:
    done(db, "begin")
    assert "There is nothing to learn" in done(db, "learn", rejected(db, by="simulated"))


def test_a_session_of_another_domain_teaches_nothing(db: Path) -> None:
    done(db, "begin", "--domain", "airline")
    refused = memory(db, "learn", rejected(db))
    assert (refused.exit_code, "is about airline" in refused.output) == (2, True)


def test_a_file_is_learned_from_only_on_request_and_says_so_ever_after(
    db: Path, tmp_path: Path
) -> None:
    there = tmp_path / "there.sqlite"
    session = rejected(there)
    out = tmp_path / "their.jsonl"
    assert saber("export", "sessions", "--out", out, "--db", there).exit_code == 0
    assert saber("import", out, "--db", db).exit_code == 0
    done(db, "begin")
    told = done(db, "learn", session, "--answer", "accept")
    assert "What came with their.jsonl is not used as evidence" in told
    assert "wants to" not in told
    told = done(db, "learn", session, "--imported", "--answer", "accept")
    marked = "imported with “their.jsonl”, not recorded here"
    assert marked in told
    assert marked in done(db, "show", EXCHANGE)
    with Store.open(db) as store:
        bank = open_bank(store, None)
    tool = domains.load("retail").tools.get(EXCHANGE)
    assert tool is not None
    (learned,) = find_learned(bank, tool, ())
    assert f"from session {session}, imported with “their.jsonl”" in learned.told


def test_which_change_words_here_are_about_a_file_says_only_on_request(
    db: Path, tmp_path: Path
) -> None:
    there, out = tmp_path / "there.sqlite", tmp_path / "their.jsonl"
    held = domains.load("retail")
    with Store.open(there) as store:
        session = store.record([started(held, domain="retail", scenario="broken-chair")])
    assert saber("export", "sessions", "--out", out, "--db", there).exit_code == 0
    assert saber("import", out, "--db", db).exit_code == 0
    wrong = Scored(scenario="broken-chair", reward=0, records_match=False, communicated=True)
    note = "Tolerance may prevail."
    with Store.open(db) as store:
        said = Labelled(about="session", verdict="wrong", note=note, by="a")
        store.append(session, [wrong, said])
    done(db, "begin")
    told = done(db, "learn", session, "--answer", "wait")
    assert "Only the imported file says" in told
    assert EXCHANGE not in told
    told = done(db, "learn", session, "--imported", "--answer", "wait")
    assert f"{EXCHANGE} (session {session}; imported with “their.jsonl”" in told
    assert waiting(db) != []


@pytest.mark.parametrize(("typed", "learned"), [("y\n", "own"), ("n\n", "no"), ("", "no")])
def test_whether_an_older_versions_session_was_recorded_here_is_asked_once(
    db: Path, tmp_path: Path, typed: str, learned: str
) -> None:
    session = rejected(db)
    with sqlite3.connect(db) as older:
        older.execute("INSERT INTO of_unknown_origin SELECT id, head_seq FROM sessions")
    older.close()
    done(db, "begin")
    words = ["memory", "learn", session, "--answer", "accept", "--db", str(db)]
    result = CliRunner().invoke(cli.saber, words, input=typed)
    assert "nobody here can tell whose words are in it" in result.output
    assert "Was it recorded here" in result.output
    assert result.exit_code == (0 if typed else 2), result.output
    assert ("key insight: A broken" in done(db, "show", EXCHANGE)) == (learned == "own")
    if typed:
        again = done(db, "learn", session)
        assert "Was it recorded" not in again
        told = "nothing more to learn" if learned == "own" else "is not used as evidence"
        assert told in again
    else:
        told = done(db, "learn", session, "--imported", "--answer", "accept")
        assert "imported with “another session file”, not recorded here" in told
