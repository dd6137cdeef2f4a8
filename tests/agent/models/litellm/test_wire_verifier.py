"""The pre-write verifier over HTTP: each outcome, and what a verifier may answer instead of one."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from agent.control import verifier
from agent.control.guarding import MOST_IN_A_ROW
from agent.control.verifier import MOST_TIMES
from agent.control.workflow import REASON_SPEAK_ACT, VERIFY
from agent.models.litellm.model import LiteLLMModel
from agent.session.conversation import Conversation
from sessions.events import (
    AgentSaid,
    CardShown,
    GuardFired,
    ModelAnswered,
    ModelRequested,
    ReflectionWritten,
    Safeguards,
    WriteApplied,
    WriteVerified,
)
from sessions.statistics.waits import waits
from tests.agent.held import coins, conversation, events, types
from tests.agent.models.litellm.wire_protocol import Call, Reply, to_the_last
from tests.agent.models.litellm.wire_server import WireServer
from tests.agent.scripted import ScriptedOperator

ROUTED = Safeguards(reflection=False, context=False, control="routed", router="rules")
NO_CARD = ROUTED.model_copy(update={"gate": False})
LOOK = Call("look", {"jar": "red"})
THREE, TWO = (Call("take", {"jar": "red", "coins": each}) for each in (3, 2))
BLUE = Call("take", {"jar": "blue", "coins": 1})
WORDS = "three coins from the red jar, please, and one from the blue one"
OPENING = VERIFY.partition("\n")[0]


@pytest.fixture
async def server() -> AsyncIterator[WireServer]:
    async with WireServer() as running:
        yield running


async def held_with(
    folder: Path,
    server: WireServer,
    *replies: Reply,
    safeguards: Safeguards = ROUTED,
    words: tuple[str, ...] = (WORDS,),
    decisions: tuple[str, ...] = ("approve",) * 4,
) -> Conversation:
    """A coupled session in which the agent and its verifier give these replies, in order."""
    server.script(*replies)
    model = LiteLLMModel("openai/scripted", api_base=server.base, api_key="k")
    operator = ScriptedOperator(*decisions)
    async with conversation(folder, model, operator, safeguards=safeguards) as held:
        await held.escalate()
        for each in words:
            await held.say(each)
        return held


def verified(held: Conversation) -> list[WriteVerified]:
    return [each for each in events(held) if isinstance(each, WriteVerified)]


def outcomes(held: Conversation) -> list[str]:
    return [each.outcome for each in verified(held)]


def cards(held: Conversation) -> list[dict[str, Any]]:
    return [each.card.arguments for each in events(held) if isinstance(each, CardShown)]


def said(held: Conversation) -> list[str]:
    return [each.text for each in events(held) if isinstance(each, AgentSaid)][1:]


def asked_to_verify(server: WireServer) -> list[dict[str, Any]]:
    """The requests that end with the verifier's question."""
    bodies = [each.body for each in server.requests]
    return [each for each in bodies if OPENING in str(each["messages"][-1]["content"])]


async def test_a_change_that_is_right_is_kept_and_goes_to_its_card(
    server: WireServer, tmp_path: Path
) -> None:
    again = Reply("All of it holds.", (THREE,))
    held = await held_with(tmp_path, server, Reply(calls=(THREE,)), again, Reply("Done."))
    (found,) = verified(held)
    assert (found.outcome, found.words, found.by) == ("kept", "All of it holds.", held.model.name)
    assert (cards(held), said(held)) == ([THREE.arguments], ["Done."])
    assert types(held).index("write_verified") < types(held).index("card_shown")
    assert coins(held) == 7


async def test_the_verifier_thinks_more_and_reads_the_candidate_and_the_agent_how_to_work(
    server: WireServer, tmp_path: Path
) -> None:
    held = await held_with(
        tmp_path, server, Reply(calls=(THREE,)), Reply(calls=(THREE,)), Reply("Done.")
    )
    act, verify, after = (each.body for each in server.requests)
    assert [each.get("reasoning_effort") for each in (act, verify, after)] == [None, "high", None]
    assert verify["tools"] == act["tools"]
    assert verify["messages"][:-1] == act["messages"]
    assert f"1. take({THREE.text})" in verify["messages"][-1]["content"]
    assert REASON_SPEAK_ACT in act["messages"][0]["content"]
    assert OPENING not in str(after["messages"])
    asked = [each.purpose for each in events(held) if isinstance(each, ModelRequested)]
    assert asked == ["act", "verify", "act"]


