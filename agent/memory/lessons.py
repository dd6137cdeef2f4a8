"""Puts what the agent wants to remember of a session to a person, one proposal after the other.

Showing a proposal does not put it in force; accepting or rewriting it does. One that is left for
later waits in the memory, and one that is refused is stored as refused. Each piece of evidence
teaches a memory once.
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
from agent.memory.keeping import apply_changes, evidence_learned_from, open_bank
from agent.memory.learning import decide, feedback_to_review, learn
from agent.memory.rule_policy_agent import RulePolicyAgent
from domains.core.domain import Domain, Scenario
from sessions.events import Logged
from sessions.store.memory import MemoryRefused
from sessions.store.store import Store

Answer = Literal["accept", "edit", "refuse", "wait"]
"""The answer to a proposal; with ``edit``, what the person wrote instead is in force."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A proposal, the memory without it, and the domain that it is about."""

    bank: Bank
    change: Change
    domain: Domain


class LessonReview:
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
        """Review with ``agent``, or by rules if there is none.

        `model` is only asked if a person wants that, because it costs money.
        """
        self._store = store
        self._bank = bank
        self._domain = domain
        self._scenario = scenario
        self._agent = agent or RulePolicyAgent()
        self._model = model
        self._made: list[Change] = []
        """Proposals of the model that the person has yet to see; they wait in the memory."""

        self.left: list[Change] = []
        """Words from which the latest :meth:`next` learned nothing, each with the reason."""

    @property
    def model(self) -> str:
        """The name of the model that can be asked; empty if there is none or it was asked."""
        return "" if self._model is None else self._model.by

    async def ask_model(self, log: Sequence[Logged]) -> str:
        """Have the model propose what to remember; return the reason if it proposes nothing.

        Its proposals wait in the memory and come next. It is asked once. Raises ModelFault, and
        MemoryRefused for an answer that cannot be used; then nothing is stored.
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
        """The proposal to decide next; None if the session teaches nothing more.

        Evidence that teaches nothing is skipped, and this is not stored: another agent may learn
        from it.
        """
        bank = await asyncio.to_thread(open_bank, self._store, self._bank)
        if bank.stream is not None:
            return None  # a stream learns by itself, and from no one else
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
        """Store a proposal with its answer. Raises MemoryMoved if the memory has changed meanwhile.

        What a person wrote replaces what others made of the same words in the meantime.
        """
        made = await asyncio.to_thread(self._changes, lesson, answer, written)
        await asyncio.to_thread(apply_changes, self._store, lesson.bank, made)
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
        """The same proposal to the memory as it is by now. Raises MemoryRefused."""
        bank = await asyncio.to_thread(open_bank, self._store, self._bank)
        return replace(lesson, bank=bank)


def _waiting(bank: Bank, proposed: Change) -> Version | None:
    """The waiting proposal from the same words and about the same capability, or None."""
    about = (each for each in bank.waiting() if each.entry.capability == proposed.capability)
    same = [each for each in about if each.origin.key == proposed.key]
    return next((each for each in same if each.entry == proposed.entry), next(iter(same), None))


def decisions(
    bank: Bank, domain: Domain, proposed: Version, answer: Answer, written: Entry | None = None
) -> list[Change]:
    """The changes that a person's answer to a waiting proposal makes; none if it still waits.

    Raises MemoryRefused if what was written is the entry of another capability, or about something
    that does not exist.
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
    """The change that puts a person's own entry in force, in place of a proposal if there is one.

    Raises MemoryRefused for the name of another capability, and for a tool or a check that the
    domain does not have.
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
