"""Play a run from the command line, with progress on stderr and results on stdout."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import click
from rich.console import Console, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from agent.headless.ablation import compares_filter, leave_filtered_arms
from agent.headless.late_embedder import LateEmbedder
from agent.headless.plan import Plan
from agent.headless.progress import Progress as Standing
from agent.headless.run import Run
from agent.headless.summary import Played, gain, read_ended_sessions, summary
from agent.streaming.stream import Stream
from console.commands.options import Refused, print_json
from console.exit_codes import INTERRUPTED
from console.reports.control_tables import control_parts
from console.reports.lost_sessions import lost_sessions, place_of
from console.reports.run_basis import basis_sentences
from console.reports.run_control import ways
from console.reports.run_tables import (
    LEGEND,
    arms,
    by_model,
    customer_effort_table,
    expenses_of_all,
    faults,
    heading,
    numbers,
    rests_on,
)
from console.reports.stats import versions
from sessions.cleaning import clean
from sessions.statistics.compared import Compared, compare
from sessions.statistics.intervals import CONFIDENCE, DRAWS, SEED
from sessions.store.store import Store

WIDTH = 120
"""Columns of the output if it does not go to a terminal."""


def play_run(plan: Plan, asked: dict[str, Any]) -> tuple[Plan, Standing, list[Played]]:
    """Play what is left of a plan; return the plan, how far it came, and its finished sessions.

    Raises RunError and StoreError, and Refused if no session could be played at all.
    """
    db: Path = asked["db"]
    with Store.open(db) as store, progress_line(plan.name) as on_progress:
        run = Run(
            store, plan, concurrency=asked["concurrency"], on_progress=on_progress,
            retry_faults=asked["retry_faults"],
        )  # fmt: skip
        standing = play_remaining(run, db)
        found = read_ended_sessions(store, plan)
    refuse_if_nothing_played(standing, found)
    return plan, standing, found


def play_remaining(run: Run | Stream, db: Path) -> Standing:
    """Play what is left; an interruption prints that the same command continues, and exits.

    Raises RunError and StoreError.
    """
    try:
        return asyncio.run(_play(run, db))
    except KeyboardInterrupt as interrupted:
        click.echo("Interrupted. The same command goes on from here.", err=True)
        raise click.exceptions.Exit(INTERRUPTED) from interrupted


def refuse_if_nothing_played(standing: Standing, found: Sequence[object]) -> None:
    """Raise Refused if no session could be played at all."""
    if standing.left and not found:
        raise Refused(" ".join(clean(each) for each in standing.left))


def play_ablation(plan: Plan, asked: dict[str, Any]) -> tuple[Plan, Standing, list[Played]]:
    """Play an ablation; arms without the context filter only if it has left anything out.

    Raises as :func:`play_run` does.
    """
    if not compares_filter(plan):
        return play_run(plan, asked)
    filtered, standing, found = play_run(leave_filtered_arms(plan), asked)
    if standing.left or not any(each.facts.shortened for each in found):
        return filtered, standing, found
    plan, whole, found = play_run(replace(plan, given_name=filtered.name), asked)
    whole.before -= standing.finished - standing.before
    whole.resumed += standing.resumed
    whole.lost = [*standing.lost, *whole.lost]
    return plan, whole, found


async def _play(run: Run | Stream, db: Path) -> Standing:
    embedder = LateEmbedder(db.parent / "vectors.sqlite")
    run.ranker = embedder
    try:
        return await run.play()
    finally:
        await embedder.stop()


@contextmanager
def progress_line(name: str) -> Iterator[Callable[[Standing], None]]:
    """Show a line of progress on stderr, if that is a terminal."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda standing: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(),
               TextColumn("{task.fields[told]}"), TimeElapsedColumn())  # fmt: skip
    with Progress(*columns, console=console) as bar:
        task = bar.add_task(name, total=None, told="")

        def tell(standing: Standing) -> None:
            ended = f", {standing.faults} faults" if standing.faults else ""
            told = f"{standing.succeeded} right{ended}, {standing.under_way} under way"
            bar.update(task, total=standing.sessions, completed=standing.finished, told=told)

        yield tell


def show_run(plan: Plan, standing: Standing, found: list[Played], *, as_json: bool) -> None:
    """Print the results of a run."""
    told = summary("", found)
    if as_json:
        print_json(as_object(plan, standing, found))
    else:
        print_parts(
            heading(plan, standing),
            *rests_on(plan, [told]),
            numbers(told),
            *by_model(plan, found),
            *faults(found),
        )
    report_unfinished(standing)


