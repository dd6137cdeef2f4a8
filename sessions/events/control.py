"""Control effort where a session needs it: routing decisions, guards, and verified writes.

(Difficulty-routed control, sections 3.1 and 3.2.)
"""

from __future__ import annotations

from typing import Any, Literal

from sessions.events.base import Event
from sessions.events.models import ProposedCall

Route = Literal["simple", "complex"]

RULES, PERSON = "rules", "person"
"""The two deciders of a route that are not models; a model is named instead."""


class RouteDecided(Event):
    """The session was classified in this turn as routine, or as coupled from here on."""

    type: Literal["route_decided"] = "route_decided"
    turn: int
    label: Route
    latched: bool
    """Whether this decision makes the session coupled from here on, which is never undone."""

    by: str
    """``rules``, ``person``, or the name of the model that was asked."""

    raw: str = ""
    """The model's answer, verbatim."""

    malformed: bool = False
    """Whether the answer was missing or neither label, so that the domain's default applied."""

    features: tuple[str, ...] = ()
    """The reasons for the label, each a short sentence."""

    @property
    def key(self) -> str:
        """The idempotency key: one routing per turn, and one escalation by the person."""
        return PERSON if self.by == PERSON else str(self.turn)


class GuardFired(Event):
    """A call was returned to the agent with a reason before it was run or put on a card."""

    type: Literal["guard_fired"] = "guard_fired"
    call_id: str
    name: str
    """The name of the tool."""

    arguments: dict[str, Any]
    guard: str
    """What the guard checks, in a few words."""

    why: str
    """What it found, including the record's value."""

    kind: Literal["evidence", "protocol"] = "evidence"
    """Whether what was looked up or said contradicts the call, or the tool rejects such a call."""

    ends_turn: bool = False
    """Whether the customer was told instead of the agent being asked again."""


Verification = Literal["kept", "revised", "asked", "blocked", "unverified", "withheld"]
"""The outcome for a write that was verified before its card.

``kept``: it stands. ``revised``: other calls take its place. ``asked``: the customer is asked.
``blocked``: it is not made, because of the records. If no verdict came back, the write goes to its
card as ``unverified``, or is ``withheld`` if the gate is off, because no one would review it.
"""


class WriteVerified(Event):
    """A coupled session's proposed write was compared with everything said and looked up.

    If the write does not stand, its replacement is the agent's next answer, logged just before
    this.
    """

    type: Literal["write_verified"] = "write_verified"
    call_id: str
    """The id of the first call that was verified."""

    by: str
    """``rules``, or the name of the model that was asked."""

    outcome: Verification
    candidates: tuple[ProposedCall, ...]
    """The proposed calls in order: the write and the calls after it."""

    instead: tuple[ProposedCall, ...] = ()
    """The calls that replace them, if the replacement consists of calls."""

    words: str = ""
    """The verifier's explanation, or the message to the customer if there is one."""

    ends_turn: bool = False
    """Whether the customer was told instead of the agent being asked again."""


class AgentNudged(Event):
    """The agent asked again for a yes it already has, and is told to make the change instead.

    What it had said is in its answer, just before this event, and was not shown to the customer.
    """

    type: Literal["agent_nudged"] = "agent_nudged"
    text: str
    """The message to the agent."""
