"""Calls that change nothing, and the results that the agent receives."""

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
    """A call returned a result to the agent, or was refused before it ran."""

    type: Literal["tool_returned"] = "tool_returned"
    call_id: str
    name: str
    text: str
    error: bool = False
    ran: bool = True
    """False if the call was set aside unread, because the customer had declined an earlier one."""

    customer: str | None = None
    """The customer's id, if this look-up identified one."""

    @property
    def tells_records(self) -> bool:
        """Whether the result reports records; advice on the policy never supports a value."""
        return self.name != RETRIEVE


class ToolJudged(Event):
    """The auxiliary model judged whether a tool changes records."""

    type: Literal["tool_judged"] = "tool_judged"
    name: str
    mutating: bool
    why: str
    by: str
    declared: bool | None = None
    """What the tool declares about itself, which then holds; None if it declares nothing."""

    usable: bool = True
    """False if the answer was unusable; the tool then counts as changing records."""
