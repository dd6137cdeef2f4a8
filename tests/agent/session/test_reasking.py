from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from agent.session.conversation import Conversation
from agent.session.reasking import NOT_SHOWN, ask_again
from sessions.events import (
    AgentSaid,
    CustomerSaid,
    DecisionMade,
    SessionForked,
    WriteApplied,
)
from sessions.store.store import Store
from sessions.views.comparing import compare_logs
from tests.agent.held import coins, events
from tests.agent.recorded import QUIET, TURNS, Turn, answers, held
from tests.agent.scripted import ScriptedModel, call
from tests.effort import tries
from tests.toy import toy_domain

TAKE: Turn = ("red", "approve", 3)
FIND = call("find_user_id_by_email", email="ann@example.com")


def words(held: Conversation) -> list[str]:
    return [event.text for event in events(held) if isinstance(event, CustomerSaid)]


def made(held: Conversation) -> list[tuple[str, str, str]]:
    found = (event for event in events(held) if isinstance(event, DecisionMade))
    return [(event.decision, event.words, event.by) for event in found]


@settings(max_examples=tries(25), deadline=None)
@given(TURNS, st.booleans())
def test_the_same_agent_asked_again_departs_nowhere(turns: list[Turn], end: bool) -> None:
    async def law() -> None:
        with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / "s.db") as store:
            first = await held(store, turns, end=end)
            model = ScriptedModel(*answers(turns), name="other")
            again = await ask_again(store, first.log.session, toy_domain(), model)
            found = compare_logs(first.log.events, again.held.log.events)
            assert found.first is None, found.pairs[found.first or 0]
            assert again.unknown == ()
            assert again.held.records.digest == first.records.digest
            assert (again.held.status.ended is None) == (not end)

    asyncio.run(law())


async def test_another_change_than_the_one_decided_is_declined_and_told(tmp_path: Path) -> None:
    with Store.open(tmp_path / "s.db") as store:
        first = await held(store, [TAKE], end=True)
        wrong = ScriptedModel(
            FIND, "Hello Ann.", call("look", jar="red"), call("take", jar="red", coins=4), "Oh."
        )
        again = await ask_again(store, first.log.session, toy_domain(), wrong)
        assert words(again.held) == words(first)
        assert made(again.held) == [("reject", NOT_SHOWN, "script")]
        assert [card.arguments["coins"] for card in again.unknown] == [4]
        assert coins(again.held) == 10
        found = compare_logs(first.log.events, again.held.log.events)
        assert found.turn == 2
        pair = found.pairs[found.first or 0]
        assert pair.left is not None
        assert pair.left.card.arguments["coins"] == 3  # type: ignore[union-attr]


async def test_one_yes_is_given_once(tmp_path: Path) -> None:
    with Store.open(tmp_path / "s.db") as store:
        first = await held(store, [TAKE], end=True)
        take = call("take", jar="red", coins=3)
        greedy = ScriptedModel(FIND, "Hello Ann.", call("look", jar="red"), take, take, "Done.")
        again = await ask_again(store, first.log.session, toy_domain(), greedy)
        assert [decision for decision, _, _ in made(again.held)] == ["approve", "reject"]
        assert sum(isinstance(event, WriteApplied) for event in events(again.held)) == 1


async def test_it_is_a_fork_before_the_first_words_with_other_safeguards(tmp_path: Path) -> None:
    with Store.open(tmp_path / "s.db") as store:
        first = await held(store, [TAKE], end=True)
        off = QUIET.model_copy(update={"gate": False})
        again = await ask_again(
            store, first.log.session, toy_domain(), ScriptedModel(*answers([TAKE])), safeguards=off
        )
        own = events(again.held)
        assert isinstance(own[1], AgentSaid)
        assert own[2] == SessionForked(parent=first.log.session, seq=2)
        assert made(again.held) == [("approve", "", "auto")]
        assert store.session(again.held.log.session).parent == first.log.session


async def test_what_nobody_was_asked_about_is_no_decision_to_give_again(tmp_path: Path) -> None:
    with Store.open(tmp_path / "s.db") as store:
        first = await held(store, [TAKE], end=True)
        off = QUIET.model_copy(update={"gate": False})
        model = ScriptedModel(*answers([TAKE]))
        ungated = await ask_again(store, first.log.session, toy_domain(), model, safeguards=off)
        again = await ask_again(
            store, ungated.held.log.session, toy_domain(), ScriptedModel(*answers([TAKE])),
            safeguards=QUIET,
        )  # fmt: skip
        assert made(again.held) == [("reject", NOT_SHOWN, "script")]
        assert coins(again.held) == 10


async def test_from_a_later_event_only_what_came_after_is_said_and_decided(tmp_path: Path) -> None:
    with Store.open(tmp_path / "s.db") as store:
        first = await held(store, [TAKE, ("blue", "reject: no", 2)], end=True)
        second = next(
            each.seq
            for each in first.log.events
            if isinstance(each.event, CustomerSaid) and each.event.text == "2 from blue"
        )
        model = ScriptedModel(call("take", jar="red", coins=3), "Done.", name="other")
        again = await ask_again(store, first.log.session, toy_domain(), model, at=second - 1)
        assert words(again.held) == words(first)
        assert made(again.held)[-1] == ("reject", NOT_SHOWN, "script")
        assert coins(again.held) == 7
