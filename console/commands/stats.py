"""``saber stats``: count and compare recorded sessions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from console.commands.focus import focus_tasks_in
from console.commands.options import DATA, DB, JSON, TASKS, existing, print_json, with_sentences
from console.commands.paths import Named

if TYPE_CHECKING:
    from sessions.statistics.evidence import SessionEvidence


@click.command()
@DB
@click.option("--domain", default=None, help="Only sessions of this domain.")
@click.option("--model", default=None, help="Only sessions that this agent played.")
@click.option(
    "--by",
    type=click.Choice(["model", "safeguards", "scenario"]),
    default="safeguards",
    show_default=True,
    help="What to group by: safeguards (and every other setting), scenario (and settings), or "
    "model alone, which pools settings and names them.",
)
@click.option(
    "--cards",
    "of_cards",
    is_flag=True,
    help="Show what cards catch: how often each line is on wrong changes and on right ones.",
)
@click.option(
    "--plot",
    type=Named(),
    default=None,
    metavar="FILE",
    help="With --cards: draw it as .png or .svg.",
)
@click.option("--force", is_flag=True, help="Replace the plot's file if it exists.")
@DATA
@TASKS
@JSON
@with_sentences
def stats(
    db: Path,
    domain: str | None,
    model: str | None,
    by: Any,
    of_cards: bool,
    plot: Path | None,
    force: bool,
    data: Path | None,
    tasks: Path | None,
    as_json: bool,
) -> None:
    """Show how reliable the agents were, what the cards cost, what deviations did.

    Sessions are compared with the ends of their scenarios on the records that they were held on;
    if those have moved, --data and --tasks say where they are now.

    With --cards it counts what is on the cards instead, including those made afterwards for
    imported conversations: what speaks against wrong changes, and what against right ones.
    """
    if (plot or force) and not of_cards:
        raise click.UsageError("--plot draws what --cards counts: give both.")
    if of_cards:
        _cards(db, domain, model, by, plot, force, data, tasks, as_json)
        return
    from console import garbage_collection
    from console.reports.progress import bar
    from console.reports.stats import as_object, show
    from domains import load
    from sessions.scoring.measuring import measure_sessions
    from sessions.statistics.as_the_paper import first_table
    from sessions.statistics.compared import compare_groups
    from sessions.statistics.regression_ahead import regression_ahead
    from sessions.statistics.report import reports
    from sessions.store.store import Store

    rows, left_out = [], list[str]()
    with regression_ahead() as fit:
        if db.exists():
            with (
                Store.open(db, read_only=True) as store,
                garbage_collection.rare_collections(),
                bar("Reading sessions") as progress,
            ):
                found = measure_sessions(
                    store, load, domain=domain, model=model, data=data, tasks=tasks,
                    left_out=left_out.append, progress=progress,
                )  # fmt: skip
                rows = list(found)
        for sentence in left_out:
            click.echo(f"Left out: {sentence}", err=True)
        groups, by_model = reports(rows, by, fit=fit), first_table(rows, fit)
    controlled = compare_groups(rows, lambda name: focus_tasks_in(db, name))
    if as_json:
        print_json({**as_object(groups, rows, by_model, controlled), "left_out": left_out})
    elif not rows:
        fits = " that matches" if domain or model else ""
        click.echo(f"No session{fits} has been recorded in {db} yet.")
    else:
        show(groups, rows, by_model, controlled)


def _cards(
    db: Path,
    domain: str | None,
    model: str | None,
    by: Any,
    plot: Path | None,
    force: bool,
    data: Path | None,
    tasks: Path | None,
    as_json: bool,
) -> None:
    """Print and draw what ``--cards`` counts."""
    from console.reports.stats import print_group
    from sessions.statistics.evidence import card_reports

    if plot is not None:
        from console.reports.plotting import check_target

        check_target(plot, force=force)
    found, left_out = _gather(db, domain, model, data, tasks)
    groups = card_reports(found, by)
    for sentence in left_out:
        click.echo(f"Left out: {sentence}", err=True)
    if as_json:
        from console.reports.evidence_tables import as_object

        print_json({**as_object(groups), "left_out": left_out})
    elif not groups:
        fits = " that matches" if domain or model else ""
        click.echo(f"No session{fits} in {db} has a change for which a card could be made.")
    else:
        from console.reports.evidence_tables import card_tables

        print_group(card_tables(groups))
    if plot is not None:
        from console.reports.plotting import draw

        draw(groups, plot, force=force)
        click.echo(f"Drawn in {plot}.", err=as_json)


def _gather(
    db: Path, domain: str | None, model: str | None, data: Path | None, tasks: Path | None
) -> tuple[list[SessionEvidence], list[str]]:
    """The changes of all sessions that match, and sentences on the sessions that were left out."""
    from console.reports.evidence import gather_evidence
    from sessions.store.store import Store

    left_out: list[str] = []
    with Store.open(existing(db), read_only=True) as store:
        ids = [row.id for row in reversed(store.sessions(domain=domain, model=model))]
        found = gather_evidence(store, ids, data=data, tasks=tasks, left_out=left_out.append)
        return list(found), left_out
