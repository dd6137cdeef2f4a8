"""``saber cards``: list each change made or requested, its card, and whether it was right."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from console.commands.options import DATA, DB, JSON, TASKS, existing, print_json, with_sentences
from console.commands.session_ids import with_full_session_ids

if TYPE_CHECKING:
    from sessions.store.store import Store


@click.command()
@click.option(
    "--session", "ids", multiple=True, metavar="ID", help="Only this session; may be repeated."
)
@click.option("--all", "every", is_flag=True, help="All sessions; the default without --session.")
@click.option("--domain", default=None, help="Only sessions of this domain.")
@click.option("--model", default=None, help="Only sessions that this agent played.")
@DB
@DATA
@TASKS
@JSON
@with_sentences
@with_full_session_ids("ids")
def cards(
    ids: tuple[str, ...],
    every: bool,
    domain: str | None,
    model: str | None,
    db: Path,
    data: Path | None,
    tasks: Path | None,
    as_json: bool,
) -> None:
    """List every change with its card: was it right, and what did each line of the card say?

    Where nobody was asked, as in imported conversations, the card is made afterwards from the
    records and the conversation at that point. ✗ is a check that fails, ≠ a disagreement with what
    was said, ? is for a person to judge. Each change begins with its place in the session's log,
    which saber replay ID steps through. Records and tasks are those the session was held on; if
    they have moved, --data and --tasks say where they are now.
    """
    if ids and (every or domain or model):
        raise click.UsageError(
            "Name sessions with --session or select them with options, not both."
        )
    from console.reports.card_lines import as_object, session_lines, summary_lines
    from console.reports.evidence import gather_evidence
    from sessions.store.store import Store

    left_out: list[str] = []
    with Store.open(existing(db), read_only=True) as store:
        sessions = choose_sessions(store, ids, domain, model)
        found = list(
            gather_evidence(store, sessions, data=data, tasks=tasks, left_out=left_out.append)
        )  # fmt: skip
    for sentence in left_out:
        click.echo(f"Left out: {sentence}", err=True)
    if as_json:
        rows = [as_object(session, each) for session in found for each in session.cards]
        print_json({"cards": rows, "left_out": left_out})
        return
    for session in found:
        for line in session_lines(session):
            click.echo(line)
    for line in summary_lines(found):
        click.echo(line)


def choose_sessions(
    store: Store, ids: Sequence[str], domain: str | None, model: str | None
) -> list[str]:
    """The sessions that are named, or else all that match, oldest first; raises StoreError."""
    if ids:
        return sorted(store.session(each).id for each in dict.fromkeys(ids))
    return [row.id for row in reversed(store.sessions(domain=domain, model=model))]
