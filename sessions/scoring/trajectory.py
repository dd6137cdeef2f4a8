"""A session as τ²-bench would have seen it: the agent's messages, its calls, and how it ended.

As in τ²-bench, a call counts once it ran, whether or not it failed. A call of an unknown tool, or
one that its tool refused, counts as a failed call. A change that was rejected, withdrawn or sent
back to be changed does not count, because it never ran; an export describes it in words. Nor does a
call that was set aside because the customer had declined an earlier one.
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
"""The reasons why a session ended, with τ²-bench's names for them.

In τ²-bench a hand-over does not end a run by itself: its customer hangs up afterwards. A limit on
failed calls belongs to its runner, not to its evaluator; here failed calls never end a session.
"""

COUNTED_ENDINGS = frozenset({"user_stop", "agent_stop"})
"""The endings after which τ²-bench evaluates the run; after any other, the reward is 0."""


@dataclass(slots=True)
class Trajectory:
    """A session as τ²-bench's evaluator sees it."""

    said: list[str] = field(default_factory=list)
    """The agent's messages, including those that accompany a call or are about a card."""

    calls: list[ToolCall] = field(default_factory=list)
    returned: list[ToolReturned | WriteApplied] = field(default_factory=list)
    """The result of each call, in the same order as ``calls``."""

    ended: EndReason | None = None
    """Why the session ended; None while it has not."""

    @property
    def cut_short(self) -> str:
        """τ²-bench's name for an ending that makes its reward 0; empty for any other."""
        ending = ENDINGS[self.ended or "customer"]
        return "" if ending in COUNTED_ENDINGS else ending


def trajectory(events: Iterable[Logged]) -> Trajectory:
    """The trajectory of a session's log."""
    fold = TrajectoryBuilder()
    for logged in events:
        fold.add(logged.event)
    return fold.found


class TrajectoryBuilder:
    """Builds a trajectory step by step: pass it every event once, in order."""

    def __init__(self) -> None:
        self.found = Trajectory()
        self._proposed: dict[str, ProposedCall] = {}
        self._running: dict[str, ToolCalled] = {}

    def add(self, event: AnyEvent) -> None:
        """Add the next event to the trajectory."""
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
