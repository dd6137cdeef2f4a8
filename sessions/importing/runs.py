"""What a recorded run of another program comes down to, whichever program it was."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from sessions.cleaning import clean
from sessions.events import AssertionCheck, EndReason, ProposedCall, RecordedChecks, Usage

STOP = "###STOP###"
"""What a simulated customer says in place of hanging up; it is no word of the conversation."""


@dataclass(frozen=True, slots=True)
class Customer:
    """Words of the customer; none where they only hung up."""

    text: str
    usage: Usage = field(default_factory=Usage)
    """Of the model that played them, where the file says."""

    at: str = ""
    """When, as the file has it; so too below."""


@dataclass(frozen=True, slots=True)
class Agent:
    """One answer of the agent: words, calls, or both."""

    text: str
    calls: tuple[ProposedCall, ...] = ()
    spoken: bool = True
    """Whether the words count as said to the customer."""

    usage: Usage = field(default_factory=Usage)
    reasoning: str = ""
    """Thoughts that the model wrote before it."""

    milliseconds: int = 0
    """How long the model took, where the file says."""

    at: str = ""


@dataclass(frozen=True, slots=True)
class Returned:
    """What a call gave back."""

    call_id: str
    text: str
    at: str = ""


Step = Customer | Agent | Returned


@dataclass(frozen=True, slots=True)
class Run:
    """One conversation as a file of another program has it."""

    source: Literal["tau1", "tau2"]
    original: str
    task_id: str
    model: str
    steps: tuple[Step, ...]
    ended: EndReason
    ending: str
    digest: str
    task: dict[str, Any] | None = None
    """The task in τ²-bench's form; None where the file does not say what was to be done."""

    trial: int | None = None
    recorded_reward: float | None = None
    verdicts: tuple[AssertionCheck, ...] = ()
    began: str = ""
    finished: str = ""
    seconds: float | None = None
    agent: str = ""
    """What the agent is called, besides its model."""

    customer: str = ""
    """Whom the task is about, where the file says: an id in the records."""

    checks: RecordedChecks = field(default_factory=RecordedChecks)
    checks_of: str = ""
    """The task that the recorded checks are of, where it is another than the one named."""

    customer_model: str = ""
    """Which model played the customer, where the file says."""

    most_turns: int = 30


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A run that cannot be made a session."""

    original: str
    why: str


def moment(written: Any) -> str:
    """A time as a file has it, if it is one by ISO 8601; else nothing."""
    told = clean(written) if isinstance(written, str) else ""
    try:
        datetime.fromisoformat(told)
    except ValueError:
        return ""
    return told


def words(text: str | None) -> str:
    """What was said, without what would act on a terminal and without the sign to stop."""
    return clean(text or "").replace(STOP, "").rstrip()
