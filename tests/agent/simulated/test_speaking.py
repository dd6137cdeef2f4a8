from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from agent.models.protocol import Message
from agent.simulated.modelled import GOODBYE
from agent.simulated.speaking import ATTEMPTS, MANNERS, Manner, find_words, split_manner
from console import cli
from sessions.events import CustomerSaid, OtherModelAsked, OtherPurpose, SessionStarted
from sessions.store.store import Store
from tests.agent.models.litellm.wire_behaviours import BEHAVIOURS
from tests.agent.models.litellm.wire_protocol import Exchange, Reply, play
from tests.agent.models.litellm.wire_server import WireServer
from tests.agent.models.litellm.wire_thread import wire_server

MESSAGES: list[Message] = [
    {"role": "system", "content": "You are Ann."},
    {"role": "user", "content": "How can I help?"},
]
WRONG = '{"right": false, "why": "Ann has no dog."}'
RIGHT = '{"right": true}'


class Answers:
    """A model that gives prepared answers for each purpose, and what it was asked."""

    def __init__(self, words: list[str], verdicts: list[str]) -> None:
        self._left = {"play_customer": words, "check_own_words": verdicts}
        self.asked: list[tuple[OtherPurpose, list[Message]]] = []

    async def __call__(self, messages: list[Message], purpose: OtherPurpose) -> str:
        self.asked.append((purpose, messages))
        return self._left[purpose].pop(0)

    def purposes(self) -> list[str]:
        return [purpose for purpose, _ in self.asked]


async def test_a_thought_is_not_sent() -> None:
    for text in ("Thought: no dog.\nReply: A cat.", "**Reply:** A cat.", "A cat."):
        answers = Answers([text], [])
        assert (await find_words(MESSAGES, "react", answers)).strip("* ") == "A cat."
    (_, asked), *_ = answers.asked
    assert '"Reply:"' in asked[0]["content"]
    assert asked[1:] == MESSAGES[1:]


@pytest.mark.parametrize("manner", ["verify", "reflection"])
async def test_words_that_are_amiss_are_written_anew(manner: Manner) -> None:
    answers = Answers(["A dog.", "A cat."], [WRONG, RIGHT])
    assert await find_words(MESSAGES, manner, answers) == "A cat."
    assert answers.purposes() == ["play_customer", "check_own_words"] * 2
    told = json.loads(answers.asked[1][1][-1]["content"])
    assert told["words"] == "A dog."
    assert told["role"] == "You are Ann."
    assert told["conversation"] == [{"by": "agent", "text": "How can I help?"}]
    again = answers.asked[2][1]
    if manner == "verify":
        assert again == MESSAGES
    else:
        assert again[:2] == MESSAGES
        assert again[2] == {"role": "assistant", "content": "A dog."}
        assert "Ann has no dog." in again[3]["content"]


@pytest.mark.parametrize("verdict", [RIGHT, "no idea", "{", '{"right": "false"}'])
async def test_words_that_nothing_speaks_against_are_sent(verdict: str) -> None:
    answers = Answers(["A cat."], [verdict])
    assert await find_words(MESSAGES, "verify", answers) == "A cat."
    assert answers.purposes() == ["play_customer", "check_own_words"]


async def test_checking_comes_to_an_end() -> None:
    answers = Answers([f"{number} dogs." for number in range(9)], [WRONG] * 9)
    assert await find_words(MESSAGES, "verify", answers) == f"{ATTEMPTS - 1} dogs."


@given(st.from_regex(r"[a-z0-9/+-]{1,20}", fullmatch=True), st.sampled_from(["", *MANNERS]))
def test_a_manner_is_what_stands_last(name: str, manner: str) -> None:
    found = split_manner(f"{name}+{manner}" if manner else name)
    if manner:
        assert found == (name, manner)
    elif not name.endswith(tuple(f"+{each}" for each in MANNERS)):
        assert found == (name, "plain")


async def checked(exchange: Exchange) -> None:
    """A customer whose first words are never its own."""
    system, *said = exchange.request.body["messages"]
    if "You check the words" in system["content"]:
        wrong = "a dog" in json.loads(said[-1]["content"])["words"]
        await play(exchange, Reply(WRONG if wrong else RIGHT))
    elif "was not sent" in said[-1]["content"]:
        await play(exchange, Reply("I want a cat."))
    elif any(each["role"] == "assistant" for each in said):
        await play(exchange, Reply(GOODBYE))
    else:
        await play(exchange, Reply("I want a dog."))


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[WireServer]:
    with wire_server({**BEHAVIOURS, "checked": checked}) as running:
        monkeypatch.setenv("OPENAI_API_BASE", running.base)
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        yield running


def test_a_customer_that_corrects_itself_plays_a_run(server: WireServer, tmp_path: Path) -> None:
    db = tmp_path / "s.sqlite"
    done = CliRunner().invoke(
        cli.saber,
        ["run", "--model", "openai/plain", "--customer", "openai/checked+reflection", "--data",
         "demo", "--tasks", "clicky-keyboard", "--db", str(db)],
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    with Store.open(db, read_only=True) as store:
        (row,) = store.sessions()
        log = [each.event for each in store.read(row.id)]
    assert isinstance(log[0], SessionStarted)
    assert log[0].run is not None
    assert log[0].run.customer == "openai/checked+reflection"
    assert [each.text for each in log if isinstance(each, CustomerSaid)] == ["I want a cat."]
    purposes = [each.purpose for each in log if isinstance(each, OtherModelAsked)]
    assert purposes == [*["play_customer", "check_own_words"] * 3]
