"""A session's review, kept: each piece of evidence once, all that comes of a review or nothing.

What an agent proposes is in the bank, waiting, before anybody is asked about it: a program that is
killed in between has neither learned twice nor forgotten what a model was paid for.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent.memory.bank import Bank, Change, Origin, key_of_omission
from agent.memory.feedback import Feedback, PolicyAgent
from agent.memory.keeping import change, evidence_learned_from
from domains.core.domain import Domain
from sessions.events import Logged
from sessions.store.store import Store

PERSON = "person"
"""By whom a change is decided where it is a person."""


def feedback_to_review(store: Store, bank: Bank, feedback: Feedback, by: str) -> Feedback:
    """The feedback about what an agent of that name has yet to review; raises StoreError.

    What anybody learned from is done with; what another agent left, or this one left at another's
    word, is not.
    """
    known = evidence_learned_from(store, bank)

    def is_known(key: str) -> bool:
        left = (key_of_omission(key, by, feedback.regime), key_of_omission(key, by, ""))
        return not known.isdisjoint((key, *left))

    return feedback.only([each for each in feedback.evidence if not is_known(each.key)])


async def learn(
    store: Store,
    bank: Bank,
    agent: PolicyAgent,
    log: Sequence[Logged],
    feedback: Feedback,
    domain: Domain,
) -> tuple[Bank, list[Change]]:
    """The bank with what the agent proposes of a session, waiting to be decided, and that.

    What was learned from already is passed over. Raises what the agent raises, and MemoryRefused
    where somebody else changed the bank meanwhile: nothing is kept then.
    """
    new = feedback_to_review(store, bank, feedback, agent.by)
    if not new.evidence:
        return bank, []
    made = await agent.review(log, new, bank, domain)
    return change(store, bank, made), made


def accept_all(proposed: Sequence[Change], by: str = PERSON) -> list[Change]:
    """The changes that put these proposals into force; what was left is passed over."""
    return [decide(each, accept=True, by=by) for each in proposed if each.does == "propose"]


def decide(proposed: Change, *, accept: bool, by: str = PERSON) -> Change:
    """What becomes of a proposal; whoever decides and is no person says so."""
    return Change(
        does="accept" if accept else "refuse", capability=proposed.capability, by=by,
        origin=Origin(kind="person" if by == PERSON else "judge"),
    )  # fmt: skip
