"""How a session stood against its scenario."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from sessions.events.base import Event


class ActionCheck(BaseModel):
    """A call that a task expects of the agent, and whether the agent made it."""

    model_config = ConfigDict(frozen=True)

    name: str
    arguments: dict[str, Any]
    made: bool


class SaidCheck(BaseModel):
    """Text that the agent had to say, and whether it occurred in one of its messages."""

    model_config = ConfigDict(frozen=True)

    text: str
    said: bool


class AssertionCheck(BaseModel):
    """A statement about the conversation that only a reader can judge, and what one said."""

    model_config = ConfigDict(frozen=True)

    text: str
    verdict: Literal["met", "unmet", "not judged"] = "not judged"
    why: str = ""
    """The judge's reason, or why there is no verdict."""

    judge: str = ""
    """The model that judged; empty where none did."""


class Scored(Event):
    """How the session stood against its scenario when it ended.

    Three rewards, each 0 or 1. `reward` is ours: the records stand at any acceptable end, all
    that had to be said was said, and a hand-over that was asked for happened; no model is needed
    for it. `main` and `classic` are what τ²-bench gives, by the basis of the task and by its
    first one (records and communicated information); both know one end only, the task's own.
    What was added later has defaults, so that what an older version recorded still reads.
    """

    type: Literal["scored"] = "scored"
    scenario: str
    reward: float
    records_match: bool
    """The records stand at one of the acceptable ends."""

    communicated: bool
    differences: tuple[str, ...] = ()
    """What separates the records from the nearest acceptable end, in words."""

    missing: tuple[str, ...] = ()
    """What was not said, and the hand-over that did not happen, in words."""

    unconsented_writes: int = 0
    """Writes that were carried out without the customer's yes."""

    writes: int = 0
    """Writes that were carried out."""

    end: int = 0
    """Which of the acceptable ends is the nearest, counted from 0; 0 is the task's own."""

    task_end: bool | None = None
    """The records stand at the task's own end."""

    basis: tuple[str, ...] = ()
    """What `main` is made of, in τ²-bench's terms."""

    main: float | None = None
    """None where it needs assertions that were not judged, and nothing else fails."""

    classic: float | None = None
    cut_short: str = ""
    """τ²-bench's name for the way it ended, where that alone makes `main` and `classic` 0."""

    said: tuple[SaidCheck, ...] = ()
    actions: tuple[ActionCheck, ...] = ()
    assertions: tuple[AssertionCheck, ...] = ()

    @property
    def unconsented_share(self) -> float:
        """The share of the writes that were carried out without the customer's yes, 0 to 1."""
        return self.unconsented_writes / self.writes if self.writes else 0.0
