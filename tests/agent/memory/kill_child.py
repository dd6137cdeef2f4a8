"""A memory that is updated session after session, for the kill test to shoot.

A policy agent adds two entries for each session, and they are accepted; it tells ``ready``, and at
its end ``done``.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

from agent.memory.feedback import feedback_on
from agent.memory.keeping import apply_changes, open_bank
from agent.memory.learning import decide, learn
from agent.memory.model_policy_agent import ModelPolicyAgent
from agent.models.protocol import Finish, ModelRequest, Piece, TextPiece
from sessions.log import Log
from sessions.store.store import Store
from tests.agent.victims import Tell
from tests.sessions.toy import toy


class Reviewer:
    """A model that remembers what it was told, under a name of its own."""

    name = "reviewer"

    async def stream(self, request: ModelRequest) -> AsyncIterator[Piece]:
        told = json.loads(request.messages[1]["content"])["feedback"]["evidence"][0]["words"]
        entry = {
            "evidence": 1, "operation": "add", "capability": f"cancel_{told}", "tool": "cancel",
            "trigger": "asked", "key_insight": told, "gap": "missing exception",
        }  # fmt: skip
        found = {
            "success": False,
            "failure": "alignment",
            "reasons": "So.",
            "entries": [entry, entry | {"capability": f"other_{told}"}],
        }
        await asyncio.sleep(0.002)
        yield TextPiece(json.dumps(found))
        yield Finish("stop")


def update(tell: Tell, path: Path) -> None:
    """Learn from every session what is left to be learned, and accept it."""
    asyncio.run(_update(tell, path))


async def _update(tell: Tell, path: Path) -> None:
    domain = toy()
    with Store.open(path) as store:
        tell("ready")
        for row in reversed(store.sessions()):
            log = await Log.open(store, row.id)
            bank = open_bank(store, None)
            said = feedback_on(log.events, domain, None, "person")
            agent = ModelPolicyAgent(Reviewer(), log.append)
            bank, _ = await learn(store, bank, agent, log.events, said, domain)
            for each in bank.waiting():
                made = decide(each.entry.capability, each.revision, accept=True)
                bank = apply_changes(store, bank, [made])
    tell("done")
