"""A headless session that the kill test shoots: every jar is emptied coin by coin, each with a yes.

It tells the session's id, and at its end ``done``. The model reads the jar from the messages, so it
can be taken up anywhere.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

from agent.models.protocol import CallPiece, Finish, ModelRequest, Piece, TextPiece
from agent.session.conversation import Conversation
from sessions.events import Safeguards
from sessions.store.store import Store
from tests.agent.scripted import ScriptedOperator
from tests.agent.victims import Tell
from tests.toy import toy_domain

COINS = 6


class Emptier:
    """A model that takes one coin out of the red jar until it has taken as many as it was told."""

    name = "emptier"

    async def stream(self, request: ModelRequest) -> AsyncIterator[Piece]:
        taken = sum(
            message["role"] == "tool" and str(message["content"]).startswith('{"coins"')
            for message in request.messages
        )
        await asyncio.sleep(0.001)
        if taken < COINS:
            used = sum(len(message.get("tool_calls") or ()) for message in request.messages)
            yield CallPiece(0, f"call-{used}", "take", '{"jar": "red", "coins": 1}')
            yield Finish("tool_calls")
        else:
            yield TextPiece("The jar is empty.")
            yield Finish("stop")


def hold(tell: Tell, path: Path, session: str | None) -> None:
    """Hold a session to its end, or take one up."""
    asyncio.run(_hold(tell, path, session))


async def _hold(tell: Tell, path: Path, session: str | None) -> None:
    domain, model = toy_domain(COINS), Emptier()
    operator = ScriptedOperator(*["approve"] * (COINS * 9))
    with Store.open(path) as store:
        if session is None:
            safeguards = Safeguards(reflection=False)
            held = await Conversation.start(store, domain, model, operator, safeguards=safeguards)
        else:
            held = await Conversation.resume(store, session, domain, model, operator)
        tell(held.log.session)
        await (held.go_on() if held.status.turn else held.say("empty the red jar"))
        tell("done")
