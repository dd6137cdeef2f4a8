"""How a session scored against its scenario."""

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
    """A text that the agent had to say, and whether one of its messages contains it."""

    model_config = ConfigDict(frozen=True)

    text: str
    said: bool


class AssertionCheck(BaseModel):
    """A statement about the conversation that only a reader can judge, with the verdict on it."""

    model_config = ConfigDict(frozen=True)

    text: str
    verdict: Literal["met", "unmet", "not judged"] = "not judged"
    why: str = ""
    """The judge's reason, or the reason why there is no verdict."""

    judge: str = ""
    """The model that judged; empty if none did."""


class Scored(Event):
    """The session was scored against its scenario when it ended.

    There are three rewards, each 0 or 1. `reward` is ours: the records are in any acceptable end
    state, everything required was said, and a requested hand-over happened. It needs no model.
    `main` and `classic` are τ²-bench's rewards, by the basis of the task and by τ²-bench's original
    basis (records and communicated information). Both accept only the task's own end state. Fields
    that were added later have defaults, so that events recorded by older versions still load.
    """

    type: Literal["scored"] = "scored"
    scenario: str
    reward: float
    records_match: bool
    """Whether the records are in one of the acceptable end states."""

    communicated: bool
    differences: tuple[str, ...] = ()
    """How the records differ from the nearest acceptable end state, in words."""

    missing: tuple[str, ...] = ()
    """What was not said, and the hand-over that did not happen, in words."""

    unconsented_writes: int = 0
    """The number of writes carried out without the customer's yes."""

    writes: int = 0
    """The number of writes carried out."""

    end: int = 0
    """The nearest acceptable end state, counted from 0; 0 is the task's own."""

    task_end: bool | None = None
    """Whether the records are in the task's own end state."""

    basis: tuple[str, ...] = ()
    """The parts of `main`, in τ²-bench's terms."""

    main: float | None = None
    """None if it depends on assertions that were not judged, and everything else passes."""

    classic: float | None = None
    cut_short: str = ""
    """τ²-bench's name for the ending, if that alone sets `main` and `classic` to 0."""

    said: tuple[SaidCheck, ...] = ()
    actions: tuple[ActionCheck, ...] = ()
    assertions: tuple[AssertionCheck, ...] = ()

    @property
    def unconsented_share(self) -> float:
        """The share of the applied writes that lacked the customer's yes, 0 to 1."""
        return self.unconsented_writes / self.writes if self.writes else 0.0
