"""What the clerk can do next: call a tool, ask for something, or tell something."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from agent.clerk.requests import Request, Thing


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call; for a write, with the request and items it settles."""

    name: str
    arguments: dict[str, Any]
    request: Request | None = None
    things: tuple[Thing, ...] = ()

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


@dataclass(frozen=True, slots=True)
class Ask:
    """A question, and which slot of which request its answer fills."""

    text: str
    slot: str
    request: Request | None = None
    thing: Thing | None = None
    choices: tuple[Choice, ...] = ()
    forbidden: Call | None = None
    """What the customer asked for and policy forbids, though the tools would do it."""

    order_id: str = ""
    """The order that the question is about, where it is about one."""


@dataclass(frozen=True, slots=True)
class Tell:
    """Something that settles a request in words."""

    text: str
    outcome: str
    forbidden: Call | None = None
    asks: bool = False
    """Whether the words end with an invitation of their own."""

    order_id: str = ""
    """The order that it tells of, where it tells of one."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Words to the customer, the requests they settle, and the question they end with."""

    text: str
    told: tuple[tuple[Request, str], ...] = ()
    ask: Ask | None = None
    forbidden: Call | None = None
    order_id: str = ""
    """The order that was spoken of last, where there was one."""


class Settled(Exception):
    """Cuts the work on a request short: the next step is known."""

    def __init__(self, step: Call | Ask | Tell) -> None:
        super().__init__(type(step).__name__)
        self.step = step
