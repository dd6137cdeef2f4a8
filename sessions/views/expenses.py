"""The tokens and costs of a session's models, by role."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields

from sessions.events import AGENT_PURPOSES, Logged, ModelAnswered, OtherModelAsked, Usage


@dataclass(frozen=True, slots=True)
class RoleExpenses:
    """What the models of one role used up."""

    answers: int = 0
    tokens: int = 0
    """Prompt and completion tokens of the answers; failed attempts report none."""

    cost: float | None = None
    """US dollars for the answers with a known price; None if there are none."""

    unpriced: int = 0
    """Tokens without a known price."""

    def __add__(self, other: RoleExpenses) -> RoleExpenses:
        """The sum of both."""
        known = [each for each in (self.cost, other.cost) if each is not None]
        return RoleExpenses(
            self.answers + other.answers,
            self.tokens + other.tokens,
            sum(known) if known else None,
            self.unpriced + other.unpriced,
        )


@dataclass(frozen=True, slots=True)
class Expenses:
    """What the models of each role used up."""

    agent: RoleExpenses = RoleExpenses()
    auxiliary: RoleExpenses = RoleExpenses()
    customer: RoleExpenses = RoleExpenses()
    judge: RoleExpenses = RoleExpenses()
    """Judging happens after the end of the session, so no session limit counts it."""

    learner: RoleExpenses = RoleExpenses()
    """The model that says what is to be remembered; it also runs after the end."""

    def __iter__(self) -> Iterator[tuple[str, RoleExpenses]]:
        """Yield each role's name and expenses."""
        return ((each.name, getattr(self, each.name)) for each in fields(self))

    def __add__(self, other: Expenses) -> Expenses:
        """The sum of both, role by role."""
        theirs = dict(other)
        return Expenses(**{who: mine + theirs[who] for who, mine in self})

    @property
    def total(self) -> RoleExpenses:
        """The sum over all roles."""
        return sum((spent for _, spent in self), RoleExpenses())


NOTHING_SPENT = Expenses()

_WHO = {"judge": "judge", "learn": "learner"}
"""The role by purpose of models outside the agent; all other purposes are the customer's."""


def expenses(events: Iterable[Logged]) -> Expenses:
    """What the models used up in these events."""
    found = {each.name: RoleExpenses() for each in fields(Expenses)}
    for logged in events:
        match logged.event:
            case ModelAnswered(purpose=purpose, usage=usage):
                who = "agent" if purpose in AGENT_PURPOSES else "auxiliary"
                found[who] += _spent_on(usage)
            case OtherModelAsked(fault="", purpose=purpose, usage=usage):
                found[_WHO.get(purpose, "customer")] += _spent_on(usage)
            case _:
                pass
    return Expenses(**found)


def _spent_on(usage: Usage) -> RoleExpenses:
    tokens = usage.prompt + usage.completion
    return RoleExpenses(1, tokens, usage.cost, tokens if usage.cost is None else 0)
