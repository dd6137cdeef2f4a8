"""How often the customer is asked for a yes, on cards and in words, for each write."""

from __future__ import annotations

from dataclasses import dataclass

from agent.headless.plan import Plan
from agent.headless.run import sessions_of
from sessions.statistics.consenting import count_asked_in_words
from sessions.statistics.facts import session_facts
from sessions.store.store import Store


@dataclass(frozen=True, slots=True)
class Asking:
    """What the customers of a run were asked."""

    writes: int
    approved: int
    """Cards that they said yes to."""

    declined: int
    """Cards that they rejected or sent back: what those would have done was not written."""

    questions: int
    """For a go-ahead in words, those that no card followed included."""

    @property
    def per_write(self) -> float:
        """How often they had to say yes to each write."""
        return (self.approved + self.questions) / self.writes

    def text(self) -> str:
        """The number, and what it is made of."""
        return (
            f"{self.per_write:.2f} ({self.approved} cards and {self.questions} questions for "
            f"{self.writes} writes; {self.declined} cards declined)"
        )


def asking(store: Store, plan: Plan) -> Asking:
    """What the logs of a run tell; ValueError where nothing was written in it."""
    writes = approved = declined = questions = 0
    for row in sessions_of(store, plan).values():
        log = store.read(row.id)
        facts = session_facts(log)
        writes += facts.writes
        approved += facts.cards.approved
        declined += facts.cards.rejected + facts.cards.changed
        questions += count_asked_in_words(log)
    if not writes:
        raise ValueError(f"the run {plan.name} wrote nothing")
    return Asking(writes, approved, declined, questions)
