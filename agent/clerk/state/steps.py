"""The steps that the clerk can take next: call a tool, ask a question, or say something."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from agent.clerk.lessons.learned import Rule
from agent.clerk.state.records import call_key
from agent.clerk.state.task import Task


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call; a write also carries the task that it settles."""

    name: str
    arguments: dict[str, Any]
    task: Task | None = None
    went_by: str = ""
    """The lesson that permits the call although the policy's wording forbids it."""

    answers: tuple[Task, ...] = ()
    """The questions about a change that its card answers."""

    text: str = ""
    """What is said before a change is proposed."""

    told: tuple[tuple[Task, str], ...] = ()
    """The tasks that this settles, with their outcomes."""

    @property
    def key(self) -> str:
        """Name and arguments as text, to find out whether two calls are the same."""
        return call_key(self.name, self.arguments)


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the answers offered with a question."""

    value: str
    """What it stands for: an id, an intent, or a keyword such as ``leave``."""

    words: str
    options: dict[str, Any] = field(default_factory=dict)
    price: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Words:
    """What a question or an answer may carry besides its text."""

    forbidden: Call | None = None
    """The call that the customer asked for and the policy forbids, although the tools allow it."""

    focus: str = ""
    """The id of the order or reservation that it is about, if there is one."""

    rule: Rule | None = None
    """The rule that prevents what was asked for, if it is a check of the card."""


@dataclass(frozen=True, slots=True)
class Question(_Words):
    """A question, with the slot that its answer fills and the task that the slot belongs to."""

    text: str
    slot: str
    task: Task | None = None
    choices: tuple[Choice, ...] = ()

    lead: str = ""
    """Text before the question; it is ignored when two questions are compared."""

    keeps: tuple[str, ...] = ()
    """Ids of payment methods that were settled before and stay, whatever the answer is."""

    tail: str = ""
    """An offer shown once after the question, in case the words meant something else."""


@dataclass(frozen=True, slots=True)
class Statement(_Words):
    """An answer that settles a task in words."""

    text: str
    outcome: str
    asks: bool = False
    """Whether the text ends with an invitation of its own."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the clerk says, the tasks that this settles, and the question that it ends with."""

    text: str
    told: tuple[tuple[Task, str], ...] = ()
    ask: Question | None = None
    forbidden: Call | None = None
    focus: str = ""


class Settled(Exception):
    """Raised to end the work on a task early, because its next step is known."""

    def __init__(self, step: Call | Question | Statement) -> None:
        super().__init__(type(step).__name__)
        self.step = step


class Refused(Settled):
    """Raised to refuse a task, possibly with the order that the refusal is about."""

    def __init__(self, text: str, focus: object = "") -> None:
        super().__init__(Statement(text, "refused", focus=str(focus)))
