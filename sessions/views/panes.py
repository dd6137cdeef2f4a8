"""The contents of the side panes: the reflections, routes, guards, and the context of each turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sessions.events import (
    AgentNudged,
    ContextAssembled,
    CustomerSaid,
    GuardFired,
    Logged,
    ModelAnswered,
    ReflectionWritten,
    RouteDecided,
    WriteVerified,
)


@dataclass(frozen=True, slots=True)
class Reflection:
    """A reminder, and what the agent proposed after it."""

    seq: int
    turn: int
    written: ReflectionWritten
    answer: ModelAnswered | None = None
    """The agent's next answer; None if there is none yet."""


def reflections(events: Sequence[Logged]) -> list[Reflection]:
    """Every reflection of the session, in order."""
    found: list[Reflection] = []
    turn = 0
    for logged in events:
        match logged.event:
            case CustomerSaid():
                turn = logged.event.turn
            case ReflectionWritten():
                found.append(Reflection(logged.seq, turn, logged.event))
            case ModelAnswered(purpose="act") if found and found[-1].answer is None:
                found[-1] = replace(found[-1], answer=logged.event)
            case _:
                pass
    return found


def routes(events: Sequence[Logged]) -> list[RouteDecided]:
    """The routing decisions of the session, turn by turn."""
    return [logged.event for logged in events if isinstance(logged.event, RouteDecided)]


def blocked_writes(events: Sequence[Logged]) -> list[GuardFired]:
    """Every write that a guard returned to the agent before its card, in order."""
    return [logged.event for logged in events if isinstance(logged.event, GuardFired)]


def nudges(events: Sequence[Logged]) -> list[AgentNudged]:
    """Every time the agent was told to make a change that had already been agreed to, in order."""
    return [logged.event for logged in events if isinstance(logged.event, AgentNudged)]


def verifications(events: Sequence[Logged]) -> list[WriteVerified]:
    """Every write that was verified, with the outcome, in order."""
    return [logged.event for logged in events if isinstance(logged.event, WriteVerified)]


def contexts(events: Sequence[Logged]) -> list[ContextAssembled]:
    """What the model was sent and what was left out in every turn, in order."""
    return [logged.event for logged in events if isinstance(logged.event, ContextAssembled)]
