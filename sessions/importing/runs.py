"""The common form of a recorded run, whichever program it comes from."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from sessions.cleaning import clean
from sessions.events import AssertionCheck, EndReason, ProposedCall, RecordedChecks, Usage

STOP = "###STOP###"
"""The text with which a simulated customer hangs up; it is not part of the conversation."""


@dataclass(frozen=True, slots=True)
class Customer:
    """A message from the customer; the text is empty if they only hung up."""

    text: str
    usage: Usage = field(default_factory=Usage)
    """The usage of the model that played the customer, if the file gives it."""

    at: str = ""
    """The time according to the file, here and in the classes below."""


@dataclass(frozen=True, slots=True)
class Agent:
    """One answer of the agent: words, calls, or both."""

    text: str
    calls: tuple[ProposedCall, ...] = ()
    spoken: bool = True
    """Whether the text counts as said to the customer."""

    usage: Usage = field(default_factory=Usage)
    reasoning: str = ""
    """The model's reasoning before the answer."""

    milliseconds: int = 0
    """How long the model took, if the file says so."""

    at: str = ""


@dataclass(frozen=True, slots=True)
class Returned:
    """The result of a call."""

    call_id: str
    text: str
    at: str = ""


Step = Customer | Agent | Returned


@dataclass(frozen=True, slots=True)
class Run:
    """One conversation from a file of another program."""

    source: Literal["tau1", "tau2"]
    original: str
    task_id: str
    model: str
    steps: tuple[Step, ...]
    ended: EndReason
    ending: str
    digest: str
    task: dict[str, Any] | None = None
    """The task in τ²-bench's form; None if the file does not give it."""

    trial: int | None = None
    recorded_reward: float | None = None
    verdicts: tuple[AssertionCheck, ...] = ()
    began: str = ""
    finished: str = ""
    seconds: float | None = None
    agent: str = ""
    """The name of the agent, in addition to its model."""

    customer: str = ""
    """The customer that the task is about, as an id in the records, if the file says so."""

    checks: RecordedChecks = field(default_factory=RecordedChecks)
    checks_of: str = ""
    """The task that the recorded checks belong to, if it is not the one named; otherwise empty."""

    customer_model: str = ""
    """The model that played the customer, if the file says so."""

    most_turns: int = 30


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A run that cannot be turned into a session, and why."""

    original: str
    why: str


def iso_time_or_empty(written: Any) -> str:
    """The time from a file if it is valid ISO 8601; otherwise empty."""
    told = clean(written) if isinstance(written, str) else ""
    try:
        datetime.fromisoformat(told)
    except ValueError:
        return ""
    return told


def clean_words(text: str | None) -> str:
    """The text of a message, without terminal control characters and the stop sign."""
    return clean(text or "").replace(STOP, "").rstrip()
