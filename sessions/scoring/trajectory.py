"""What τ²-bench would have seen of a session: the agent's messages, its calls, how it ended.

A call counts once it ran, whether or not it failed, as it does there; one that a tool does not
exist for, or that its tool refused, is a call that failed. A change that was declined, withdrawn
or put back for another is no call: it never ran, and an export tells it as words. Nor is a call
that was put aside, because of what the customer had declined before.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from domains.core.tool import ToolCall
from sessions.events import (
    AgentSaid,
    AnyEvent,
    EndReason,
    Logged,
    ModelAnswered,
    ProposedCall,
    SessionEnded,
    ToolCalled,
    ToolReturned,
    WriteApplied,
)
from sessions.proposals import arguments_of_proposal

ENDINGS = {
    "customer": "user_stop",
    "transfer": "user_stop",
    "turn_limit": "max_steps",
    "action_limit": "max_steps",
    "token_limit": "timeout",
    "cost_limit": "timeout",
    "time_limit": "timeout",
    "fault": "agent_error",
    "agent_failure": "agent_error",
    "customer_failure": "user_error",
}
"""Why a session ended, as τ²-bench names it.

There a hand-over ends nothing by itself: its customer hangs up after it. How many failed calls a
run may have is a matter of its runner and not of its evaluator; here they end no session.
"""

COUNTED_ENDINGS = frozenset({"user_stop", "agent_stop"})
"""The endings after which τ²-bench looks at what was done; after any other the reward is 0."""


@dataclass(slots=True)
class Trajectory:
    """A session as τ²-bench's evaluator looks at it."""

    said: list[str] = field(default_factory=list)
    """The agent's messages, those beside a call and those about a card included."""

    calls: list[ToolCall] = field(default_factory=list)
    returned: list[ToolReturned | WriteApplied] = field(default_factory=list)
    """What came back of each call, in step with ``calls``."""

    ended: EndReason | None = None
    """Why the session ended; None while it has not."""

    @property
    def cut_short(self) -> str:
        """τ²-bench's name for an ending that makes its reward 0; empty for any other."""
        ending = ENDINGS[self.ended or "customer"]
        return "" if ending in COUNTED_ENDINGS else ending


def trajectory(events: Iterable[Logged]) -> Trajectory:
    """The trajectory of a session's log."""
    fold = Fold()
    for logged in events:
        fold.add(logged.event)
    return fold.found


class Fold:
    """A trajectory that grows: hand it every event once, in order."""

    def __init__(self) -> None:
        self.found = Trajectory()
        self._proposed: dict[str, ProposedCall] = {}
        self._running: dict[str, ToolCalled] = {}

    def add(self, event: AnyEvent) -> None:
        """Take the next event in."""
        match event:
            case AgentSaid() if event.text.strip():
                self.found.said.append(event.text)
            case ToolCalled():
                self._running[event.call_id] = event
            case ToolReturned():
                self._take_result(event)
            case WriteApplied():
                self._came_back(ToolCall(event.name, event.arguments), event)
            case SessionEnded():
                self.found.ended = event.reason
            case ModelAnswered(purpose="act"):
                self._proposed = {call.id: call for call in event.calls}
            case _:
                pass

    def _take_result(self, event: ToolReturned) -> None:
        called = self._running.pop(event.call_id, None)
        if called is not None:
            self._came_back(ToolCall(called.name, called.arguments), event)
            return
        arguments = arguments_of_proposal(self._proposed.get(event.call_id))
        if arguments is not None and event.ran:
            self._came_back(ToolCall(event.name, arguments), event)

    def _came_back(self, call: ToolCall, event: ToolReturned | WriteApplied) -> None:
        self.found.calls.append(call)
        self.found.returned.append(event)
