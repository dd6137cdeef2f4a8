"""One stream's memory: begun once, taught once by each session, accepted by a judge that is named.

Nobody sits before a stream. Whatever is proposed is accepted, and each acceptance says so: what was
learned in a stream never looks like what a person decided.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from agent.memory.bank import Bank, Change, Origin
from agent.memory.feedback import Feedback, PolicyAgent, Regime, feedback_on
from agent.memory.keeping import change, learned_from, make_bank, open_bank
from agent.streaming.plan import Learning
from domains.core.domain import Domain, Scenario
from sessions.events import Logged
from sessions.store import memory
from sessions.store.store import Store

JUDGE = "the judge of a stream"
"""By whom proposals are accepted in a stream."""

WHY = "A stream accepts whatever is proposed; no person decided it."


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
            bank = change(self.store, bank, entries)
        return replace(bank, read_by=self.learning.read_by or "none")

    async def learn(
        self, bank: Bank, log: Sequence[Logged], scenario: Scenario, agent: PolicyAgent
    ) -> None:
        """What a session teaches, once: that it was learned from is part of the same change.

        Raises what the policy agent raises, and StoreError; then nothing of it is kept.
        """
        feedback = feedback_of(log, self.domain, scenario, self.learning)
        known = learned_from(self.store, bank)
        new = feedback.only([each for each in feedback.evidence if each.key not in known])
        if new.evidence:
            made = await agent.review(log, new, bank, self.domain)
            change(self.store, bank, list(accepted(made)))


def teaches(learning: Learning, scenario: Scenario) -> bool:
    """Whether a session of this scenario is followed by an update.

    The oracle speaks right after a parent (PolicyBank, section 6), and at no other time.
    """
    if learning.kind == "none":
        return False
    return learning.feedback != "oracle" or bool(scenario.gap and not scenario.parent)


def feedback_of(
    log: Sequence[Logged], domain: Domain, scenario: Scenario, learning: Learning
) -> Feedback:
    """What a stream's regime tells of a session of this scenario."""
    regime: Regime = learning.feedback or "reward"
    return feedback_on(
        log, domain, scenario, regime,
        explanation=scenario.explanation, clarification=clarification(domain, scenario),
    )  # fmt: skip


def clarification(domain: Domain, scenario: Scenario) -> str:
    """How the policy is to be understood where the scenario stands in a gap; else empty."""
    return next((gap.clarification for gap in domain.gaps if gap.id == scenario.gap), "")


def accepted(made: Iterable[Change]) -> Iterator[Change]:
    """The changes, each proposal followed by the judge's acceptance."""
    for each in made:
        yield each
        if each.does == "propose":
            yield Change(
                does="accept", capability=each.capability, by=JUDGE,
                origin=Origin(kind="judge", why=WHY),
            )  # fmt: skip
