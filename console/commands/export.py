"""``saber export``: write recorded sessions in formats that other programs read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from console.commands.options import DATA, DB, TASKS, Refused, with_sentences
from console.commands.paths import Named
from console.commands.session_ids import with_full_session_ids
from console.reports.export_writers import WRITERS, ExportRequest

if TYPE_CHECKING:
    from sessions.exporting.redacting import Redaction
    from sessions.store.store import Store

FORMATS = ("confirmations", "preference", "sft", "tau2", "agentack", "html", "sessions")

_UNREDACTED = {
    "tau2": "the results could not be scored again",
    "sessions": "the hashes of their events would no longer match",
}
"""The formats that cannot be redacted, and why."""


@click.command()
@click.argument("form", metavar="[FORMAT]", required=False, default="confirmations",
                type=click.Choice(FORMATS))  # fmt: skip
@DB
@click.option("--out", type=Named(), required=True, help="The file to write.")
@click.option("--force", is_flag=True, help="Replace the file if it exists.")
@click.option("--domain", default=None, help="Only sessions of this domain.")
@click.option("--model", default=None, help="Only sessions that this agent played.")
@click.option("--scenario", default=None, help="Only sessions of this scenario.")
@click.option(
    "--session", "ids", multiple=True, metavar="ID", help="Only this session; may be repeated."
)
@click.option("--redact", is_flag=True, help="Replace names, addresses, cards, ids with stand-ins.")
@click.option("--seed", default=None, help="Gives two exports the same stand-ins.")
@click.option("--licence", default="other", help="The licence that the dataset card names.")
@DATA
@TASKS
@with_sentences
@with_full_session_ids("ids")
def export(
    form: str,
    db: Path,
    out: Path,
    force: bool,
    domain: str | None,
    model: str | None,
    scenario: str | None,
    ids: tuple[str, ...],
    redact: bool,
    seed: str | None,
    licence: str,
    data: Path | None,
    tasks: Path | None,
) -> None:
    """Write recorded sessions in a format that other programs read.

    FORMAT is one of: confirmations, one row per card, including those made afterwards for imported
    conversations, as .jsonl, .csv or .parquet with a README.md beside it (the default);
    preference, declined and approved calls in TRL's format; sft, conversations in OpenAI's; tau2,
    results for `tau2 view`; agentack, traces of approvals; html, a page; sessions, everything, to
    be imported again.
    """
    from sessions.exporting.gathering import Gathered
    from sessions.store.store import Store

    if not db.exists():
        raise Refused(f"There is no session file {db}; name one with --db.")
    if redact and form in _UNREDACTED:
        raise Refused(f"--redact cannot be used with {form}: {_UNREDACTED[form]}.")
    if seed is not None and not redact:
        raise Refused("--seed is for the stand-ins of --redact; give --redact as well.")
    with closing(Store.open(db, read_only=True)) as store:
        filters = {"domain": domain, "model": model, "scenario": scenario}
        sessions = _choose_sessions(store, ids, filters)
        if not sessions:
            raise Refused(f"No session in {db} matches. Nothing was written.")
        gathered = Gathered(store, sessions, _finder(data, tasks))
        if redact:
            gathered.refuse_missing_domains()
        redaction = _redaction(seed, gathered.judges()) if redact else None
        wanted = ExportRequest(out, force, licence, redaction)
        for line in WRITERS[form](gathered, wanted):
            click.echo(line)
        for what, count in sorted(gathered.left_out.items()):
            click.echo(f"Left out or noted: {count} {what}.")


def _choose_sessions(store: Store, ids: Sequence[str], filters: dict[str, str | None]) -> list[str]:
    """The ids of the sessions to write, oldest first."""
    if ids:
        return sorted(store.session(each).id for each in dict.fromkeys(ids))
    return [row.id for row in reversed(store.sessions(**filters))]  # type: ignore[arg-type]


def _finder(data: Path | None, tasks: Path | None) -> Callable[[Any], Any]:
    from sessions.scoring import sources
    from sessions.views import status

    return lambda log: sources.load_domain_of_session(status(log), data, tasks)


def _redaction(seed: str | None, judges: frozenset[str]) -> Redaction:
    from sessions.exporting.redacting import Redaction

    return Redaction(judges=judges) if seed is None else Redaction(seed, judges)
