"""Open conversations with their records, model, session file and embedder.

This module is too heavy to import for the first frame.
"""

from __future__ import annotations

import asyncio
from dataclasses import asdict, replace
from pathlib import Path

from agent.context.embedding import Embedder
from agent.gate.operator import Operator
from agent.memory.bank import Bank
from agent.memory.keeping import open_bank
from agent.models.choosing import is_clerk, make_model
from agent.models.protocol import ChatModel
from agent.session.conversation import Conversation
from console.setup import Fork, Setup
from domains import load
from domains.core.domain import Domain, Scenario
from sessions.events import Limits, RequestSettings, Safeguards
from sessions.scoring import sources
from sessions.store.forking import fork_point
from sessions.store.store import Store
from sessions.views import status


class Engine:
    """The resources that all conversations of this run share: the session file and the embedder."""

    def __init__(self, db: Path) -> None:
        """Open the session file; raises StoreError. May be called in a thread."""
        self.db = db
        self.store = Store.open(db)
        self._embedder: Embedder | None = None

    async def open(self, setup: Setup, operator: Operator) -> Conversation:
        """Start, resume or fork what `setup` names.

        Raises the errors that `console.faults` has sentences for.
        """
        if setup.fork is not None:
            return await self._fork(setup, setup.fork, operator)
        if setup.resume is not None:
            return await self._resume(setup, operator)
        domain, scenario = await asyncio.to_thread(_open_domain, setup)
        model = await asyncio.to_thread(make_model, setup.model)
        auxiliary = await _auxiliary(setup.auxiliary)
        return await Conversation.start(
            self.store,
            domain,
            model,
            operator,
            scenario=scenario,
            plays=setup.customer_id,
            safeguards=_safeguards(setup),
            limits=Limits.model_validate(asdict(setup.budget)),
            requests=RequestSettings.model_validate(dict(setup.requests)),
            data=setup.data,
            tasks=setup.tasks,
            ranker=self.ranker(),
            auxiliary=auxiliary,
            memory=await self._memory(setup),
        )

    async def _resume(self, setup: Setup, operator: Operator) -> Conversation:
        """Resume a session on its records and with its model."""
        held = status(await asyncio.to_thread(self.store.read, setup.resume or ""))
        domain = await asyncio.to_thread(
            sources.load_domain_of_session, held, setup.data, setup.tasks
        )
        if held.scenario is not None:
            await asyncio.to_thread(domain.scenario, held.scenario)  # slow at first, then cached
        model = await asyncio.to_thread(make_model, held.model)
        return await Conversation.resume(
            self.store, held.session, domain, model, operator,
            ranker=self.ranker(), auxiliary=await _auxiliary(held.auxiliary),
        )  # fmt: skip

    async def _fork(self, setup: Setup, fork: Fork, operator: Operator) -> Conversation:
        """Fork a session at an event; only the settings named in `fork` change."""
        parent = await asyncio.to_thread(self.store.read, fork.session)
        at = fork_point(parent, fork.at)
        held = status(parent[:at])
        domain = await asyncio.to_thread(
            sources.load_domain_of_session, held, setup.data, setup.tasks
        )
        model = await asyncio.to_thread(make_model, fork.model or held.model)
        return await Conversation.fork(
            self.store, fork.session, at, domain, model, operator,
            safeguards=Safeguards(**{**held.safeguards.model_dump(), **fork.switches}),
            ranker=self.ranker(), auxiliary=await _auxiliary(held.auxiliary),
        )  # fmt: skip

    async def _memory(self, setup: Setup) -> Bank | None:
        if setup.memory is None:
            return None
        bank = await asyncio.to_thread(open_bank, self.store, setup.memory)
        return replace(bank, read_by=setup.memory_by)

    def ranker(self) -> Embedder:
        """The embedding process, started when the first conversation opens."""
        if self._embedder is None:
            self._embedder = Embedder(self.db.parent / "vectors.sqlite")
            self._embedder.start()
        return self._embedder

    async def close(self) -> None:
        """Stop the embedding process and close the file; queued events are written first."""
        if self._embedder is not None:
            await self._embedder.stop()
        await asyncio.to_thread(self.store.close)


def _open_domain(setup: Setup) -> tuple[Domain, Scenario | None]:
    """Load the domain and its scenario, and compute here what is slow when first used."""
    domain = load(setup.domain, setup.data, setup.tasks)
    scenario = None if setup.scenario is None else domain.scenario(setup.scenario)
    _ = domain.base.digest, domain.tools.schemas
    return domain, scenario


async def _auxiliary(name: str | None) -> ChatModel | None:
    """The second model; None for the clerk, since it can only answer customers."""
    if name is None or is_clerk(name):
        return None
    return await asyncio.to_thread(make_model, name)


def _safeguards(setup: Setup) -> Safeguards:
    return Safeguards.model_validate(asdict(setup.switches))
