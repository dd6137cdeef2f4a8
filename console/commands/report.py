"""``saber report``: write a page about a run that can be shown to others."""

from __future__ import annotations

from pathlib import Path

import click

from console.commands.focus import focus_tasks_in
from console.commands.options import DB, existing, with_sentences
from console.commands.paths import Named


@click.command()
@click.argument("run")
@click.option(
    "--out",
    required=True,
    type=Named(),
    metavar="FOLDER",
    help="The folder to write to; made if needed.",
)
@click.option("--force", is_flag=True, help="Replace an existing report.")
@DB
@with_sentences
def report(run: str, out: Path, force: bool, db: Path) -> None:
    """Write the results of a run to a folder: tables, a picture, failures, how to repeat it.

    The page is index.html, and report.md says the same. Each failed trial has its own page, to
    which they link.
    """
    from agent.headless.recorded import recorded_plan
    from agent.headless.summary import read_ended_sessions
    from agent.streaming.recorded import recorded_stream
    from agent.streaming.summary import read_streamed, summaries
    from console.reports.run_folder import write_report
    from console.reports.stream_report import write_stream_report
    from domains import load
    from sessions.store.store import Store

    with Store.open(existing(db), read_only=True) as store:
        streams = recorded_stream(store, run, load)
        if streams is not None:
            streamed = read_streamed(store, streams, as_recorded=True)
            told = summaries(store, streams, streamed)
            sentences = write_stream_report(store, streams, streamed, told, out, force=force)
        else:
            plan = recorded_plan(store, run, load)
            found = read_ended_sessions(store, plan)
            focus = focus_tasks_in(db, plan.domain.name)
            sentences = write_report(store, plan, found, out, force=force, focus=focus)
    for sentence in sentences:
        click.echo(sentence)
