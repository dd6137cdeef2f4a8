"""The operator who decides on a card: a person at a console, an auto-approver, a script."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from sessions.events import Card, Choice


@dataclass(frozen=True, slots=True)
class Decision:
    """One answer to one card."""

    choice: Choice
    words: str = ""
    """The reason, the change that is wanted, or the question."""

    milliseconds: int = 0
    """How long the card had been readable."""

    overrode: tuple[str, ...] = ()
    """Failing policy checks that were approved with a second, deliberate key press."""


class Operator(Protocol):
    """The person who decides on cards, or their stand-in."""

    @property
    def by(self) -> str:
        """Its name in the log: ``person``, ``auto``, ``rule``, ``simulated`` or ``script``."""
        ...

    async def decide(self, card: Card) -> Decision:
        """Wait for a decision; called again for the same card after a question was answered."""
        ...


class AutoApprover:
    """Approves every card, for when no one is to be asked."""

    def __init__(self, by: str = "auto") -> None:
        """``by`` is its name in the log: ``auto`` with the gate off, ``rule`` by a rule."""
        self.by = by

    async def decide(self, card: Card) -> Decision:
        """Approve, and name the failing policy checks so that the log shows what was overridden."""
        return Decision("approve", overrode=tuple(each.name for each in card.failing))
