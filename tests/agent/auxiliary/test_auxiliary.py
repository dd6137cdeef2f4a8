"""The second model words what the first one wants to do, and is not taken at its word."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from agent.auxiliary import auxiliary
from agent.models.protocol import ChatModel, Finish, ModelFault, ModelRequest, Piece, TextPiece
from agent.reflection.reflection import CLOSING
from agent.session.conversation import Conversation
from domains.core.draft import Draft
from domains.core.tool import Toolset, undeclared_tool
from sessions.events import (
    BlockSummarised,
    CardShown,
    ModelFailed,
    ReflectionWritten,
    Safeguards,
    ToolJudged,
)
from tests.agent.held import coins, conversation, events, resumed, types
from tests.agent.scripted import Answer, ScriptedModel, ScriptedOperator, call
from tests.toy import TOOLS, toy_domain

TAKE = call("take", jar="blue", coins=3)
GOOD = "Three coins, that is 3, leave the jar blue."


async def _asked(
    folder: Path, aux: ChatModel, *answers: Answer, reflection: bool = False
) -> Conversation:
    """A conversation in which three coins were asked for and approved."""
    model, operator = ScriptedModel(*(answers or (TAKE,))), ScriptedOperator("approve", "approve")
    safeguards = Safeguards(reflection=reflection)
    async with conversation(folder, model, operator, safeguards=safeguards) as held:
        held.auxiliary = aux
        await held.say("three coins please")
        return held


def _shown(held: Conversation) -> CardShown:
    return next(event for event in events(held) if isinstance(event, CardShown))


async def test_a_sentence_that_the_trial_bears_out_stands_on_the_card(tmp_path: Path) -> None:
    aux = ScriptedModel(GOOD, name="aux")
    held = await _asked(tmp_path, aux)
    card = _shown(held).card
    assert (card.sentence, card.worded_by, card.struck) == (GOOD, "aux", "")
    assert coins(held, "blue") == 7
    handed = aux.requests[0].messages[-1]["content"]
    assert "jar blue: 10 → 7 coins" in handed
    assert aux.requests[0].tools == []


async def test_a_sentence_with_a_figure_of_its_own_is_struck_and_recorded(tmp_path: Path) -> None:
    held = await _asked(tmp_path, ScriptedModel("Take 4 coins out of the jar blue.", name="aux"))
    card = _shown(held).card
    assert card.sentence == "Take 3 coins out of the jar blue."
    assert (card.struck, card.unsupported) == ("Take 4 coins out of the jar blue.", ("4",))


@pytest.mark.parametrize("words", ["", "  \n ", "long " * 200])
async def test_no_usable_sentence_leaves_the_tools_own(tmp_path: Path, words: str) -> None:
    card = _shown(await _asked(tmp_path, ScriptedModel(words))).card
    assert (card.sentence, card.worded_by) == ("Take 3 coins out of the jar blue.", "")


async def test_a_second_model_that_fails_is_told_of_and_done_without(tmp_path: Path) -> None:
    held = await _asked(tmp_path, ScriptedModel(ModelFault("bad_key", "No.")))
    assert _shown(held).card.worded_by == ""
    assert "model_failed" in types(held)
    assert coins(held, "blue") == 7


class _Silent:
    name = "silent"

    async def stream(self, request: ModelRequest) -> AsyncIterator[Piece]:
        await asyncio.sleep(60)
        yield TextPiece("late")
        yield Finish("stop")


async def test_a_second_model_that_says_nothing_is_not_waited_for_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(auxiliary, "PATIENCE", 0.05)
    held = await _asked(tmp_path, _Silent())
    (failed,) = [event for event in events(held) if isinstance(event, ModelFailed)]
    assert failed.fault == "timeout"
    assert _shown(held).card.worded_by == ""


async def test_a_card_that_waited_keeps_its_words_when_it_is_shown_again(tmp_path: Path) -> None:
    waits = asyncio.Event()

    async def leave(card: object) -> None:
        waits.set()
        await asyncio.sleep(60)

    operator = ScriptedOperator("approve", meanwhile=leave)
    async with conversation(tmp_path, ScriptedModel(TAKE), operator) as held:
        held.auxiliary = ScriptedModel(GOOD, name="aux")
        turn = asyncio.create_task(held.say("three coins please"))
        await waits.wait()
        again = await resumed(
            held.log.store, held.log.session, ScriptedModel(), ScriptedOperator("approve")
        )
        again.auxiliary = ScriptedModel("In other words, 3 coins.", name="aux")
        await again.go_on()
        assert types(again).count("card_shown") == 1
        assert coins(again, "blue") == 7
        turn.cancel()


async def test_a_reminder_in_its_words_keeps_what_frames_it(tmp_path: Path) -> None:
    aux = ScriptedModel("Only from a jar they own; it holds 10.", GOOD, name="aux")
    held = await _asked(tmp_path, aux, TAKE, TAKE, reflection=True)
    (written,) = [event for event in events(held) if isinstance(event, ReflectionWritten)]
    assert (written.by, written.struck) == ("aux", "")
    assert written.text.startswith("Reminder before this change: you are about to call take(")
    assert written.text.endswith(CLOSING)
    assert "Only from a jar they own; it holds 10." in written.text


async def test_a_reminder_that_makes_something_up_is_replaced_by_the_rules(tmp_path: Path) -> None:
    aux = ScriptedModel("Never more than 99 coins.", GOOD, name="aux")
    held = await _asked(tmp_path, aux, TAKE, TAKE, reflection=True)
    (written,) = [event for event in events(held) if isinstance(event, ReflectionWritten)]
    assert (written.by, written.struck) == ("", "Never more than 99 coins.")
    assert "99" not in written.text


@undeclared_tool
def ring(draft: Draft, bell: str) -> str:
    """Ring a bell."""
    return f"{bell} rings"


@undeclared_tool
def empty(draft: Draft, jar: str) -> str:
    """Tell what a jar holds."""
    draft.edit("jars", jar)["coins"] = 0
    return "nothing now"


DOMAIN = replace(toy_domain(), tools=Toolset("JarTools", (*TOOLS, ring, empty)))


@pytest.mark.parametrize(
    ("verdict", "cards"),
    [('{"mutating": false, "why": "it only rings"}', 0), ('{"mutating": true}', 1), ("no", 1)],
)
async def test_a_tool_that_does_not_say_what_it_is_is_judged_once(
    tmp_path: Path, verdict: str, cards: int
) -> None:
    model = ScriptedModel(call("ring", bell="a"), call("ring", bell="b"))
    operator = ScriptedOperator("approve", "approve")
    async with conversation(tmp_path, model, operator, domain=DOMAIN) as held:
        held.auxiliary = ScriptedModel(verdict, name="aux")
        await held.say("ring them")
        assert len(operator.cards) == 2 * cards
        assert sum(isinstance(event, ToolJudged) for event in events(held)) == 1


async def test_the_reason_of_a_judgement_is_clean_however_it_was_written(tmp_path: Path) -> None:
    model = ScriptedModel(call("ring", bell="a"))
    async with conversation(tmp_path, model, ScriptedOperator(), domain=DOMAIN) as held:
        verdict = r'{"mutating": false, "why": "\u001b[31mred\u202e"}'
        held.auxiliary = ScriptedModel(verdict, name="aux")
        await held.say("ring it")
        (judged,) = (each for each in events(held) if isinstance(each, ToolJudged))
        assert judged.why == "[31mred"


async def test_without_a_second_model_it_is_held_to_be_a_write(tmp_path: Path) -> None:
    operator = ScriptedOperator("approve")
    async with conversation(
        tmp_path, ScriptedModel(call("empty", jar="red")), operator, domain=DOMAIN
    ) as held:
        await held.say("look into the red jar")
        (card,) = operator.cards
        assert card.sentence == "Empty (jar: red)."
        assert card.after == ("jars red, coins: 10 → 0",)


async def test_a_tool_that_was_judged_to_look_cannot_change_anything(tmp_path: Path) -> None:
    model, operator = ScriptedModel(call("empty", jar="red")), ScriptedOperator()
    async with conversation(tmp_path, model, operator, domain=DOMAIN) as held:
        held.auxiliary = ScriptedModel('{"mutating": false}', name="aux")
        await held.say("look into the red jar")
        assert (coins(held, "red"), operator.cards) == (10, [])


def _summaries(held: Conversation) -> list[tuple[int, str, str]]:
    found = [event for event in events(held) if isinstance(event, BlockSummarised)]
    return [(each.turn, each.text, each.by) for each in found]


async def test_every_finished_turn_is_summarised_once_by_rule_or_by_the_second_model(
    tmp_path: Path,
) -> None:
    async with conversation(tmp_path, ScriptedModel(), ScriptedOperator()) as held:
        held.auxiliary = ScriptedModel("Asked for 2.", "Made up 77.", name="aux")
        await held.say("one please")
        await held.say("two please: 2")
        brief = held.safeguards.model_copy(update={"blocks_as": "summaries"})
        await held.change_safeguards(brief)
        await held.say("three please")
        await held.say("four please")
        assert _summaries(held) == [
            (1, "one please", ""),
            (2, "Asked for 2.", "aux"),
            (3, "three please", ""),
        ]
