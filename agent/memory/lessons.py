"""What the agent wants to remember of a session, one thing after the other, for a person to decide.

Nothing is in force by being shown: a proposal that is accepted or written anew is; one that is left
for later waits in the memory; one that is refused is kept as that. Each piece of evidence teaches a
memory once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from agent.memory.bank import Bank, Version
from agent.memory.change import Change, Origin
from agent.memory.entry import Entry
from agent.memory.feedback import PolicyAgent, feedback_on
from agent.memory.fitting import refuse_unfit
from agent.memory.keeping import change, evidence_learned_from, open_bank
from agent.memory.learning import decide, feedback_to_review, learn
from agent.memory.rule_policy_agent import RulePolicyAgent
from domains.core.domain import Domain, Scenario
from sessions.events import Logged
from sessions.store.memory import MemoryRefused
from sessions.store.store import Store

Answer = Literal["accept", "edit", "refuse", "wait"]
"""What becomes of a proposal; ``edit``: what the person wrote in its place is in force."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A proposal, the memory as it stands without it, and the domain that it is about."""

    bank: Bank
    change: Change
    domain: Domain


class LessonDesk:
    """The proposals of one session to one memory, each in view of what was decided before it."""

    def __init__(
        self,
        store: Store,
        bank: str,
        domain: Domain,
        scenario: Scenario | None,
        agent: PolicyAgent | None = None,
        model: PolicyAgent | None = None,
    ) -> None:
        """`agent` says what is to be remembered; rules do where there is none.

        `model` is asked only where a person wants that: it costs.
        """
        self._store = store
        self._bank = bank
        self._domain = domain
        self._scenario = scenario
        self._agent = agent or RulePolicyAgent()
        self._model = model
        self._made: list[Change] = []
        """What the model proposed that is yet to be put to the person; it waits in the memory."""

        self.left: list[Change] = []
        """What somebody's words taught nothing of, when last asked for, each with the reason."""

    @property
    def model(self) -> str:
        """Who can be asked; empty where nobody can, or was already."""
        return "" if self._model is None else self._model.by

    async def ask_model(self, log: Sequence[Logged]) -> str:
        """Have the model propose what is to be remembered; why it would be nothing, if so.

        What it proposes waits in the memory and comes next. It is asked once. Raises ModelFault,
        and MemoryRefused for an answer that is none; then nothing is kept.
        """
        agent, self._model = self._model, None
        if agent is None:
            return ""
        bank = await asyncio.to_thread(open_bank, self._store, self._bank)
        told = feedback_on(log, self._domain, self._scenario, "person")
        _, made = await learn(self._store, bank, agent, log, told, self._domain)
        self._made = [each for each in made if each.does == "propose"]
        return "" if self._made or not made else made[-1].origin.why

    async def next(self, log: Sequence[Logged]) -> Lesson | None:
        """What is to be decided next; None where the session teaches nothing more.

        What teaches nothing is passed over and not kept as that: another agent may learn from it.
        """
        bank = await asyncio.to_thread(open_bank, self._store, self._bank)
        if bank.stream is not None:
            return None  # which learns by itself, and from nobody else
        for proposed in self._made:
            if _waiting(bank, proposed) is not None:
                return Lesson(bank, proposed, self._domain)
        told = feedback_on(log, self._domain, self._scenario, "person")
        new = await asyncio.to_thread(feedback_to_review, self._store, bank, told, self._agent.by)
        self.left = []
        for each in new.evidence:
            made = await self._agent.review(log, new.only([each]), bank, self._domain)
            for proposed in made:
                if proposed.does == "propose":
                    return Lesson(bank, proposed, self._domain)
                if proposed.origin.words:
                    self.left.append(proposed)
        return None

    async def settle(self, lesson: Lesson, answer: Answer, written: Entry | None = None) -> None:
        """Keep a proposal with its answer; raises MemoryMoved where the memory has moved on.

        What a person wrote is kept in place of what others made of the same words meanwhile.
        """
        made = await asyncio.to_thread(self._changes, lesson, answer, written)
        await asyncio.to_thread(change, self._store, lesson.bank, made)
        self._made = [each for each in self._made if each != lesson.change]

    def _changes(self, lesson: Lesson, answer: Answer, written: Entry | None) -> list[Change]:
        bank, proposed, domain = lesson.bank, lesson.change, lesson.domain
        waits = _waiting(bank, proposed)
        if waits is not None and proposed in self._made:
            return decisions(bank, domain, waits, answer, written)
        if answer != "edit" or written is None or not self._is_known(lesson):
            after = bank.after([proposed])
            return [proposed, *decisions(after, domain, after.waiting()[-1], answer, written)]
        return [write_by_hand(bank, domain, proposed.capability, written, waits)]

    def _is_known(self, lesson: Lesson) -> bool:
        return lesson.change.key in evidence_learned_from(self._store, lesson.bank)

    async def look_again(self, lesson: Lesson) -> Lesson:
        """The same proposal to the memory as it stands by now; raises MemoryRefused."""
        bank = await asyncio.to_thread(open_bank, self._store, self._bank)
        return replace(lesson, bank=bank)


def _waiting(bank: Bank, proposed: Change) -> Version | None:
    """What waits in a bank of the same words about the same capability, whoever proposed it."""
    about = (each for each in bank.waiting() if each.entry.capability == proposed.capability)
    same = [each for each in about if each.origin.key == proposed.key]
    return next((each for each in same if each.entry == proposed.entry), next(iter(same), None))


def decisions(
    bank: Bank, domain: Domain, proposed: Version, answer: Answer, written: Entry | None = None
) -> list[Change]:
    """What a person made of a proposal that waits in a bank; none where it goes on waiting.

    Raises MemoryRefused where what was written is another's entry, or about what there is not.
    """
    if answer == "edit" and written is not None:
        return [write_by_hand(bank, domain, proposed.entry.capability, written, proposed)]
    if answer in ("accept", "refuse"):
        name, revision = proposed.entry.capability, proposed.revision
        return [decide(name, revision, accept=answer == "accept")]
    return []


def write_by_hand(
    bank: Bank, domain: Domain, capability: str, entry: Entry, instead: Version | None = None
) -> Change:
    """The change that puts a person's own entry into force, in place of a proposal if any.

    Raises MemoryRefused for another's name, and for a tool or check that the domain has not.
    """
    if entry.capability != capability:
        raise MemoryRefused(f"This is the entry of {entry.capability}, not of {capability}.")
    found = bank.capabilities.get(capability)
    known = None if found is None else instead or next(reversed(found.versions), found.latest)
    if known is not None and known.entry.tool != entry.tool:
        raise MemoryRefused(f"{capability} is about {known.entry.tool}; its tool stays the same.")
    refuse_unfit(entry, domain)
    origin = Origin(kind="person")
    return Change(
        does="edit", capability=capability, entry=entry, origin=origin, by="person",
        of=0 if instead is None else instead.revision,
    )  # fmt: skip
