"""One stream's memory: begun once, taught once by each session, accepted by a judge that is named.

Nobody sits before a stream. Whatever is proposed is accepted, and each acceptance says so: what was
learned in a stream never looks like what a person decided.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from agent.memory.bank import Bank, Change
from agent.memory.feedback import PolicyAgent, Regime, feedback_on
from agent.memory.keeping import change, make_bank, open_bank
from agent.memory.learning import accept_all, feedback_to_review
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

    def open(self) -> Bank | None:
        """As it stands; None where there is none yet, or where nothing is begun in it yet."""
        if all(row.name != self.name for row in memory.banks(self.store)):
            return None
        bank = open_bank(self.store, self.name)
        begun = bank.revision or self.learning.kind != "policybank"
        return replace(bank, read_by=self.learning.read_by or "none") if begun else None

    def begin(self, entries: Sequence[Change]) -> Bank:
        """Make it, with these entries; one that a kill left empty is begun in."""
        there = any(row.name == self.name for row in memory.banks(self.store))
        bank = (
            open_bank(self.store, self.name)
            if there
            else make_bank(self.store, self.name, self.domain, self.data)
        )
        if entries:
            bank = change(self.store, bank, list(with_acceptance(entries)))
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
        new = feedback_to_review(self.store, bank, told, agent.by)
        if not new.evidence:
            return
        try:
            made = await agent.review(log, new, bank, self.domain)
        except MemoryRefused as refused:
            made = [leave_out(each, "lesson", str(refused), agent.by) for each in new.evidence]
        change(self.store, bank, list(with_acceptance(made)))


def teaches(learning: Learning, scenario: Scenario) -> bool:
    """Whether a session of this scenario is followed by an update.

    The oracle speaks right after a parent (PolicyBank, section 6), and at no other time.
    """
    if learning.kind == "none":
        return False
    return learning.feedback != "oracle" or bool(scenario.gap and not scenario.parent)


def with_acceptance(made: Iterable[Change]) -> Iterator[Change]:
    """The changes, each proposal followed by the judge's acceptance."""
    for each in made:
        yield each
        yield from accept_all([each], by=JUDGE)
