"""A conversation is held with the memory that it began with, and what was read is counted."""

from __future__ import annotations

from pathlib import Path

import pytest

import domains
from agent.headless.recorded import recorded_plan
from agent.memory.keeping import open_bank
from console.reports.run_command import repeat_command
from sessions.events import (
    AnyEvent,
    ContextAssembled,
    Scored,
    ToolCalled,
    ToolReturned,
)
from sessions.events.memory import RETRIEVE, MemoryUsed, ReadBy, Recalled
from sessions.store.store import Store
from sessions.views import status
from tests.console.commands.memory_commands import EXCHANGE, db, done, saber
from tests.sessions.toy import started

__all__ = ["db"]


@pytest.mark.parametrize("way", ["tool", "none"])
def test_a_run_is_held_with_a_memory_and_goes_on_with_the_same(
    db: Path, tmp_path: Path, way: ReadBy
) -> None:
    done(db, "begin")
    task = next(iter(domains.load("retail").scenarios)).id
    how = ("--memory", "retail", "--memory-by", way)
    run = ("run", "--tasks", task, *how, "--name", "r", "--db", db)
    assert saber(*run).exit_code == 0
    with Store.open(db, read_only=True) as store:
        (row,) = store.sessions()
        used = open_bank(store, "retail").as_used.model_copy(update={"by": way})
        assert status(store.read(row.id)).memory == used
        assert " ".join(how) in repeat_command(recorded_plan(store, "r", domains.load))
    out = tmp_path / "redacted.jsonl"
    assert saber("export", "--redact", "--out", out, "--db", db).exit_code == 0
    done(db, "undo", EXCHANGE, "--yes")
    other = saber(*run)
    assert (other.exit_code, "made with other settings" in other.output) == (2, True)


def test_a_run_without_that_memory_is_a_sentence(db: Path) -> None:
    refused = saber("run", "--memory", "nope", "--db", db)
    assert (refused.exit_code, "There is no memory" in refused.output) == (2, True)


@pytest.mark.parametrize("command", ["run", "play"])
def test_a_way_of_reading_without_a_memory_is_a_sentence(db: Path, command: str) -> None:
    refused = saber(command, "--memory-by", "whole", "--db", db)
    assert (refused.exit_code, "name one with --memory" in refused.output) == (2, True)


@pytest.mark.parametrize("how", [("--memory", "retail"), ("--memory-by", "tool")])
@pytest.mark.parametrize("way", ["--resume", "--fork"])
def test_a_session_keeps_the_memory_it_began_with(db: Path, way: str, how: tuple[str, str]) -> None:
    with Store.open(db) as store:
        session = store.record([started()])
    refused = saber("play", way, session, *how, "--db", db)
    assert (refused.exit_code, "keeps the memory it began with" in refused.output) == (2, True)


def test_it_says_in_how_many_sessions_an_entry_was_read(db: Path) -> None:
    done(db, "begin")
    asked = {"capabilities": [EXCHANGE, EXCHANGE]}
    called = ToolCalled(call_id="1", name=RETRIEVE, arguments=asked)
    given = ToolReturned(call_id="1", name=RETRIEVE, text="[]", error=False)
    handed = ContextAssembled(
        turn=1, blocks=1, everything=True, budget=6, tokens=9, retrieval="context filter off",
        recalled=tuple(Recalled(capability=name, text="") for name in (EXCHANGE, "other")),
    )  # fmt: skip
    right = Scored(scenario="one", reward=1, records_match=True, communicated=True)
    wrong = right.model_copy(update={"reward": 0.0})
    read: list[list[AnyEvent]] = [
        [called, given, right],
        [called, given],
        [handed, handed, called, given, wrong],
        [called, given.model_copy(update={"error": True}), right],
        [called, right],
    ]
    with Store.open(db) as store:
        for events in read:
            store.record([started(memory=MemoryUsed(bank="retail", revision=7)), *events])
        store.record([started(), called, given, right])
    told = f"{EXCHANGE}: in force, read in 3 sessions: 1 right, 1 wrong, 1 not scored"
    assert done(db, "show", EXCHANGE).startswith(told)
