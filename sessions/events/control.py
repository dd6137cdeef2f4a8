"""Control that is spent where a session needs it: how it was routed, what a guard stopped.

(Difficulty-routed control, sections 3.1 and 3.2.)
"""

from __future__ import annotations

from typing import Any, Literal

from sessions.events.base import Event
from sessions.events.models import ProposedCall

Route = Literal["simple", "complex"]

RULES, PERSON = "rules", "person"
"""Who may decide a route, beside a model by its name."""


class RouteDecided(Event):
    """The session was looked at in this turn: routine, or coupled from here on."""

    type: Literal["route_decided"] = "route_decided"
    turn: int
    label: Route
    latched: bool
    """Whether the session is held to be coupled from here on; it never is set back."""

    by: str
    """``rules``, ``person``, or the model that was asked."""

    raw: str = ""
    """What the model answered, as it stood."""

    malformed: bool = False
    """Whether that was neither label, or no answer came; the domain's own default then holds."""

    features: tuple[str, ...] = ()
    """What spoke for the label, each as a short sentence."""

    @property
    def key(self) -> str:
        """The turn, which is routed once; the person may escalate beside that, once."""
        return PERSON if self.by == PERSON else str(self.turn)


class GuardFired(Event):
    """A call went back to the agent before it was run or put on a card, with the reason."""

    type: Literal["guard_fired"] = "guard_fired"
    call_id: str
    name: str
    """The tool."""

    arguments: dict[str, Any]
    guard: str
    """What the guard looks at, in a few words."""

    why: str
    """What it found, with the record's value."""

    kind: Literal["evidence", "protocol"] = "evidence"
    """Whether what was looked up and said speaks against it, or its tool cannot be called so."""

    ends_turn: bool = False
    """Whether the person was told instead of the agent being asked once more."""


Verification = Literal["kept", "revised", "asked", "blocked", "unverified", "withheld"]
"""What became of a write that was verified before its card: it stands; other calls take its place;
the customer is asked; it is not made, because of what is on record. Where no verdict came it goes
to its card unverified; with the card off nobody would look at it, and it is withheld."""


class WriteVerified(Event):
    """A write that a coupled session proposed was held against all that was said and looked up.

    Where it does not stand, what takes its place is the agent's next answer, just before this.
    """

    type: Literal["write_verified"] = "write_verified"
    call_id: str
    """The first of the calls that were verified."""

    by: str
    """``rules``, or the model that was asked."""

    outcome: Verification
    candidates: tuple[ProposedCall, ...]
    """The calls that were proposed, in their order: the write and what comes after it."""

    instead: tuple[ProposedCall, ...] = ()
    """What takes their place, where that is calls."""

    words: str = ""
    """What the verifier said of it; where the customer is told something, that."""

    ends_turn: bool = False
    """Whether the person was told instead of the agent being asked once more."""


class AgentNudged(Event):
    """The agent asked again for a yes that it has; it is told to make the change instead.

    What it had said is in its answer, just before this, and was not put to the customer.
    """

    type: Literal["agent_nudged"] = "agent_nudged"
    text: str
    """What it is told."""