def show_ablation(
    plan: Plan, standing: Standing, found: list[Played], *, as_json: bool,
    compared: Sequence[Compared] = (),
) -> None:  # fmt: skip
    """Print the arms of an ablation side by side, also as ways of control if they are."""
    told = [summary(arm.name, found) for arm in plan.arms]
    if as_json:
        control = {"control": [asdict(each) for each in compared]} if compared else {}
        print_json({**as_object(plan, standing, found), **control})
    else:
        print_parts(
            heading(plan, standing),
            *rests_on(plan, told),
            arms(told, found),
            customer_effort_table(told),
            LEGEND,
            *expenses_of_all(told),
            *by_model(plan, found),
            *faults(found),
            *(("", *control_parts(compared)) if compared else ()),
        )
    report_unfinished(standing)


def show_controls(
    plan: Plan, standing: Standing, found: list[Played], *, focus: Collection[str] | None,
    as_json: bool,
) -> None:  # fmt: skip
    """Print ways of control side by side; ``focus`` are the tasks in focus, if known."""
    compared = compare(ways(plan, found), focus)
    show_ablation(plan, standing, found, as_json=as_json, compared=compared)


def as_object(plan: Plan, standing: Standing, found: Sequence[Played]) -> dict[str, Any]:
    """A run as one JSON object: its settings, the numbers of each arm, and every session."""
    return {
        "run": plan.name,
        "domain": plan.domain.name,
        "source": plan.domain.base.source,
        "model": plan.model,
        "auxiliary": plan.auxiliary,
        "customer": plan.customer,
        "rests_on": list(basis_sentences(plan, [summary(arm.name, found) for arm in plan.arms])),
        "trials": plan.trials,
        "tasks": [scenario.id for scenario in plan.scenarios],
        "max_turns": plan.max_turns,
        "limits": plan.limits.model_dump(mode="json"),
        "requests": plan.requests.model_dump(mode="json"),
        "seed": plan.seed,
        "sessions_planned": standing.sessions,
        "sessions_finished": len(found),
        "finished_before": standing.before,
        "resumed": standing.resumed,
        "not_played": [clean(each) for each in standing.left],
        "lost": [
            {"session": place_of(each), "error": type(each.error).__name__}
            for each in standing.lost
        ],
        "arms": [
            {
                "safeguards": arm.safeguards.model_dump(mode="json"),
                **asdict(summary(arm.name, found)),
                "gain": asdict(gain(plan.arms[0].name, arm.name, found)),
            }
            for arm in plan.arms
        ],
        "sessions": [_session(each) for each in found],
        "confidence": CONFIDENCE,
        "draws": DRAWS,
        "bootstrap_seed": SEED,
        "versions": versions(),
    }


def _session(each: Played) -> dict[str, Any]:
    facts, spent = each.facts, each.facts.expenses.total
    return {
        "session": facts.session,
        "arm": each.arm,
        "task": each.task,
        "trial": each.trial,
        "seed": each.seed,
        "model": facts.model,
        "safeguards": facts.safeguards,
        "control": asdict(facts.control),
        "ended": facts.ended,
        "rewards": asdict(facts.rewards),
        "turns": facts.turns,
        "cards": facts.cards.put,
        "declined": facts.cards.rejected + facts.cards.changed,
        "writes": facts.writes,
        "writes_without_yes": facts.writes_without_yes,
        "writes_without_card": facts.writes_without_card,
        "tokens": spent.tokens,
        "cost": spent.cost,
        "unpriced_tokens": spent.unpriced,
        "expenses": asdict(facts.expenses),
        "fault": each.fault,
    }


def print_parts(*parts: RenderableType) -> None:
    """Print tables and lines as wide as the terminal, or at a fixed width without one."""
    console = Console(highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console = Console(highlight=False, markup=False, emoji=False, width=WIDTH)
    console.print(*parts, sep="\n")


def report_unfinished(standing: Standing) -> None:
    """Print on stderr why sessions were not finished; if any were not, exit with code 1."""
    for sentence in standing.left:
        click.echo(f"Not finished: {clean(sentence)}", err=True)
    for sentence in lost_sessions(standing.lost):
        click.echo(sentence, err=True)
    if standing.left or standing.lost:
        raise click.exceptions.Exit(1)
