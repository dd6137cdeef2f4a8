"""Summarise what routed control did: when sessions became coupled, and what became of writes.

(Difficulty-routed control, sections 4.1 and 5.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

from sessions.events import (
    PERSON,
    RULES,
    AgentNudged,
    AnyEvent,
    DecisionMade,
    GuardFired,
    Logged,
    RouteDecided,
    ToolReturned,
    WriteApplied,
    WriteVerified,
)

OPENING = 1
"""The customer's turn at which a conflict is immediate; at any later turn it is emergent."""

After = Literal["words alone", "look-ups", "a change made", "a refused call", "a card sent back"]
"""What had happened in a session since the previous routing decision, the weightiest last."""


@dataclass(frozen=True, slots=True)
class Coupled:
    """When a session was classified as coupled, and why."""

    turn: int
    trigger: str
    """The kind of the first reason if rules decided; otherwise who decided."""

    after: After = "words alone"

    @property
    def is_immediate(self) -> bool:
        """Whether the customer's opening words alone made it coupled."""
        return self.turn <= OPENING


@dataclass(frozen=True, slots=True)
class ControlFacts:
    """What routed control did in one session, or in several together."""

    coupled: tuple[Coupled, ...] = ()
    """The sessions that were classified as coupled."""

    outcomes: Mapping[str, int] = field(default_factory=dict)
    """The number of verified writes by outcome: kept, revised, asked and so on."""

    guards: Mapping[str, int] = field(default_factory=dict)
    """How often each guard sent a call back, by the guard's name."""

    nudges: int = 0
    """How often the agent was reminded to make a change that had been agreed to."""

    malformed: int = 0
    """Answers of the router's model that were missing or had neither label."""

    @property
    def immediate(self) -> int:
        """The number of sessions classified as coupled at the customer's opening words."""
        return sum(each.is_immediate for each in self.coupled)

    @property
    def emergent(self) -> int:
        """The number of sessions classified as coupled later."""
        return len(self.coupled) - self.immediate


NO_CONTROL = ControlFacts()


def control_facts(events: Sequence[Logged]) -> ControlFacts:
    """What routed control did in one session."""
    outcomes, guards = Counter[str](), Counter[str]()
    nudges = malformed = 0
    closed: Logged | None = None
    routed_before = 0
    for logged in events:
        match logged.event:
            case RouteDecided() as route:
                malformed += route.malformed
                if closed is None and route.latched:
                    closed = logged
                elif closed is None:
                    routed_before = logged.seq
            case WriteVerified():
                outcomes[logged.event.outcome] += 1
            case GuardFired():
                guards[logged.event.guard] += 1
            case AgentNudged():
                nudges += 1
            case _:
                pass
    return ControlFacts(
        coupled=() if closed is None else (_coupling_at(closed, events, routed_before),),
        outcomes=dict(outcomes),
        guards=dict(guards),
        nudges=nudges,
        malformed=malformed,
    )


def _coupling_at(closed: Logged, events: Iterable[Logged], since: int) -> Coupled:
    route = closed.event
    assert isinstance(route, RouteDecided)
    between = [each.event for each in events if since < each.seq < closed.seq]
    return Coupled(route.turn, _trigger(route), _after(between))


def _trigger(route: RouteDecided) -> str:
    """The kind of the reason, without the words that it quotes."""
    if route.by == PERSON:
        return "a person"
    if route.malformed:
        return "no label came, and the domain's default is COMPLEX"
    if route.by != RULES:
        return "the model's word"
    return next(iter(route.features), "").partition(":")[0].rstrip(".")


def _after(between: Iterable[AnyEvent]) -> After:
    """The weightiest of these events."""
    happened = {_kind(each) for each in between}
    return next(each for each in reversed(get_args(After)) if each in {*happened, "words alone"})


def _kind(event: AnyEvent) -> After:
    match event:
        case DecisionMade(decision="reject" | "change"):
            return "a card sent back"
        case ToolReturned():
            return "a refused call" if event.error else "look-ups"
        case WriteApplied(error=False):
            return "a change made"
        case _:
            return "words alone"


def together(found: Sequence[ControlFacts]) -> ControlFacts:
    """What routed control did in all of these sessions."""
    return ControlFacts(
        coupled=tuple(one for each in found for one in each.coupled),
        outcomes=_add_up(each.outcomes for each in found),
        guards=_add_up(each.guards for each in found),
        nudges=sum(each.nudges for each in found),
        malformed=sum(each.malformed for each in found),
    )


def _add_up(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """The sums as a plain dict, because `asdict` would turn a Counter into one of pairs."""
    return dict(sum(map(Counter, counts), Counter[str]()))


def is_passed_by_majority(earned: Sequence[bool]) -> bool:
    """Whether at least three in four of a task's trials came out right."""
    return bool(earned) and 4 * sum(earned) >= 3 * len(earned)
