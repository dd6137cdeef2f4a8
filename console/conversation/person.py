"""The person at the console as the engine knows them: whoever decides on a card."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from agent.gate.operator import Decision
    from sessions.events import Card


class Desktop(Protocol):
    """Whatever can put a card before the person and wait for their word."""

    async def decide(self, card: Card) -> Decision:
        """Show the card until it is decided; cancelling takes it away undecided."""
        ...


class Person:
    """An operator (agent.gate.operator) that is handed its screen once there is one."""

    by = "person"

    def __init__(self) -> None:
        self.desktop: Desktop | None = None
        self._ticked: dict[str, set[str]] = {}

    def ticked(self, session: str) -> set[str]:
        """The lines of the role that the person has ticked off, to read and to change.

        A bookmark of whoever plays, kept while the program runs. It is no part of what happened
        in the session, so the log does not have it.
        """
        return self._ticked.setdefault(session, set())

    async def decide(self, card: Card) -> Decision:
        """Wait for the person's decision on this card."""
        if self.desktop is None:
            raise RuntimeError("a card came before the screen that could show it")
        return await self.desktop.decide(card)
