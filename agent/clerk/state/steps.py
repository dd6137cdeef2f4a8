"""What the clerk can do next: call a tool, ask for something, or tell something."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from agent.clerk.lessons.learned import Rule
from agent.clerk.state.task import Task


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call; for a write, with the task that it settles."""

    name: str
    arguments: dict[str, Any]
    request: Task | None = None
    went_by: str = ""
    """What was learned that lets it be made though the policy's words forbid it."""

    @property
    def key(self) -> str:
        """Name and arguments as text, to tell whether it is the same call."""
        return f"{self.name}:{json.dumps(self.arguments, sort_keys=True, default=str)}"


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the answers offered with a question."""

    value: str
    """An id: of an item, an order, a payment method."""

    words: str
    options: dict[str, Any] = field(default_factory=dict)
    price: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    """What any words to the customer may tell beside themselves."""

    forbidden: Call | None = None
    """What the customer asked for and policy forbids, though the tools would do it."""

    focus: str = ""
    """The order or reservation that they are about, where they are about one."""

    rule: Rule | None = None
    """What stands in the way of what was asked for, where a check of the card does."""


@dataclass(frozen=True, slots=True)
class Ask(_Said):
    """A question, and which slot of which request its answer fills."""

    text: str
    slot: str
    request: Task | None = None
    choices: tuple[Choice, ...] = ()

    lead: str = ""
    """What is told before the question; a question is the same with another lead."""

    keeps: tuple[str, ...] = ()
    """What was settled before and stays, whatever is answered."""

    tail: str = ""
    """What is offered after it once, where the words may have meant something else."""


@dataclass(frozen=True, slots=True)
class Tell(_Said):
    """Something that settles a request in words."""

    text: str
    outcome: str
    asks: bool = False
    """Whether the words end with an invitation of their own."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Words to the customer, the requests they settle, and the question they end with."""

    text: str
    told: tuple[tuple[Task, str], ...] = ()
    ask: Ask | None = None
    forbidden: Call | None = None
    focus: str = ""
    """The order or reservation that was spoken of last, where there was one."""


class Settled(Exception):
    """Cuts the work on a request short: the next step is known."""

    def __init__(self, step: Call | Ask | Tell) -> None:
        super().__init__(type(step).__name__)
        self.step = step


class Refused(Settled):
    """Cuts the work on a request short: it is refused, maybe in view of one order."""

    def __init__(self, text: str, focus: object = "") -> None:
        super().__init__(Tell(text, "refused", focus=str(focus)))
