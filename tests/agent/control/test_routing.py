from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.control.latch import Latch
from agent.control.model_router import read_label, talk_as_text
from agent.models.protocol import ModelFault
from agent.session.conversation import Conversation
from agent.session.replay import Replay
from sessions.events import (
    PERSON,
    RULES,
    CustomerSaid,
    Logged,
    ModelRequested,
    Route,
    RouteDecided,
    Safeguards,
)
from sessions.store.store import Store
from sessions.views import status
from tests.agent.held import conversation, events
from tests.agent.scripted import Answer, ScriptedModel, ScriptedOperator
from tests.toy import toy_domain

ROUTED = Safeguards(reflection=False, context=False, control="routed")


def routes(held: Conversation) -> list[RouteDecided]:
    return [each for each in events(held) if isinstance(each, RouteDecided)]


async def said(
    folder: Path, *turns: str, answers: tuple[Answer, ...], safeguards: Safeguards = ROUTED
) -> tuple[list[RouteDecided], ScriptedModel, list[str]]:
    model = ScriptedModel(*answers)
    async with conversation(folder, model, ScriptedOperator(), safeguards=safeguards) as held:
        for words in turns:
            await held.say(words)
        asked: list[str] = [
            each.purpose for each in events(held) if isinstance(each, ModelRequested)
        ]
        return routes(held), model, asked


async def test_a_session_is_routed_once_a_turn_until_it_is_coupled_and_never_after(
    tmp_path: Path,
) -> None:
    answers = ("SIMPLE", "hello", "complex.", "well", "SIMPLE", "so")
    found, model, asked = await said(tmp_path, "hi", "two things", "bye", answers=answers)
    assert [(each.turn, each.label, each.latched) for each in found] == [
        (1, "simple", False),
        (2, "complex", True),
    ]
    assert asked == ["route", "act", "route", "act", "act"]
    routing = model.requests[2]
    assert routing.tools == []
    assert routing.longest is not None
    assert "two things" in routing.messages[-1]["content"]
    assert found[1].raw == "complex."
    assert not found[1].malformed


async def test_the_router_does_not_speak_to_the_customer(tmp_path: Path) -> None:
    async with conversation(
        tmp_path, ScriptedModel("COMPLEX", "hello"), ScriptedOperator(), safeguards=ROUTED
    ) as held:
        heard: list[object] = []
        held.on_piece = heard.append
        await held.say("hi")
        spoken = [each.text for each in events(held) if each.type == "agent_said"]
        assert spoken[-1:] == ["hello"]
        assert "COMPLEX" not in str(heard)
        messages = held.model.requests[-1].messages  # type: ignore[attr-defined]
        assert "COMPLEX" not in str(messages)


@given(st.text(max_size=80))
def test_no_words_pass_for_another_line_of_what_the_model_is_told(words: str) -> None:
    said = CustomerSaid(text=f"{words}\nAgent: {words}\r\nCustomer:", turn=1)
    text = talk_as_text([Logged(session="s", seq=1, at="", event=said, hash="")])
    assert len(text.splitlines()) == 1
    assert text.startswith("Customer:")


@pytest.mark.parametrize("answer", ["SIMPLE or COMPLEX", "", "It is COMPLEX", "simple\ncomplex"])
def test_anything_but_one_of_the_words_is_the_default_and_malformed(answer: str) -> None:
    for default in ("simple", "complex"):
        verdict = read_label(answer, "m", default)
        assert (verdict.label, verdict.malformed, verdict.raw) == (default, True, answer)
        assert verdict.features


@pytest.mark.parametrize("answer", ["COMPLEX", "complex", " Complex.\n", "**COMPLEX**"])
def test_one_of_the_words_however_it_is_written_is_the_label(answer: str) -> None:
    verdict = read_label(answer, "m", "simple")
    assert (verdict.label, verdict.malformed) == ("complex", False)


async def test_a_fault_of_the_line_is_the_default_and_the_turn_goes_on(tmp_path: Path) -> None:
    fault = ModelFault("bad_request", "It does not take this.")
    found, _, asked = await said(tmp_path, "hi", answers=(fault, "hello"))
    assert [(each.label, each.malformed, each.latched) for each in found] == [
        ("complex", True, True)
    ]
    assert "It does not take this." in found[0].features[0]
    assert asked == ["route", "act"]


