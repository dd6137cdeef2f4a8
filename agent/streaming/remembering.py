"""One stream's memory: begun once, updated once per session, and accepted without a person.

No person watches a stream. Every proposal is accepted, and each acceptance says so, so that what a
stream learned never looks like a person's decision.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from agent.memory.bank import Bank
from agent.memory.change import Change
from agent.memory.feedback import PolicyAgent, Regime, feedback_on
from agent.memory.keeping import apply_changes, make_bank, open_bank
from agent.memory.learning import feedback_to_review, with_acceptance
from agent.streaming.examples import leave_out
from agent.streaming.plan import Learning
from domains.core.domain import Domain, Scenario
from sessions.events import Logged
from sessions.store import memory
from sessions.store.memory import MemoryRefused
from sessions.store.store import Store

JUDGE = "a stream, which accepts whatever is proposed"
"""Recorded as the one who accepted a proposal when there is no person."""


@dataclass(frozen=True, slots=True)
class StreamMemory:
    """The memory of one stream, identified by its name."""

    store: Store
    name: str
    domain: Domain
    learning: Learning
    data: Path | None
    stream: str
    """The stream that owns the memory; no other stream, and no person, may write to it."""

    def open(self) -> Bank | None:
        """The memory as it is now; None if there is none yet.

        Raises MemoryRefused if this stream did not begin it.
        """
        row = next((row for row in memory.banks(self.store) if row.name == self.name), None)
        if row is None:
            return None
        memory.check_keeper(row.name, row.stream, self.stream)
        bank = open_bank(self.store, self.name)
        return replace(bank, read_by=self.learning.read_by or "none")

    def begin(self, entries: Sequence[Change]) -> Bank:
        """Create the memory with these entries."""
        empty = Bank(self.name, self.domain.name, self.domain.policy_digest, 0, {})
        made = with_acceptance(empty, entries, JUDGE)
        bank = make_bank(self.store, self.name, self.domain, self.data, made, stream=self.stream)
        return replace(bank, read_by=self.learning.read_by or "none")

    async def learn(
        self, bank: Bank, log: Sequence[Logged], scenario: Scenario, agent: PolicyAgent
    ) -> None:
        """Learn from a session, once; the same change records that it was learned from.

        An unusable answer of the policy agent teaches nothing, and that is recorded. Raises
        ModelFault and StoreError, in which case nothing is recorded.
        """
        regime: Regime = self.learning.feedback or "reward"
        told = feedback_on(log, self.domain, scenario, regime)
        # The settings prove that the sessions are the stream's own, whatever version recorded them.
        new = feedback_to_review(self.store, bank, told, agent.by, unsure=True)
        if not new.evidence:
            return
        try:
            made = await agent.review(log, new, bank, self.domain)
        except MemoryRefused as refused:
            made = [leave_out(each, "lesson", str(refused), agent.by) for each in new.evidence]
        made = with_acceptance(bank, made, JUDGE)
        apply_changes(self.store, bank, made, stream=self.stream)


def teaches(learning: Learning, scenario: Scenario) -> bool:
    """Whether a session of this scenario is followed by an update.

    The oracle gives feedback right after a parent (PolicyBank, section 6), and at no other time.
    """
    if learning.kind == "none":
        return False
    return learning.feedback != "oracle" or bool(scenario.gap and not scenario.parent)
