"""What a recorded session is taken up again with, where its log ends or, in a fork, earlier.

``Conversation.resume`` and ``Conversation.fork`` (``agent.session.conversation``) record that it
goes on; ``agent.next_step`` then derives from the log what comes next, a card that was waiting
included.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agent.memory.bank import Bank
from agent.memory.retrieval import recall, with_memory_lookup
from agent.session.wording import equip, wording_of
from domains.core.domain import Domain, Scenario
from domains.core.records import Records
from domains.core.wording import Wording
from sessions.events import Logged, Noted
from sessions.scoring import records_of
from sessions.scoring.imported import scenario_of
from sessions.store.store import Store
from sessions.views import SessionStatus

CHANGED = "The scenario has changed since this session began, so its scoring may be different now."

WORDED_OTHERWISE = (
    "The installed τ²-bench describes the agent's task differently from when this session began."
)


@dataclass(frozen=True)
class Recorded:
    """What a session goes on with: its domain as equipped for it, records, memory and role."""

    domain: Domain
    records: Records
    memory: Bank | None
    scenario: Scenario | None
    held: SessionStatus

    async def what_changed(self) -> tuple[Noted, ...]:
        """A remark on each thing that is different from when the session began."""
        wording = await asyncio.to_thread(wording_of, self.domain, self.held.requests)
        return tuple(what_changed(self.held, self.scenario, wording))


async def read_recorded(
    store: Store, domain: Domain, held: SessionStatus, whole: Sequence[Logged], end: int
) -> Recorded:
    """Read what a session goes on with after the first `end` events of its log.

    Raises RecordsMismatch if the domain's records are not those that the session was held on.
    """
    scenario = scenario_of(domain, held.scenario, whole)
    domain = equip(domain, held.requests)
    memory = await asyncio.to_thread(recall, store, held.session, held.memory)
    domain = with_memory_lookup(domain, memory)
    return Recorded(domain, records_of(domain, whole[:end]), memory, scenario, held)


def what_changed(
    held: SessionStatus, scenario: Scenario | None, wording: Wording
) -> Iterator[Noted]:
    """Yield a remark on each thing that has changed since the session began."""
    if scenario is not None and held.scenario_digest not in (None, scenario.digest):
        yield Noted(text=CHANGED)
    if held.wording_digest not in ("", wording.digest):
        yield Noted(text=WORDED_OTHERWISE)
