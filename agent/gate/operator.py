"""Whoever decides on a card: a person at a console, an auto-approver, a script."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from sessions.events import Card, Choice


@dataclass(frozen=True, slots=True)
class Decision:
    """One answer to one card."""

    choice: Choice
    words: str = ""
    """The reason, the change wanted, or the question."""

    milliseconds: int = 0
    """How long the card had been readable."""

    overrode: tuple[str, ...] = ()
    """Failing policy checks approved with a second, deliberate key."""


class Operator(Protocol):
    """The person who must say yes (or their stand-in)."""

    @property
    def by(self) -> str:
        """How the log names them: ``person``, ``auto``, ``simulated``, ``script``."""
        ...

    async def decide(self, card: Card) -> Decision:
        """Wait for a decision; called again for the same card after a question was answered."""
        ...


class AutoApprover:
    """Says yes to everything: what stands at the gate while nobody is to be asked."""

    def __init__(self, by: str = "auto") -> None:
        """`by` is how the log names it: ``auto`` with the gate off, ``rule`` by a rule."""
        self.by = by

    async def decide(self, card: Card) -> Decision:
        """Approve, naming the policy checks that fail so that the log shows what was waved by."""
        return Decision("approve", overrode=tuple(each.name for each in card.failing))
