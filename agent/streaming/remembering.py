"""One stream's memory: begun once, taught once by each session, accepted by a judge that is named.

Nobody sits before a stream. Whatever is proposed is accepted, and each acceptance says so: what was
learned in a stream never looks like what a person decided.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from agent.memory.bank import Bank
from agent.memory.change import Change
from agent.memory.feedback import PolicyAgent, Regime, feedback_on
from agent.memory.keeping import change, make_bank, open_bank
from agent.memory.learning import feedback_to_review, with_acceptance
from agent.streaming.examples import leave_out
from agent.streaming.plan import Learning
from domains.core.domain import Domain, Scenario
from sessions.events import Logged
from sessions.store import memory
from sessions.store.memory import MemoryRefused
from sessions.store.store import Store

JUDGE = "a stream, which accepts whatever is proposed"
"""By whom proposals are accepted where there is no person."""


@dataclass(frozen=True, slots=True)
class StreamMemory:
    """The bank of one stream, by its name."""

    store: Store
    name: str
    domain: Domain
    learning: Learning
    data: Path | None
    stream: str
    """Which stream keeps it: what no other, and no person, writes into."""

    def open(self) -> Bank | None:
        """As it stands; None where there is none yet.

        Raises MemoryRefused for one that this stream did not begin.
        """
        row = next((row for row in memory.banks(self.store) if row.name == self.name), None)
        if row is None:
            return None
        memory.refuse_other_keeper(row.name, row.stream, self.stream)
        bank = open_bank(self.store, self.name)
        return replace(bank, read_by=self.learning.read_by or "none")

    def begin(self, entries: Sequence[Change]) -> Bank:
        """Make it, with these entries."""
        empty = Bank(self.name, self.domain.name, self.domain.policy_digest, 0, {})
        made = with_acceptance(empty, entries, JUDGE)
        bank = make_bank(self.store, self.name, self.domain, self.data, made, stream=self.stream)
        return replace(bank, read_by=self.learning.read_by or "none")

    async def learn(
        self, bank: Bank, log: Sequence[Logged], scenario: Scenario, agent: PolicyAgent
    ) -> None:
        """What a session teaches, once: that it was learned from is part of the same change.

        An answer of the policy agent that is none teaches nothing, and that is kept. Raises
        ModelFault and StoreError; then nothing is.
        """
        regime: Regime = self.learning.feedback or "reward"
        told = feedback_on(log, self.domain, scenario, regime)
        # A stream's sessions are its own by their settings, whichever version recorded them.
        new = feedback_to_review(self.store, bank, told, agent.by, unsure=True)
        if not new.evidence:
            return
        try:
            made = await agent.review(log, new, bank, self.domain)
        except MemoryRefused as refused:
            made = [leave_out(each, "lesson", str(refused), agent.by) for each in new.evidence]
        made = with_acceptance(bank, made, JUDGE)
        change(self.store, bank, made, stream=self.stream)


def teaches(learning: Learning, scenario: Scenario) -> bool:
    """Whether a session of this scenario is followed by an update.

    The oracle speaks right after a parent (PolicyBank, section 6), and at no other time.
    """
    if learning.kind == "none":
        return False
    return learning.feedback != "oracle" or bool(scenario.gap and not scenario.parent)
