"""``saber stats``: what recorded sessions come to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from console.options import DATA, DB, JSON, TASKS, print_json, with_sentences


@click.command()
@DB
@click.option("--domain", default=None, help="Only sessions of this domain.")
@click.option("--model", default=None, help="Only sessions that this agent played.")
@click.option(
    "--by",
    type=click.Choice(["model", "safeguards", "scenario"]),
    default="model",
    show_default=True,
    help="What else to tell apart; models always are.",
)
@DATA
@TASKS
@JSON
@with_sentences
def stats(
    db: Path,
    domain: str | None,
    model: str | None,
    by: Any,
    data: Path | None,
    tasks: Path | None,
    as_json: bool,
) -> None:
    """How reliable the agents were, what the cards cost, what deviations did.

    Sessions are compared with the ends of their scenarios on the records that they were held on;
    where those are gone, --data and --tasks say where they are now.
    """
    from console.stats import as_object, show
    from domains import load
    from sessions.scoring.measuring import measured
    from sessions.statistics.report import reports
    from sessions.store import Store

    rows, left_out = [], list[str]()
    if db.exists():
        with Store.open(db, read_only=True) as store:
            found = measured(
                store, load, domain=domain, model=model, data=data, tasks=tasks,
                left_out=left_out.append,
            )  # fmt: skip
            rows = list(found)
    for sentence in left_out:
        click.echo(f"Left out: {sentence}", err=True)
    groups = reports(rows, by)
    if as_json:
        print_json({**as_object(groups, rows), "left_out": left_out})
    elif not rows:
        fits = " that fits" if domain or model else ""
        click.echo(f"No session{fits} has been recorded in {db} yet.")
    else:
        show(groups, rows)
