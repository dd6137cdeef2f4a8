"""Hold a conversation in a test: a store on a real file, a toy domain, scripts on both sides."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from agent.gate.operator import Operator
from agent.models.protocol import ChatModel
from agent.session.conversation import Conversation
from domains.core.domain import Domain
from sessions.events import AnyEvent, Safeguards
from sessions.store.store import Store
from tests.toy import toy_domain

NO_REFLECTION = Safeguards(reflection=False)


@asynccontextmanager
async def conversation(
    folder: Path,
    model: ChatModel,
    operator: Operator,
    *,
    domain: Domain | None = None,
    safeguards: Safeguards = NO_REFLECTION,
    scenario: str | None = None,
) -> AsyncIterator[Conversation]:
    """A fresh conversation in a store of its own; the store is closed afterwards."""
    domain = domain or toy_domain()
    store = Store.open(folder / "sessions.sqlite")
    try:
        yield await Conversation.start(
            store,
            domain,
            model,
            operator,
            safeguards=safeguards,
            scenario=domain.scenario(scenario) if scenario else None,
        )
    finally:
        store.close()


async def resumed(store: Store, session: str, model: ChatModel, operator: Operator) -> Conversation:
    """The same session taken up by another run of the program."""
    return await Conversation.resume(store, session, toy_domain(), model, operator)


def events(held: Conversation) -> list[AnyEvent]:
    """What the log holds, without places and times."""
    return [logged.event for logged in held.log.events]


def types(held: Conversation) -> list[str]:
    """The names of what happened, in order."""
    return [event.type for event in events(held)]


def coins(held: Conversation, jar: str = "red") -> int:
    """How many coins a jar holds now."""
    record = held.records.get("jars", jar)
    assert record is not None
    return int(record["coins"])
