from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

from agent.models.call_ids import CallIds
from agent.models.protocol import CallPiece, Finish, ModelRequest, Piece, TextPiece
from agent.session.conversation import Conversation
from sessions.events import ModelAnswered, Safeguards
from sessions.store.store import Store
from tests.agent.held import conversation, events, resumed
from tests.agent.scripted import ScriptedOperator
from tests.toy import toy_domain


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


def _ids(held: Conversation) -> list[str]:
    answers = [each for each in events(held) if isinstance(each, ModelAnswered)]
    return [call.id for answer in answers for call in answer.calls]


def _told_apart(held: Conversation, calls: int) -> bool:
    ids = _ids(held)
    return len(ids) == calls and set(held.call_ids) == set(ids) == set(CallIds(held.log))


async def test_no_id_is_given_again_after_a_resumption_or_in_a_fork(tmp_path: Path) -> None:
    with Store.open(tmp_path / "sessions.sqlite") as store:
        held = await Conversation.start(store, toy_domain(), OneId(), ScriptedOperator())
        for turn in range(3):
            await held.say(f"what is in it, for the time number {turn}?")
        assert _told_apart(held, 3)
        middle = held.log.events[-1].seq
        again = await resumed(store, held.log.session, OneId(), ScriptedOperator())
        for turn in range(2):
            await again.say(f"and once more, {turn}?")
        assert _told_apart(again, 5)
        assert len(set(_ids(again))) == 5
        fork = await Conversation.fork(
            store, held.log.session, middle, toy_domain(), OneId(), ScriptedOperator()
        )
        assert _told_apart(fork, 3)
        await fork.say("and another way?")
        assert _told_apart(fork, 4)
        assert len(set(_ids(fork))) == 4
