"""A headless session that the kill test shoots: every jar is emptied coin by coin, each with a yes.

Run as ``python -m tests.agent.kill_child FILE [SESSION]``; prints the session's id, then ``ready``,
then ``done``. The model reads the jar from the messages, so it can be taken up anywhere.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path

from agent.models.protocol import CallPiece, Finish, ModelRequest, Piece, TextPiece
from agent.session.conversation import Conversation
from sessions.events import Safeguards
from sessions.store.store import Store
from tests.agent.scripted import ScriptedOperator
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


async def _hold(path: Path, session: str | None) -> None:
    store = Store.open(path)
    domain, model = toy_domain(COINS), Emptier()
    operator = ScriptedOperator(*["approve"] * (COINS * 9))
    if session is None:
        held = await Conversation.start(
            store, domain, model, operator, safeguards=Safeguards(reflection=False)
        )
        print(held.log.session, flush=True)
        await held.say("empty the red jar")
    else:
        held = await Conversation.resume(store, session, domain, model, operator)
        print("resumed", flush=True)
        if held.status.turn == 0:
            await held.say("empty the red jar")
        else:
            await held.go_on()
    print("done", flush=True)
    store.close()


if __name__ == "__main__":
    asyncio.run(_hold(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None))
