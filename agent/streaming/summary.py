"""The results of streams: each arm's reliability, its course along the stream, and its memory.

Figures for sisters and originals are separate (PolicyBank, section 5.1).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TypeVar

from agent.headless.summary import Played, summarise_played
from agent.streaming.memory_growth import Growth, growth
from agent.streaming.plan import VARIANTS, Lane, StreamPlan
from agent.streaming.stream import key_of, sessions_of_stream
from domains.core.gap import Variant
from sessions.statistics.over_seeds import OverSeeds, over_seeds, reliabilities
from sessions.statistics.pass_k import Trials
from sessions.store.store import Store
from sessions.views import NOTHING_SPENT, Expenses

MOST_K = 4
"""The largest k for which pass^k is reported (PolicyBank, table 2)."""

T = TypeVar("T", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Streamed:
    """One session of a stream that has ended."""

    played: Played
    seed: int
    trial: int
    position: int
    scenario: str
    family: str
    variant: Variant
    is_sister: bool

    @property
    def arm(self) -> str:
        """The name of its arm."""
        return self.played.arm

    @property
    def right(self) -> bool:
        """Whether it earned τ²-bench's full reward."""
        return self.played.facts.success is True


@dataclass(frozen=True, slots=True)
class ArmSummary:
    """The figures of one arm."""

    arm: str
    sessions: int
    sisters: tuple[OverSeeds, ...]
    """pass^1, pass^2 … of the sisters."""

    originals: tuple[OverSeeds, ...]
    by_variant: dict[str, OverSeeds]
    """The share that came out right, for parents that have sisters and for each kind of sister."""

    along: tuple[OverSeeds, ...]
    """The share that came out right among the first 1, 2, 3 … sessions."""

    memory: Growth | None
    """None if the arm has no memory."""

    expenses: Expenses
    deterministic: bool
    """Whether both sides are code, in which case no figure has an interval."""


def read_streamed(store: Store, plan: StreamPlan, *, as_recorded: bool = False) -> list[Streamed]:
    """The plan's sessions that have ended, stream by stream; raises RunError and StoreError.

    ``as_recorded`` is passed on to :func:`sessions_of_stream`.
    """
    rows = sessions_of_stream(store, plan, as_recorded=as_recorded)
    found = []
    for lane in plan.lanes():
        for position, place in enumerate(lane.places, 1):
            row = rows.get(key_of(place))
            if row is None or row.ended is None:
                continue
            scenario = place.scenario
            found.append(
                Streamed(
                    played=summarise_played(plan.plan.domain, place, store.read(row.id)),
                    seed=lane.seed, trial=lane.trial, position=position, scenario=scenario.id,
                    family=scenario.parent or scenario.id, variant=scenario.variant,
                    is_sister=bool(scenario.parent),
                )
            )  # fmt: skip
    return found


def summaries(store: Store, plan: StreamPlan, found: Sequence[Streamed]) -> list[ArmSummary]:
    """The figures of every arm, in the plan's order."""
    lanes = list(plan.lanes())
    return [
        summary_of(
            each.name,
            [row for row in found if row.arm == each.name],
            _growth(store, [lane for lane in lanes if lane.learning == each]),
            taught_by_code=plan.learns_by_code(each),
        )
        for each in plan.learnings
    ]


def _growth(store: Store, lanes: Sequence[Lane]) -> Growth | None:
    return growth(store, lanes) if lanes and lanes[0].learning.kind != "none" else None


def summary_of(
    arm: str, rows: Sequence[Streamed], memory: Growth | None, *, taught_by_code: bool = True
) -> ArmSummary:
    """The figures of one arm; all the sessions must be its own.

    ``taught_by_code`` says that no model learned, since a model would vary from run to run.
    """
    trials = [row for row in rows if row.played.facts.counts]
    played_by_code = bool(rows) and all(row.played.facts.deterministic for row in rows)
    fixed = played_by_code and taught_by_code
    families = {row.family for row in trials if row.is_sister}
    related = [row for row in trials if row.family in families]
    return ArmSummary(
        arm=arm,
        sessions=len(rows),
        sisters=_reliable([row for row in trials if row.is_sister], drawn=not fixed),
        originals=_reliable([row for row in trials if not row.is_sister], drawn=not fixed),
        by_variant={
            variant or "parent": _share([r for r in related if r.variant == variant], not fixed)
            for variant in VARIANTS
        },
        along=_along(trials, drawn=not fixed),
        memory=memory,
        expenses=sum((row.played.facts.expenses for row in rows), NOTHING_SPENT),
        deterministic=fixed,
    )


def _reliable(rows: Sequence[Streamed], *, drawn: bool) -> tuple[OverSeeds, ...]:
    by_seed = {
        seed: {
            task: Trials(len(own), sum(row.right for row in own))
            for task, own in _group(of_seed, lambda row: row.scenario).items()
        }
        for seed, of_seed in _group(rows, lambda row: row.seed).items()
    }
    return reliabilities(by_seed, MOST_K, drawn=drawn)


def _share(rows: Sequence[Streamed], drawn: bool) -> OverSeeds:
    of_seeds = _group(rows, lambda row: row.seed).values()
    return over_seeds([fmean(r.right for r in own) for own in of_seeds], len(rows), drawn=drawn)


def _along(rows: Sequence[Streamed], *, drawn: bool) -> tuple[OverSeeds, ...]:
    """The shares along the streams, as far as the shortest one has come."""
    lanes = _group(rows, lambda row: (row.seed, row.trial))
    reached = min((max(row.position for row in own) for own in lanes.values()), default=0)
    return tuple(
        _share([row for row in rows if row.position <= place], drawn)
        for place in range(1, reached + 1)
    )


def _group(rows: Iterable[Streamed], key: Callable[[Streamed], T]) -> dict[T, list[Streamed]]:
    found: defaultdict[T, list[Streamed]] = defaultdict(list)
    for row in rows:
        found[key(row)].append(row)
    return found
