"""What the models of a session used up, each on its own account."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields

from sessions.events import OWN, Logged, ModelAnswered, OtherModelAsked, Usage


@dataclass(frozen=True, slots=True)
class Spent:
    """What one of them used up."""

    answers: int = 0
    tokens: int = 0
    """Prompt and completion tokens of the answers; failed attempts tell none."""

    cost: float | None = None
    """US dollars for the answers whose price is known; None where there is none of those."""

    unpriced: int = 0
    """Tokens whose price is not known."""

    def __add__(self, other: Spent) -> Spent:
        """Both together."""
        known = [each for each in (self.cost, other.cost) if each is not None]
        return Spent(
            self.answers + other.answers,
            self.tokens + other.tokens,
            sum(known) if known else None,
            self.unpriced + other.unpriced,
        )


@dataclass(frozen=True, slots=True)
class Expenses:
    """Who used up what."""

    agent: Spent = Spent()
    auxiliary: Spent = Spent()
    customer: Spent = Spent()
    judge: Spent = Spent()
    """After the end of the session, unlike those above: no limit of the session counts it."""

    learner: Spent = Spent()
    """Whoever says what is to be remembered; after the end, too."""

    def __iter__(self) -> Iterator[tuple[str, Spent]]:
        """Each by its name."""
        return ((each.name, getattr(self, each.name)) for each in fields(self))

    def __add__(self, other: Expenses) -> Expenses:
        """Both together, each on its own account."""
        theirs = dict(other)
        return Expenses(**{who: mine + theirs[who] for who, mine in self})

    @property
    def total(self) -> Spent:
        """All of them together."""
        return sum((spent for _, spent in self), Spent())


NOTHING_SPENT = Expenses()

_WHO = {"judge": "judge", "learn": "learner"}
"""Of models that are no part of the agent: who is no customer."""


def expenses(events: Iterable[Logged]) -> Expenses:
    """What was used up in these events."""
    found = {each.name: Spent() for each in fields(Expenses)}
    for logged in events:
        match logged.event:
            case ModelAnswered(purpose=purpose, usage=usage):
                who = "agent" if purpose in OWN else "auxiliary"
                found[who] += _spent_on(usage)
            case OtherModelAsked(fault="", purpose=purpose, usage=usage):
                found[_WHO.get(purpose, "customer")] += _spent_on(usage)
            case _:
                pass
    return Expenses(**found)


def _spent_on(usage: Usage) -> Spent:
    tokens = usage.prompt + usage.completion
    return Spent(1, tokens, usage.cost, tokens if usage.cost is None else 0)
