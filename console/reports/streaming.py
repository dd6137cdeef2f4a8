"""Play streams from the command line, with progress on stderr and results on stdout."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.text import Text

from agent.headless.progress import Progress as Standing
from agent.streaming.plan import StreamPlan
from agent.streaming.stream import Stream
from agent.streaming.summary import ArmSummary, Streamed, read_streamed, summaries
from console.commands.options import print_json
from console.reports.lost_sessions import place_of
from console.reports.running import (
    play_remaining,
    print_parts,
    progress_line,
    refuse_if_nothing_played,
    report_unfinished,
)
from console.reports.stats import versions
from console.reports.stream_basis import stream_basis
from console.reports.stream_tables import stream_faults, stream_heading, stream_tables
from sessions.cleaning import clean
from sessions.statistics.intervals import CONFIDENCE
from sessions.store.store import Store

StreamResults = tuple[StreamPlan, Standing, list[Streamed], list[ArmSummary]]


def play_streams(plan: StreamPlan, asked: dict[str, Any]) -> StreamResults:
    """Play what is left of the streams, and return their results so far.

    Raises RunError and StoreError, and Refused if no session could be played at all.
    """
    db: Path = asked["db"]
    with Store.open(db) as store, progress_line(plan.name) as on_progress:
        standing = play_remaining(
            Stream(store, plan, concurrency=asked["concurrency"], on_progress=on_progress), db
        )
        found = read_streamed(store, plan)
        told = summaries(store, plan, found)
    refuse_if_nothing_played(standing, found)
    return plan, standing, found, told


def show_stream(
    plan: StreamPlan, standing: Standing, found: list[Streamed], told: list[ArmSummary], *,
    as_json: bool,
) -> None:  # fmt: skip
    """Print the results of streams."""
    if as_json:
        print_json(as_object(plan, standing, found, told))
    else:
        print_parts(
            stream_heading(plan, standing),
            *(Text(clean(each), style="italic") for each in stream_basis(plan, told)),
            *stream_tables(told),
            *stream_faults(found),
        )
    report_unfinished(standing)


def as_object(
    plan: StreamPlan, standing: Standing, found: list[Streamed], told: list[ArmSummary]
) -> dict[str, Any]:
    """Streams as one JSON object: their settings, the figures of each arm, and every session."""
    shared = plan.plan
    return {
        "run": plan.name,
        "domain": shared.domain.name,
        "source": shared.domain.base.source,
        "model": shared.model,
        "customer": shared.customer,
        "policy_agent": plan.policy_agent,
        "begun_by": plan.begun_by,
        "rests_on": list(stream_basis(plan, told)),
        "seeds": list(plan.seeds),
        "trials": plan.trials,
        "families": [[each.id for each in family] for family in plan.families],
        "sessions_planned": standing.sessions,
        "sessions_finished": len(found),
        "finished_before": standing.before,
        "resumed": standing.resumed,
        "not_played": [clean(each) for each in standing.left],
        "lost": [
            {"session": place_of(each), "error": type(each.error).__name__}
            for each in standing.lost
        ],
        "arms": [asdict(each) for each in told],
        "sessions": [_session(each) for each in found],
        "confidence": CONFIDENCE,
        "versions": versions(),
    }


def _session(each: Streamed) -> dict[str, Any]:
    facts = each.played.facts
    return {
        "session": facts.session,
        "arm": each.arm,
        "seed": each.seed,
        "trial": each.trial,
        "position": each.position,
        "task": each.scenario,
        "family": each.family,
        "variant": each.variant,
        "ended": facts.ended,
        "rewards": asdict(facts.rewards),
        "fault": each.played.fault,
    }
