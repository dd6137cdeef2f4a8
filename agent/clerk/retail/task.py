"""What a customer of the store wants, and the conversation about it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from agent.clerk.dialogue import Dialogue
from agent.clerk.identity import Identity
from agent.clerk.remembering import Asked
from agent.clerk.retail.memory import Memory
from agent.clerk.understanding.intents import Examples, Guess
from agent.clerk.understanding.manners import data_of, reader_of
from agent.clerk.understanding.reading import Reader
from agent.clerk.understanding.wishes import Message

HERE = Path(__file__).parent

Intent = StrEnum("Intent", {name.upper(): name for name in Examples(HERE).sentences})  # type: ignore[misc]
"""The intents are the keys of ``examples.json``."""

SWAPS = frozenset({"exchange_items", "modify_items"})
"""One wish: which of the two it is follows from the order's status."""

TOOLS: dict[str, tuple[str, ...]] = {
    "cancel_order": ("cancel_pending_order",),
    "return_items": ("return_delivered_order_items",),
    "exchange_items": ("exchange_delivered_order_items", "modify_pending_order_items"),
    "modify_items": ("exchange_delivered_order_items", "modify_pending_order_items"),
    "change_order_address": ("modify_pending_order_address",),
    "change_default_address": ("modify_user_address",),
    "change_payment": ("modify_pending_order_payment",),
    "human": ("transfer_to_human_agents",),
    "other": ("transfer_to_human_agents",),
}
VERBS = {
    "cancel_order": "cancel",
    "return_items": "return",
    "exchange_items": "exchange",
    "modify_items": "change",
    "change_order_address": "change the address of",
    "change_payment": "change the payment of",
}


def manner_data() -> dict[str, Any]:
    """What ``manner.json`` holds."""
    return data_of(HERE)


def reader() -> Reader:
    """Reads a customer's messages."""
    return reader_of(HERE)


ACTS = frozenset(data_of(HERE)["acts"])


@dataclass
class Task:
    """One wish, with all that was said of it."""

    intent: Any
    """An ``Intent``; None where it is not known yet."""

    text: str
    guesses: tuple[Guess, ...] = ()
    what_if: bool = False
    notes: list[str] = field(default_factory=list)
    """What was said of it later, the oldest first."""

    beside: list[str] = field(default_factory=list)
    """Sentences of the same message that ask for nothing but may tell of it."""

    message: str = ""
    """The whole message in which it was made."""

    chosen: dict[str, str] = field(default_factory=dict)
    """What was picked from an offer, by slot."""

    context: list[str] = field(default_factory=list)
    """What was said before, of which a follow-up question takes what it leaves out."""

    items: list[str] = field(default_factory=list)
    """Ids of the items that it is about, once they were found or corrected."""

    excepted: list[str] = field(default_factory=list)
    alternatives: list[str] = field(default_factory=list)
    """Other options or payment methods, for when the first are not to be had."""

    otherwise: list[Task] = field(default_factory=list)
    limit: float | None = None
    written: list[str] = field(default_factory=list)
    closed: bool = False
    outcome: str = ""
    wait: str = ""
    give_up: bool = False

    @property
    def words(self) -> list[str]:
        """All that was said of it, the oldest first."""
        return [self.text, *self.beside, *self.notes]

    @property
    def all_words(self) -> str:
        """All that was said of it, as one text."""
        return " . ".join(self.words)

    @property
    def newest_first(self) -> list[str]:
        """What was said of it, the newest first, its whole message last."""
        return [
            *reversed(self.notes),
            self.text,
            *self.beside,
            *reversed(self.context),
            self.message,
        ]


@dataclass
class Talk(Dialogue[Task, Memory]):
    """All that the retail clerk makes of the messages."""

    memory: Memory = field(default_factory=Memory)
    identity: Identity = field(default_factory=Identity)
    last: Message | None = None
    typed: list[str] = field(default_factory=list)
    """What the customer has typed, the oldest first."""

    def changes_records(self, request: Task) -> bool:
        """Whether a task is a change or a hand-over, not a question."""
        return request.intent in ACTS | {"human", "other"} and not request.what_if

    def tools_of(self, request: Task) -> tuple[str, ...]:
        """The writes that can carry a task out."""
        return TOOLS.get(str(request.intent), ())

    def subject_of(self, asked: Asked) -> str:
        """The id of the order that a call is about, or nothing."""
        return str(asked.arguments.get("order_id") or "")

    def done(self, request: Task, asked: Asked, things: tuple[Any, ...]) -> None:
        """Note on a task that a write for it was carried out."""
        request.written.append(
            str(asked.arguments.get("order_id") or asked.arguments.get("user_id"))
        )
        request.wait = ""

    def instead_of(self, request: Task) -> list[Task]:
        """What a refused task leaves to be done in its place."""
        for each in request.otherwise:
            each.message = each.message or request.message
            each.items = each.items or request.items
            each.context = each.context or request.words
        return request.otherwise
