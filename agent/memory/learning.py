"""Stores the review of a session: each piece of evidence once, and all of a review or nothing.

What an agent proposes is stored in the bank, as waiting, before anyone is asked about it. A program
that is killed in between has neither learned twice nor lost what a model was paid for.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from agent.memory.bank import Bank
from agent.memory.change import Change, Origin, key_of_omission
from agent.memory.entry import one_line
from agent.memory.evidence import Evidence
from agent.memory.feedback import Feedback, PolicyAgent
from agent.memory.keeping import apply_changes, evidence_learned_from
from agent.memory.wording import is_open
from domains.core.domain import Domain
from sessions.events import Logged
from sessions.store.store import Store

PERSON = "person"
"""The author of a decision that a person made."""


def mark_imported(store: Store, feedback: Feedback, *, imported: bool = False) -> Feedback:
    """The feedback, with each piece of evidence that was imported marked with its file.

    An outcome of an imported session is marked too, whoever computes the score, because a stranger
    said which outcome is right. What a person says here about such a session is their own. If they
    say it of no card, it is only about what they name: the change that the file's task needs is
    used only with ``imported``, and then all of it is marked.
    """
    return feedback.only([_trace(store, each, imported) for each in feedback.evidence])


def _trace(store: Store, evidence: Evidence, imported: bool) -> Evidence:
    came = store.foreign_origin(evidence.session)
    unsure = 0 if came else store.events_of_unknown_origin(evidence.session)
    brought = came.events if came else unsure
    if not brought:
        return evidence
    if evidence.kind != "outcome" and evidence.seq > brought:
        if not evidence.about_no_card:
            return evidence
        if came and not imported:
            return replace(evidence, tool="", failing=(), read="", about_no_card=False)
    if unsure and not imported:
        return replace(evidence, unsure=True)
    return replace(evidence, file=one_line(came.file if came else "") or "another session file")


def feedback_to_review(
    store: Store, bank: Bank, feedback: Feedback, by: str, *,
    imported: bool = False, unsure: bool = False,
) -> Feedback:  # fmt: skip
    """The feedback about what an agent of that name has yet to review. Raises StoreError.

    Evidence that any agent learned from is done with; evidence that another agent left out, or this
    one with other feedback, is not. Evidence that was imported with a file of sessions may be
    anyone's word and does not count unless the operator says so (``imported``); what is learned
    from it states the file. The same goes for what may have been imported, unless the caller knows
    better (``unsure``).
    """
    known = evidence_learned_from(store, bank)
    feedback = mark_imported(store, feedback, imported=imported)

    def is_known(each: Evidence) -> bool:
        left = (
            key_of_omission(each.key, by, told, of_file=bool(each.file))
            for told in (feedback.regime, "")
        )
        return not known.isdisjoint((each.key, *left))

    def is_own(each: Evidence) -> bool:
        return not each.file and (unsure or not each.unsure)

    new = [each for each in feedback.evidence if not is_known(each)]
    return feedback.only([each for each in new if imported or is_own(each)])


async def learn(
    store: Store,
    bank: Bank,
    agent: PolicyAgent,
    log: Sequence[Logged],
    feedback: Feedback,
    domain: Domain,
    *,
    imported: bool = False,
) -> tuple[Bank, list[Change]]:
    """Have the agent review a session; return the bank with its waiting proposals, and the changes.

    What :func:`feedback_to_review` leaves out is skipped. Raises what the agent raises, and
    MemoryRefused if the bank was changed in the meantime: nothing is stored then.
    """
    new = await asyncio.to_thread(
        feedback_to_review, store, bank, feedback, agent.by, imported=imported
    )
    if not new.evidence:
        return bank, []
    made = await agent.review(log, new, bank, domain)
    return await asyncio.to_thread(apply_changes, store, bank, made), made


def with_acceptance(bank: Bank, made: Sequence[Change], by: str = PERSON) -> list[Change]:
    """The changes, each proposal followed by its acceptance; one with an open rule stays open."""
    found: list[Change] = []
    for each in made:
        found.append(each)
        if each.does == "propose" and not _is_open(each):
            proposal = bank.revision + len(found)
            found.append(decide(each.capability, proposal, accept=True, by=by))
    return found


def _is_open(proposed: Change) -> bool:
    return proposed.entry is not None and is_open(proposed.entry.key_insight)


def decide(capability: str, proposal: int, *, accept: bool, by: str = PERSON) -> Change:
    """The decision on the proposal of that revision; one that no person makes is a judge's."""
    return Change(
        does="accept" if accept else "refuse", capability=capability, of=proposal, by=by,
        origin=Origin(kind="person" if by == PERSON else "judge"),
    )  # fmt: skip
