"""What routed control did in sessions: when they were coupled, and what became of their writes.

(Difficulty-routed control, sections 4.1 and 5.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from sessions.events import AgentNudged, GuardFired, Logged, RouteDecided, WriteVerified

OPENING = 1
"""The customer's turn at which a conflict is immediate; at any later one it is emergent."""


@dataclass(frozen=True, slots=True)
class ControlFacts:
    """One session, or several together."""

    coupled_since: tuple[int, ...] = ()
    """The turn of each session that was held to be coupled."""

    triggers: tuple[str, ...] = ()
    """What each of them was coupled for: the first reason that the router gave."""

    outcomes: Mapping[str, int] = field(default_factory=dict)
    """How often each came of a verified write: kept, revised, asked, blocked, unverified."""

    guards: Mapping[str, int] = field(default_factory=dict)
    """How often each guard sent a call back, by its name."""

    nudges: int = 0
    """How often the agent was sent to a change that had been agreed to."""

    malformed: int = 0
    """Answers of the router's model that were neither label."""

    @property
    def immediate(self) -> int:
        """Sessions that were coupled at the customer's opening words."""
        return sum(each <= OPENING for each in self.coupled_since)

    @property
    def emergent(self) -> int:
        """Sessions that were coupled later."""
        return len(self.coupled_since) - self.immediate


NO_CONTROL = ControlFacts()


def control_facts(events: Iterable[Logged]) -> ControlFacts:
    """What routed control did in one session."""
    routes: list[RouteDecided] = []
    outcomes, guards = Counter[str](), Counter[str]()
    nudges = 0
    for logged in events:
        match logged.event:
            case RouteDecided():
                routes.append(logged.event)
            case WriteVerified():
                outcomes[logged.event.outcome] += 1
            case GuardFired():
                guards[logged.event.guard] += 1
            case AgentNudged():
                nudges += 1
            case _:
                pass
    closed = next((each for each in routes if each.latched), None)
    return ControlFacts(
        coupled_since=() if closed is None else (closed.turn,),
        triggers=() if closed is None else closed.features[:1],
        outcomes=dict(outcomes),
        guards=dict(guards),
        nudges=nudges,
        malformed=sum(each.malformed for each in routes),
    )


def together(found: Sequence[ControlFacts]) -> ControlFacts:
    """What it did in all of these sessions."""
    return ControlFacts(
        coupled_since=tuple(turn for each in found for turn in each.coupled_since),
        triggers=tuple(trigger for each in found for trigger in each.triggers),
        outcomes=_added(each.outcomes for each in found),
        guards=_added(each.guards for each in found),
        nudges=sum(each.nudges for each in found),
        malformed=sum(each.malformed for each in found),
    )


def _added(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """A plain one: `asdict` makes pairs of a Counter's."""
    return dict(sum(map(Counter, counts), Counter[str]()))


def passed_by_majority(earned: Sequence[bool]) -> bool:
    """Whether a task's trials came out right three times in four, or as often as that."""
    return bool(earned) and 4 * sum(earned) >= 3 * len(earned)
