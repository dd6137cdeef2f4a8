"""Compare ways of control: the tasks each passes and gains, how it routes, and what it costs.

(Difficulty-routed control, sections 4.1, 5.1, 5.2 and EC.2.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from sessions.statistics.control import After, ControlFacts, is_passed_by_majority, together
from sessions.statistics.facts import SessionFacts
from sessions.statistics.grouping import alike_but_for_safeguards
from sessions.statistics.intervals import Share, share
from sessions.statistics.over_tasks import by_task, without_intervals
from sessions.statistics.overhead import Overhead, overhead
from sessions.statistics.settings import ROUTED, way_in_words

TaskClass = Literal["all", "focus", "rest"]
"""All tasks, those in focus, or the rest. A session of free play is a task of its own."""


@dataclass(frozen=True, slots=True)
class Way:
    """The sessions played under one way of control."""

    name: str
    card: bool
    """Whether changes waited on the card."""

    rows: Sequence[SessionFacts]


@dataclass(frozen=True, slots=True)
class Routed:
    """How the tasks of one class were routed."""

    of: TaskClass
    tasks: int
    tasks_coupled: int
    """Tasks with at least one session that was classified as coupled."""

    sessions: int
    immediate: int
    """Sessions that were classified as coupled at the customer's opening words."""

    emergent: int
    """Sessions that were classified as coupled later."""


@dataclass(frozen=True, slots=True)
class Trigger:
    """A reason for which sessions of one class were classified as coupled."""

    of: TaskClass
    immediate: bool
    after: After
    what: str
    sessions: int


@dataclass(frozen=True, slots=True)
class Compared:
    """The results of one way of control."""

    name: str
    over: str
    """The way that it is compared with: the first with the same card setting, possibly itself."""

    is_routed: bool
    """Whether any of its sessions had routed control."""

    majority: dict[TaskClass, Share]
    """The share of tasks in which at least three trials in four earned τ²-bench's whole reward."""

    gained: tuple[str, ...]
    """The tasks that pass here by majority, but fail in the way it is compared with."""

    lost: tuple[str, ...]
    """The tasks that fail here by majority, but pass in the way it is compared with."""

    routed: tuple[Routed, ...]
    triggers: tuple[Trigger, ...]
    did: ControlFacts
    overhead: Overhead


def compare_groups(
    rows: Sequence[SessionFacts], focus_of: Callable[[str], Collection[str] | None]
) -> list[tuple[str, list[Compared]]]:
    """Compare sessions that differ only in their safeguards, if any session has routed control.

    Each group comes with its name. ``focus_of`` returns the ids of a domain's tasks in focus, or
    None if they are unknown.
    """
    if not any(ROUTED in row.safeguards for row in rows):
        return []
    found = []
    for name, by_safeguards in alike_but_for_safeguards(rows):
        if any(ROUTED in each for each in by_safeguards):
            ways = [
                Way(way_in_words(each), each.startswith("gate"), members)
                for each, members in by_safeguards.items()
            ]
            found.append((name, compare(ways, focus_of(ways[0].rows[0].domain))))
    return found


def compare(ways: Sequence[Way], focus: Collection[str] | None) -> list[Compared]:
    """Compare these ways, in their order; ``focus`` holds the ids of the tasks in focus, if known.

    Forks, which repeat another session's beginning, and sessions that ended with a connection fault
    are not counted. No number has an interval if both sides are code.
    """
    firsts: dict[bool, Way] = {}
    for each in ways:
        firsts.setdefault(each.card, each)
    return [_compare(each, firsts[each.card], focus) for each in ways]


def _compare(way: Way, first: Way, focus: Collection[str] | None) -> Compared:
    rows = [row for row in way.rows if not row.fork and row.ended != "fault"]
    names = {row.task: _name(row) for row in rows}
    passed, before = majority(rows), majority(first.rows)
    found = Compared(
        name=way.name,
        over=first.name,
        is_routed=any(ROUTED in row.safeguards for row in rows),
        majority={
            of: _share(passed[task] for task in passed if _is_in(names[task], of, focus))
            for of in _classes(focus)
        },
        gained=tuple(names[task] for task in passed if passed[task] and before.get(task) is False),
        lost=tuple(names[task] for task in passed if not passed[task] and before.get(task)),
        routed=tuple(_routing_of(rows, each, focus) for each in _classes(focus)),
        triggers=tuple(_triggers(rows, focus)),
        did=together([row.control for row in rows]),
        overhead=overhead(rows),
    )
    by_code = bool(rows) and all(row.deterministic for row in rows)
    return without_intervals(found) if by_code else found


def majority(rows: Sequence[SessionFacts]) -> dict[str, bool]:
    """Return for each task whether it passes by majority, counting only trials of scenarios."""
    tasks = by_task([row for row in rows if row.counts and row.scenario is not None])
    return {
        own[0].task: is_passed_by_majority([row.success is True for row in own]) for own in tasks
    }


def _name(row: SessionFacts) -> str:
    return row.scenario or row.session


def _classes(focus: Collection[str] | None) -> tuple[TaskClass, ...]:
    return ("all",) if focus is None else ("all", "focus", "rest")


def _is_in(task: str, of: TaskClass, focus: Collection[str] | None) -> bool:
    return of == "all" or (task in (focus or ())) == (of == "focus")


def _share(passed: Iterator[bool]) -> Share:
    found = [*passed]
    return share(sum(found), len(found))


def _routing_of(
    every: Sequence[SessionFacts], of: TaskClass, focus: Collection[str] | None
) -> Routed:
    rows = [row for row in every if _is_in(_name(row), of, focus)]
    did = together([row.control for row in rows])
    return Routed(
        of=of,
        tasks=len({_name(row) for row in rows}),
        tasks_coupled=len({_name(row) for row in rows if row.control.coupled}),
        sessions=len(rows),
        immediate=did.immediate,
        emergent=did.emergent,
    )


def _triggers(rows: Sequence[SessionFacts], focus: Collection[str] | None) -> Iterator[Trigger]:
    """Yield the triggers of each class: those at the opening first, then the most frequent."""
    for of in _classes(focus)[-2:]:
        found = Counter(
            (not each.is_immediate, each.after, each.trigger)
            for row in rows
            if _is_in(_name(row), of, focus)
            for each in row.control.coupled
        )
        for (later, after, what), number in sorted(
            found.items(), key=lambda each: (each[0][0], -each[1], each[0][1:])
        ):
            yield Trigger(of, not later, after, what, number)
