"""How the safeguards of a run work, over the line: blocks, and what a second model does."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from agent.auxiliary import auxiliary
from console import cli
from console.reports.run_basis import NOTHING_LEFT_OUT
from sessions.events import (
    BlockSummarised,
    ContextAssembled,
    Safeguards,
    SessionStarted,
    ToolJudged,
)
from sessions.store.store import Store
from tests.agent.models.litellm.wire_behaviours import BEHAVIOURS
from tests.agent.models.litellm.wire_protocol import Call, Exchange, Reply, play
from tests.agent.models.litellm.wire_server import WireServer
from tests.agent.models.litellm.wire_thread import wire_server

TASK = ["--tasks", "clicky-keyboard", "--data", "demo"]
TALK = ["--model", "openai/plain", "--customer", "openai/chatty", "--max-turns", "5", *TASK]


async def chatty(exchange: Exchange) -> None:
    """A customer who says something new each time and never says goodbye."""
    said = sum(each["role"] == "assistant" for each in exchange.request.body["messages"])
    await play(exchange, Reply(f"About topic {said}."))


async def looks(exchange: Exchange) -> None:
    """An agent that looks two things up and says so."""
    results = [each for each in exchange.request.body["messages"] if each["role"] == "tool"]
    calls = (
        Call("list_all_product_types", {}, "c1"),
        Call("calculate", {"expression": "1 + 1"}, "c2"),
    )
    await play(exchange, Reply("Two.") if results else Reply(calls=calls))


async def second(exchange: Exchange) -> None:
    """A second model: judges tools, one of them wrongly, and summarises."""
    system, told = (each["content"] for each in exchange.request.body["messages"])
    if "one tool" in system:
        wrong = json.loads(told)["function"]["name"] == "calculate"
        await play(exchange, Reply(json.dumps({"mutating": wrong, "why": "it seems so"})))
    else:
        await play(exchange, Reply("They spoke of a topic."))


async def sluggish(exchange: Exchange) -> None:
    await asyncio.sleep(60)


OWN = {"chatty": chatty, "looks": looks, "second": second, "sluggish": sluggish}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[WireServer]:
    with wire_server({**BEHAVIOURS, **OWN}) as running:
        monkeypatch.setenv("OPENAI_API_BASE", running.base)
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        yield running


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "s.sqlite"


def saber(*words: str, db: Path) -> Result:
    done = CliRunner().invoke(cli.saber, [*words, "--db", str(db)])
    assert done.exit_code == 0, done.output
    return done


def plain(text: str) -> str:
    return " ".join(text.split())


def logged(db: Path, kind: type[Any]) -> list[Any]:
    with Store.open(db, read_only=True) as store:
        return [
            each.event
            for row in store.sessions()
            for each in store.read(row.id)
            if isinstance(each.event, kind)
        ]


def test_without_a_block_to_leave_out_nothing_is_played_without_the_filter(
    server: WireServer, db: Path
) -> None:
    told = json.loads(saber("ablate", *TALK, "--json", db=db).stdout)
    assert [arm["safeguards"]["context"] for arm in told["arms"]] == [True] * 4
    assert NOTHING_LEFT_OUT in told["rests_on"]
    assert told["sessions_planned"] == 4
    again = json.loads(saber("ablate", *TALK, "--json", db=db).stdout)
    assert again["finished_before"] == 4


@pytest.mark.heavy
def test_where_blocks_are_left_out_every_arm_is_played_without_the_filter_too(
    server: WireServer, db: Path
) -> None:
    told = json.loads(saber("ablate", *TALK, "--blocks", "0", "--json", db=db).stdout)
    filtered = [arm["safeguards"]["context"] for arm in told["arms"]]
    assert filtered == [True] * 4 + [False] * 4
    assert NOTHING_LEFT_OUT not in told["rests_on"]
    assert (told["sessions_planned"], told["finished_before"]) == (8, 0)
    assert {arm["shortened"] for arm in told["arms"][:4]} == {1}
    again = json.loads(saber("ablate", *TALK, "--blocks", "0", "--json", db=db).stdout)
    assert again["finished_before"] == 8


@pytest.mark.heavy
@pytest.mark.embeds
def test_blocks_are_chosen_and_sent_as_was_asked_for(server: WireServer, db: Path) -> None:
    words = ["--blocks", "1", "--blocks-as", "summaries", "--blocks-by", "summary"]
    saber("run", *TALK, *words, "--aux-model", "openai/second", db=db)
    (started,) = logged(db, SessionStarted)
    usual = Safeguards()
    assert started.safeguards == usual.model_copy(
        update={"blocks": 1, "blocks_as": "summaries", "blocks_by": "summary"}
    )
    last = logged(db, ContextAssembled)[-1]
    assert last.summarised
    assert {each.by for each in logged(db, BlockSummarised)} == {"openai/second"}
    spoken = [each.body for each in server.requests if each.body["model"] == "plain"][-1]
    assert any("They spoke of a topic." in str(each["content"]) for each in spoken["messages"])


def test_a_second_models_judgement_is_counted_beside_what_tools_declare(
    server: WireServer, db: Path
) -> None:
    words = ["--model", "openai/looks", *TASK, "--max-turns", "1", "--aux-model", "openai/second"]
    saber("run", *words, "--judge-declared", db=db)
    said = {each.name: (each.declared, each.mutating) for each in logged(db, ToolJudged)}
    assert said == {"list_all_product_types": (False, False), "calculate": (False, True)}
    told = plain(saber("stats", db=db).stdout)
    assert "of changes none was judged, of look-ups 1 of 2 agreed (50.0 %" in told
    assert "calculate look-up 0 1 0 list_all_product_types look-up 1 1 0" in told
    assert re.search(r"latency, tool judgement \d", told)
    assert re.search(r"latency, agent \d", told)
    saber("run", *words, "--name", "unjudged", db=db)
    assert len(logged(db, ToolJudged)) == 2


def test_a_second_model_that_is_too_slow_is_counted_and_told(
    server: WireServer, db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(auxiliary, "PATIENCE", 0.3)
    words = ["--blocks-as", "summaries", "--aux-model", "openai/sluggish"]
    told = plain(saber("run", *TALK, *words, db=db).stdout)
    assert "Of 4 answers of the second model 4 came too late: rules did that work instead." in told
    assert {each.by for each in logged(db, BlockSummarised)} == {""}
    stats = plain(saber("stats", db=db).stdout)
    assert re.search(r"latency, summaries – – 4 no answer; 4 too late; rules did that work", stats)
