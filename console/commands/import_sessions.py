"""``saber import``: read the runs of other programs, and sessions exported by this one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from console.commands.options import DATA, DB, DOMAIN, JSON, print_json, with_sentences
from console.commands.paths import Named

if TYPE_CHECKING:
    from sessions.importing import Report


@click.command("import")
@click.argument("file", type=Named())
@DOMAIN
@DATA
@DB
@click.option("--model", default=None, help="The agent's model, if the file does not name it.")
@JSON
@with_sentences
def import_(
    file: Path, domain: str, data: Path | None, db: Path, model: str | None, as_json: bool
) -> None:
    """Take in recorded runs: τ-bench's, τ²-bench's, or what `saber export sessions` wrote.

    The calls of another program's run are made again on the records of --domain and --data, so
    that it can be replayed, scored and counted. Importing a file again adds nothing.
    """
    from sessions.importing import import_runs, import_sessions, read_runs, session_files
    from sessions.importing.storing import Origin
    from sessions.store.store import Store

    if session_files.detect(file):
        with Store.open(db) as store:
            report = import_sessions(store, file)
    else:
        from agent.session.beginning import program_version
        from domains import load

        found = list(read_runs(file, domain, model))
        origin = Origin(file, data, program_version())
        loaded = load(domain, data)
        with Store.open(db) as store:
            report = import_runs(store, found, loaded, origin)
    if as_json:
        print_json(_as_object(report))
    for line in () if as_json else _lines(report, db):
        click.echo(line)


def _lines(report: Report, db: Path) -> Iterator[str]:
    from domains.text.quantity import quantity

    yield f"{quantity(len(report.sessions), 'session')} imported into {db}."
    if report.already:
        yield f"Already there: {quantity(report.already, 'session')}."
    for each in report.left_out:
        yield f"Left out: {each.original}: {each.why}."
    for run in report.checked_otherwise:
        yield (
            f"The recorded checks of {run.original} belong to task {run.checks_of}, but it names "
            f"task {run.task_id}: its recorded reward says nothing about that one."
        )
    tally = report.tally
    if tally.calls:
        yield (
            f"{quantity(tally.calls, 'call')} made again; {tally.other_text} returned a different "
            "text here than in the file, which is kept beside it."
        )
    if tally.unknown:
        names = ", ".join(sorted(tally.unknown)[:5])
        made = quantity(tally.unknown.total(), "call")
        yield f"{made} of tools that do not exist here ({names}) kept as in the file."
    if tally.other_outcome:
        yield (
            f"{quantity(tally.other_outcome, 'call')} failed only here or only in the file: are "
            "these the records that the runs were held on?"
        )


def _as_object(report: Report) -> dict[str, Any]:
    return {
        "sessions": report.sessions,
        "already": report.already,
        "left_out": [{"run": each.original, "why": each.why} for each in report.left_out],
        "checked_as_another_task": [
            {"run": each.original, "task": each.task_id, "checks_of": each.checks_of}
            for each in report.checked_otherwise
        ],
        "calls": report.tally.calls,
        "other_text": report.tally.other_text,
        "unknown_tools": dict(sorted(report.tally.unknown.items())),
        "other_outcome": report.tally.other_outcome,
    }
