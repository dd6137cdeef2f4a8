"""What was read of the customer's things, and letting go of a task."""

from __future__ import annotations

from agent.clerk.retail.task import Talk, Task
from agent.clerk.retail.things import Owned, owned


def things_of(talk: Talk) -> list[Owned]:
    """All items in orders that were read."""
    return owned(talk.memory.orders.values())


def drop(talk: Talk, about: Task) -> None:
    """Let go of a task, because the customer does."""
    about.closed, about.outcome = True, "dropped"
    talk.noted = True
