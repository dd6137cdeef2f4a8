"""``saber export``: write recorded sessions in formats that other programs read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from console.commands.options import DATA, DB, TASKS, Refused, with_sentences
from console.commands.paths import Named
from console.commands.session_ids import by_beginning
from console.reports.export_writers import WRITERS, Wanted

if TYPE_CHECKING:
    from sessions.exporting.redacting import Redaction
    from sessions.store.store import Store

FORMATS = ("confirmations", "preference", "sft", "tau2", "agentack", "html", "sessions")

_UNREDACTED = {
    "tau2": "the results could not be scored again",
    "sessions": "the hashes of their events would fit no longer",
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
@click.option("--session", "ids", multiple=True, metavar="ID", help="Only these; may be repeated.")
@click.option("--redact", is_flag=True, help="Put stand-ins for names, addresses, cards, ids.")
@click.option("--seed", default=None, help="Makes the stand-ins of two exports the same.")
@click.option("--licence", default="other", help="The licence that the dataset card names.")
@DATA
@TASKS
@with_sentences
@by_beginning("ids")
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
    """Write recorded sessions in a form that others read.

    FORMAT is one of: confirmations, one row per card, those made afterwards for imported
    conversations among them, as .jsonl, .csv or .parquet with a
    README.md beside it (the default); preference, declined and approved calls in TRL's form; sft,
    conversations in OpenAI's; tau2, results for `tau2 view`; agentack, traces of approvals; html,
    a page; sessions, everything, to be imported again.
    """
    from sessions.exporting.gathering import Gathered
    from sessions.store.store import Store

    if not db.exists():
        raise Refused(f"There is no session file {db}; name one with --db.")
    if redact and form in _UNREDACTED:
        raise Refused(f"--redact does not go with {form}: {_UNREDACTED[form]}.")
    if seed is not None and not redact:
        raise Refused("--seed is for the stand-ins of --redact.")
    with closing(Store.open(db, read_only=True)) as store:
        filters = {"domain": domain, "model": model, "scenario": scenario}
        sessions = _choose_sessions(store, ids, filters)
        if not sessions:
            raise Refused(f"No session fits in {db}. Nothing was written.")
        gathered = Gathered(store, sessions, _finder(data, tasks))
        if redact:
            gathered.must_all_be_held()
        redaction = _redaction(seed, gathered.judges()) if redact else None
        wanted = Wanted(out, force, licence, redaction)
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

    return lambda log: sources.domain_held_on(status(log), data, tasks)


def _redaction(seed: str | None, judges: frozenset[str]) -> Redaction:
    from sessions.exporting.redacting import Redaction

    return Redaction(judges=judges) if seed is None else Redaction(seed, judges)