async def test_a_revised_change_takes_the_place_of_the_first_and_of_it_nothing_is_left(
    server: WireServer, tmp_path: Path
) -> None:
    replies = Reply(calls=(THREE,)), Reply("Two were meant.", (TWO,)), Reply("Done.")
    held = await held_with(tmp_path, server, *replies)
    (found,) = verified(held)
    assert found.outcome == "revised"
    assert [each.arguments for each in found.candidates] == [THREE.text]
    assert [each.arguments for each in found.instead] == [TWO.text]
    assert (cards(held), coins(held)) == ([TWO.arguments], 8)
    assert said(held) == ["Done."]
    history = str(server.requests[-1].body["messages"])
    assert TWO.text.replace('"', '\\"') in history or TWO.text in history
    assert '"coins": 3' not in history
    assert "Two were meant." not in history
    assert len(asked_to_verify(server)) == 1


async def test_a_verifier_may_turn_to_another_tool(server: WireServer, tmp_path: Path) -> None:
    replies = [Reply(calls=(THREE,)), Reply(calls=(LOOK,)), Reply("Ten are in it. All three?")]
    held = await held_with(tmp_path, server, *replies)
    assert (outcomes(held), cards(held)) == (["revised"], [])
    assert "tool_called" in types(held)
    assert said(held) == ["Ten are in it. All three?"]


async def test_what_it_revised_goes_through_the_guards_again_and_is_verified_at_most_twice(
    server: WireServer, tmp_path: Path
) -> None:
    """The blue jar was never named: the guard sends it back, whoever proposed it."""
    replies = [
        Reply(calls=(THREE,)), Reply(calls=(BLUE,)), Reply(calls=(TWO,)), Reply(calls=(BLUE,)),
        Reply(calls=(THREE,)), Reply("Done."),
    ]  # fmt: skip
    held = await held_with(tmp_path, server, *replies, words=("three from the red jar",))
    fired = [each for each in events(held) if isinstance(each, GuardFired)]
    assert [each.arguments for each in fired] == [BLUE.arguments] * 2
    assert outcomes(held) == ["revised"] * MOST_TIMES + ["unverified"]
    assert len(asked_to_verify(server)) == MOST_TIMES
    assert cards(held) == [THREE.arguments]


async def test_a_question_to_the_customer_takes_the_place_of_the_change(
    server: WireServer, tmp_path: Path
) -> None:
    question = "There are two red jars here. Which of them do you mean?"
    held = await held_with(tmp_path, server, Reply(calls=(THREE,)), Reply(question))
    assert (outcomes(held), said(held), cards(held)) == (["asked"], [question], [])
    assert not held.status.mid_turn
    assert coins(held) == 10


async def test_a_refusal_blocks_the_change(server: WireServer, tmp_path: Path) -> None:
    refusal = "I cannot take three: by the record that jar belongs to somebody else."
    held = await held_with(
        tmp_path, server, Reply(calls=(THREE,)), Reply(refusal), Reply("Bye."), words=(WORDS, "ok")
    )
    assert (outcomes(held), said(held), cards(held)) == (["blocked"], [refusal, "Bye."], [])
    assert refusal in str(server.requests[-1].body["messages"])


@pytest.mark.parametrize("gate", [True, False])
async def test_one_more_request_for_the_same_yes_does_not_take_the_changes_place(
    server: WireServer, tmp_path: Path, gate: bool
) -> None:
    replies = [
        Reply("I will take three coins from the red jar. Shall I go ahead?"),
        Reply(calls=(THREE,)), Reply("Shall I go ahead with that?"), Reply("Done."),
    ]  # fmt: skip
    held = await held_with(
        tmp_path, server, *replies, words=(WORDS, "yes, please"),
        safeguards=ROUTED.model_copy(update={"gate": gate}),
    )  # fmt: skip
    assert outcomes(held) == ["kept"]
    assert (cards(held), said(held)[-1], coins(held)) == ([THREE.arguments], "Done.", 7)
    assert not any("Shall I go ahead with that?" in each for each in said(held))


