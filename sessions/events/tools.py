"""Calls that change nothing, and what the agent is given back."""

from __future__ import annotations

from typing import Any, Literal

from sessions.events.base import Event
from sessions.events.memory import RETRIEVE


class ToolCalled(Event):
    """A call that changes nothing is about to run."""

    type: Literal["tool_called"] = "tool_called"
    call_id: str
    name: str
    arguments: dict[str, Any]


class ToolReturned(Event):
    """What a call gave back to the agent; also for a call that was refused before running."""

    type: Literal["tool_returned"] = "tool_returned"
    call_id: str
    name: str
    text: str
    error: bool = False
    ran: bool = True
    """False where the call was put aside unread: the customer had declined what came before."""

    customer: str | None = None
    """The customer's id, where this look-up identified one."""

    @property
    def tells_records(self) -> bool:
        """Whether it says what is on record: advice on the policy never bears a value out."""
        return self.name != RETRIEVE


class ToolJudged(Event):
    """The auxiliary model said whether a tool changes records."""

    type: Literal["tool_judged"] = "tool_judged"
    name: str
    mutating: bool
    why: str
    by: str
    declared: bool | None = None
    """What the tool says of itself, which then holds; None where it says nothing."""

    usable: bool = True
    """False where the answer was none: it is then held to change something."""
