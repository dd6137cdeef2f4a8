from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

from agent.chat import CallPiece, Finish, ModelRequest, Piece, TextPiece
from sessions.events import ModelAnswered, Safeguards
from tests.agent.held import conversation, events
from tests.agent.scripted import ScriptedOperator


class OneId:
    """A model whose server gives every call the same id."""

    name = "one id"

    async def stream(self, request: ModelRequest) -> AsyncIterator[Piece]:
        if request.messages[-1]["role"] == "tool":
            yield TextPiece("Ten.")
            yield Finish("stop")
        else:
            yield CallPiece(0, "c", "look", '{"jar": "red"}')
            yield Finish("tool_calls")


async def test_no_two_calls_of_a_session_have_one_id_though_the_first_is_out_of_sight(
    tmp_path: Path,
) -> None:
    few = Safeguards(blocks=0)
    async with conversation(tmp_path, OneId(), ScriptedOperator(), safeguards=few) as held:
        for turn in range(6):
            await held.say(f"what is in it, for the time number {turn}?")
        answers = [each for each in events(held) if isinstance(each, ModelAnswered)]
        ids = [call.id for answer in answers for call in answer.calls]
        assert len(ids) == 6
        assert len(set(ids)) == 6
