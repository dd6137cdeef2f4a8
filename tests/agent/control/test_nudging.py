"""The confirmed-write nudge: once a turn, and only where the yes is there and all else is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.context.blocks import blocks_of
from agent.session.conversation import Conversation
from sessions.events import AgentNudged, AgentSaid, CardShown, Safeguards
from tests.agent.held import conversation, events
from tests.agent.scripted import Answer, ScriptedModel, ScriptedOperator, call

ROUTED = Safeguards(reflection=False, context=False, control="routed", router="rules")
ASKS = "I will take three coins from the red jar. Shall I go ahead?"
AGAIN = "Just to be sure: do you confirm that I take them? (yes/no)"
TAKE = call("take", jar="red", coins=3)


async def held_with(
    folder: Path, *answers: Answer, words: tuple[str, ...] = ("three from red", "yes, please"),
    coupled: bool = True,
) -> tuple[Conversation, ScriptedModel]:  # fmt: skip
    model = ScriptedModel(*answers, sure=True)
    async with conversation(folder, model, ScriptedOperator("approve"), safeguards=ROUTED) as held:
        if coupled:
            await held.escalate()
        for each in words:
            await held.say(each)
        return held, model


def nudges(held: Conversation) -> list[AgentNudged]:
    return [each for each in events(held) if isinstance(each, AgentNudged)]


def said(held: Conversation) -> list[str]:
    return [each.text for each in events(held) if isinstance(each, AgentSaid)][1:]


async def test_who_asks_again_for_a_yes_it_has_is_sent_to_the_change(tmp_path: Path) -> None:
    held, model = await held_with(tmp_path, ASKS, AGAIN, TAKE, "Done.")
    (nudge,) = nudges(held)
    assert AGAIN in nudge.text
    assert nudge.text == model.requests[2].messages[-1]["content"]
    assert said(held) == [ASKS, "Done."]
    assert sum(isinstance(each, CardShown) for each in events(held)) == 1
    assert AGAIN not in str(blocks_of(held.log.events, "scripted"))


async def test_it_happens_once_a_turn(tmp_path: Path) -> None:
    held, _ = await held_with(tmp_path, ASKS, AGAIN, AGAIN)
    assert (len(nudges(held)), said(held)) == (1, [ASKS, AGAIN])
    assert not held.status.mid_turn


@pytest.mark.parametrize(
    ("first", "words", "second"),
    [
        (ASKS, "no, leave it", AGAIN),
        ("Three coins are in it.", "yes, please", AGAIN),
        (ASKS, "yes, please", "The red one is empty. Shall I go ahead with the blue one instead?"),
        (ASKS, "yes, please", "That is not possible, sorry. Do you want me to look elsewhere?"),
        (ASKS, "yes, please", "Done, thank you."),
    ],
)
async def test_where_there_is_no_yes_or_something_else_is_told_the_words_are_said(
    tmp_path: Path, first: str, words: str, second: str
) -> None:
    held, _ = await held_with(tmp_path, first, second, words=("three from red", words))
    assert (nudges(held), said(held)) == ([], [first, second])


async def test_a_question_about_the_next_change_is_no_repetition(tmp_path: Path) -> None:
    held, _ = await held_with(tmp_path, ASKS, TAKE, AGAIN)
    assert (nudges(held), said(held)) == ([], [ASKS, AGAIN])


async def test_a_routine_session_is_left_alone(tmp_path: Path) -> None:
    held, _ = await held_with(tmp_path, ASKS, AGAIN, coupled=False)
    assert (nudges(held), said(held)) == ([], [ASKS, AGAIN])


async def test_the_running_answer_is_taken_off_the_screen(tmp_path: Path) -> None:
    model = ScriptedModel(ASKS, AGAIN, TAKE, "Done.", sure=True)
    async with conversation(
        tmp_path, model, ScriptedOperator("approve"), safeguards=ROUTED
    ) as held:
        await held.escalate()
        await held.say("three from red")
        heard: list[object] = []
        held.on_piece = heard.append
        await held.say("yes, please")
        assert None in heard