async def test_without_the_card_the_first_request_for_a_yes_stands(
    server: WireServer, tmp_path: Path
) -> None:
    replies = Reply(calls=(THREE,)), Reply("Shall I go ahead with that?")
    held = await held_with(tmp_path, server, *replies, safeguards=NO_CARD)
    assert (outcomes(held), said(held)) == (["asked"], ["Shall I go ahead with that?"])


UNUSABLE = {
    "refused": Reply(status=400, error="no"),
    "half a call": Reply(calls=(Call("take", '{"jar": "red",'),)),
    "no such tool": Reply(calls=(Call("drop_all_jars", {}),)),
    "nothing": Reply(""),
    "thoughts alone": Reply(reasoning="It holds. Should I go ahead? Yes."),
    "white space": Reply(" \n\n\t"),
    "one good call and one bad": Reply(calls=(THREE, Call("take", "[]"))),
    "without end": Reply("It holds. " * 30_000, piece=100_000),
}
"""What a verifier may answer that is none."""


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("name", UNUSABLE)
async def test_a_verifier_without_a_usable_answer_leaves_the_change_to_the_person(
    server: WireServer, tmp_path: Path, name: str
) -> None:
    held = await held_with(
        tmp_path, server, Reply(calls=(THREE,)), *to_the_last(UNUSABLE[name]), Reply("Done.")
    )
    assert (outcomes(held), cards(held)) == (["unverified"], [THREE.arguments])
    assert (said(held), coins(held)) == (["Done."], 7)
    history = str(server.requests[-1].body["messages"])
    assert "drop_all_jars" not in history
    assert "It holds." not in history


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("name", UNUSABLE)
async def test_where_there_is_no_card_a_change_that_nobody_judged_is_not_made(
    server: WireServer, tmp_path: Path, name: str
) -> None:
    sorry = "I could not make that change yet."
    held = await held_with(
        tmp_path, server, Reply(calls=(THREE,)), *to_the_last(UNUSABLE[name]), Reply(sorry),
        safeguards=NO_CARD,
    )  # fmt: skip
    assert (outcomes(held), cards(held), said(held)) == (["withheld"], [], [sorry])
    assert (coins(held), "write_applied" in types(held)) == (10, False)
    told = server.requests[-1].body["messages"][-1]
    assert told["role"] == "tool"
    assert "not made" in told["content"]


async def test_without_a_card_the_customer_is_told_after_the_last_time(
    server: WireServer, tmp_path: Path
) -> None:
    refused = Reply(status=400, error="no")
    replies = [Reply(calls=(THREE,)), refused] * MOST_TIMES
    held = await held_with(
        tmp_path, server, *replies, Reply(calls=(THREE,)), Reply("Well."), safeguards=NO_CARD,
        words=(WORDS, "never mind"),
    )  # fmt: skip
    assert outcomes(held) == ["withheld"] * (MOST_TIMES + 1)
    assert [each.ends_turn for each in verified(held)] == [False] * MOST_TIMES + [True]
    assert len(asked_to_verify(server)) == MOST_TIMES
    first, second = said(held)
    assert ("take" in first, "not made" in first, second) == (True, True, "Well.")
    assert (coins(held), held.status.mid_turn) == (10, False)


async def test_a_verifier_that_is_too_slow_is_not_waited_for(
    server: WireServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verifier, "PATIENCE", 0.3)
    slow = Reply("Let me think about that for a while.", pause=30.0)
    held = await held_with(tmp_path, server, Reply(calls=(THREE,)), slow, Reply("Done."))
    (found,) = verified(held)
    assert (found.outcome, found.words) == ("unverified", "No verdict came (timeout).")
    assert (cards(held), said(held)) == ([THREE.arguments], ["Done."])
    assert waits(held.log.events)["verifier"].late == 1


@pytest.mark.parametrize("gate", [True, False])
async def test_three_changes_in_a_row_that_a_guard_stops_go_to_the_customer(
    server: WireServer, tmp_path: Path, gate: bool
) -> None:
    """The blue jar was never named; no verifier is asked about it, and none is needed."""
    replies = [Reply(calls=(BLUE,))] * MOST_IN_A_ROW
    held = await held_with(
        tmp_path, server, *replies, Reply("Bye."), words=("three from the red jar", "no"),
        safeguards=ROUTED if gate else NO_CARD,
    )  # fmt: skip
    fired = [each for each in events(held) if isinstance(each, GuardFired)]
    assert [each.ends_turn for each in fired] == [False, False, True]
    assert (outcomes(held), cards(held), coins(held, "blue")) == ([], [], 10)
    first, second = said(held)
    assert (fired[-1].why in first, second) == (True, "Bye.")
    assert len(server.requests) == MOST_IN_A_ROW + 1
    assert "the problem with the last one" in str(server.requests[-1].body["messages"]).lower()