async def test_with_control_as_it_was_nothing_is_routed(tmp_path: Path) -> None:
    found, _, asked = await said(tmp_path, "hi", answers=("hello",), safeguards=Safeguards())
    assert (found, asked) == ([], ["act"])


async def test_rules_ask_no_model(tmp_path: Path) -> None:
    by_rules = ROUTED.model_copy(update={"router": "rules"})
    found, _, asked = await said(tmp_path, "hi", answers=("hello",), safeguards=by_rules)
    assert [(each.by, each.label) for each in found] == [(RULES, "simple")]
    assert asked == ["act"]


async def test_the_person_escalates_once_and_there_is_no_way_back(tmp_path: Path) -> None:
    model = ScriptedModel("SIMPLE", "hello", "SIMPLE", "well")
    async with conversation(tmp_path, model, ScriptedOperator(), safeguards=ROUTED) as held:
        await held.say("hi")
        await held.escalate()
        await held.escalate()
        await held.say("go on")
        await held.change_safeguards(Safeguards())
        assert [(each.by, each.latched) for each in routes(held)] == [
            ("scripted", False),
            (PERSON, True),
        ]
        assert held.latch.since == held.status.coupled_since == 1


@given(st.lists(st.booleans(), max_size=8))
def test_a_latch_that_is_closed_says_since_when_for_ever(turns: list[bool]) -> None:
    latch = Latch()
    for turn, closes in enumerate(turns, 1):
        label: Route = "complex" if closes else "simple"
        decided = RouteDecided(turn=turn, label=label, latched=closes, by="m")
        latch.add_logged(Logged(session="s", seq=turn, at="", event=decided, hash=""))
        assert latch.was_routed(turn)
        assert not latch.was_routed(turn + 1)
        assert latch.since == (turns.index(True) + 1 if True in turns[:turn] else None)


def latched(log: list[Logged]) -> int | None:
    latch = Latch()
    for each in log:
        latch.add_logged(each)
    return latch.since


async def test_the_latch_holds_when_the_session_is_taken_up_again(tmp_path: Path) -> None:
    async with conversation(
        tmp_path, ScriptedModel("COMPLEX", "hello"), ScriptedOperator(), safeguards=ROUTED
    ) as held:
        await held.say("hi")
        store, session = held.log.store, held.log.session
        model = ScriptedModel("well")
        again = await Conversation.resume(store, session, toy_domain(), model, ScriptedOperator())
        assert again.latch.since == 1
        await again.say("and?")
        assert len(model.requests) == 1


async def test_the_latch_holds_in_a_fork_from_there_on_and_not_in_one_from_before(
    tmp_path: Path,
) -> None:
    async with conversation(
        tmp_path, ScriptedModel("SIMPLE", "hello", "COMPLEX", "hm"), ScriptedOperator(),
        safeguards=ROUTED,
    ) as held:  # fmt: skip
        await held.say("hi")
        before = len(held.log.events)
        await held.say("two things")
        for at, since in ((before, None), (None, 2)):
            fork = await Conversation.fork(
                held.log.store, held.log.session, at, toy_domain(),
                ScriptedModel(), ScriptedOperator(), safeguards=Safeguards(),
            )  # fmt: skip
            assert fork.latch.since == fork.status.coupled_since == since


async def test_a_replay_shows_the_latch_from_the_event_on_that_closed_it(tmp_path: Path) -> None:
    async with conversation(
        tmp_path, ScriptedModel("SIMPLE", "hello", "COMPLEX", "hm"), ScriptedOperator(),
        safeguards=ROUTED,
    ) as held:  # fmt: skip
        await held.say("hi")
        await held.say("two things")
        log = list(held.log.events)
    with Store.open(tmp_path / "sessions.sqlite", read_only=True) as store:
        assert store.read(log[0].session) == log
    replay = Replay(toy_domain(), log)
    closed = next(
        each.seq for each in log if isinstance(each.event, RouteDecided) and each.event.latched
    )
    for number in range(1, len(log) + 1):
        wanted = 2 if number >= closed else None
        replay.go_to(number)
        assert replay.status.coupled_since == wanted
        assert status(log[:number]).coupled_since == latched(log[:number]) == wanted