async def test_several_changes_are_shown_together_in_their_order_and_may_change_places(
    server: WireServer, tmp_path: Path
) -> None:
    replies = Reply(calls=(THREE, BLUE)), Reply(calls=(BLUE, THREE)), Reply("Done.")
    held = await held_with(tmp_path, server, *replies)
    question = asked_to_verify(server)[0]["messages"][-1]["content"]
    assert f"1. take({THREE.text})\n2. take({BLUE.text})" in question
    assert outcomes(held) == ["revised"]
    assert cards(held) == [BLUE.arguments, THREE.arguments]


async def test_what_was_kept_together_is_not_verified_again_one_by_one(
    server: WireServer, tmp_path: Path
) -> None:
    replies = Reply(calls=(THREE, BLUE)), Reply(calls=(THREE, BLUE)), Reply("Done.")
    held = await held_with(tmp_path, server, *replies)
    assert (outcomes(held), cards(held)) == (["kept"], [THREE.arguments, BLUE.arguments])


async def test_a_verifier_that_answers_one_call_at_a_time_verifies_the_others_later(
    server: WireServer, tmp_path: Path
) -> None:
    replies = Reply(calls=(THREE, BLUE)), Reply(calls=(THREE,)), Reply(calls=(BLUE,)), Reply("Done")
    held = await held_with(tmp_path, server, *replies)
    assert outcomes(held) == ["kept", "kept"]
    assert cards(held) == [THREE.arguments, BLUE.arguments]


async def test_the_reminder_comes_after_the_verifier_and_one_call_is_verified_once(
    server: WireServer, tmp_path: Path
) -> None:
    both = ROUTED.model_copy(update={"reflection": True})
    replies = [Reply(calls=(THREE,))] * 3
    held = await held_with(tmp_path, server, *replies, Reply("Done."), safeguards=both)
    order = [each for each in types(held) if each in ("write_verified", "reflection_written")]
    assert order == ["write_verified", "reflection_written"]
    assert [*cards(held), coins(held)] == [THREE.arguments, 7]
    assert sum(isinstance(each, ReflectionWritten) for each in events(held)) == 1


async def test_words_on_a_card_open_the_question_anew(server: WireServer, tmp_path: Path) -> None:
    replies = [Reply(calls=(THREE,))] * 4
    held = await held_with(
        tmp_path, server, *replies, Reply("Done."), decisions=("change: two", "approve")
    )
    assert outcomes(held) == ["kept", "kept"]


async def test_as_long_as_a_session_is_routine_nothing_is_verified(
    server: WireServer, tmp_path: Path
) -> None:
    server.script(Reply(calls=(THREE,)), Reply("Done."))
    model = LiteLLMModel("openai/scripted", api_base=server.base, api_key="k")
    async with conversation(
        tmp_path, model, ScriptedOperator("approve"), safeguards=ROUTED
    ) as held:
        await held.say("three coins from the red jar, please")
        assert (outcomes(held), held.latch.since) == ([], None)
        assert REASON_SPEAK_ACT not in str(server.requests[0].body)
        assert any(isinstance(each, WriteApplied) for each in events(held))


async def test_what_stood_is_recorded_as_the_verifiers_and_what_replaced_as_the_agents(
    server: WireServer, tmp_path: Path
) -> None:
    replies = [
        Reply(calls=(THREE,)), Reply(calls=(THREE,)),
        Reply(calls=(THREE,)), Reply(calls=(BLUE,)), Reply("Done."),
    ]  # fmt: skip
    held = await held_with(tmp_path, server, *replies)
    answers = [each.purpose for each in events(held) if isinstance(each, ModelAnswered)]
    assert answers == ["act", "verify", "act", "act", "act"]
    waited = waits(held.log.events)
    assert (waited["verifier"].asked_count, waited["agent"].asked_count) == (2, 3)
    assert (outcomes(held), cards(held)) == (["kept", "revised"], [THREE.arguments, BLUE.arguments])
