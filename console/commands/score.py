"""``saber score``: score recorded sessions against their scenarios."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from console.commands.options import (
    DATA,
    DB,
    JSON,
    TASKS,
    Refused,
    existing,
    print_json,
    with_sentences,
)
from console.commands.session_ids import with_full_session_ids


@click.command()
@click.argument("session", required=False)
@click.option("--all", "every", is_flag=True, help="Every session with a scenario that has ended.")
@click.option("--judge", metavar="MODEL", help="A model to judge what only a reader can judge.")
@DB
@DATA
@TASKS
@JSON
@with_sentences
@with_full_session_ids("session")
def score(
    session: str | None,
    every: bool,
    judge: str | None,
    db: Path,
    data: Path | None,
    tasks: Path | None,
    as_json: bool,
) -> None:
    """Score a session, or all that have ended, against its scenario; changes go to its log.

    Records and tasks are those it was held on; if they have moved, --data and --tasks say where
    they are now. A verdict that a model gave earlier is kept.
    """
    import asyncio

    from console.reports.scoring import as_object, lines, model_judge
    from sessions.scoring.rescoring import NotScored, Scorer
    from sessions.store.store import Store

    if session is not None and every:
        raise click.UsageError("Name one session, or give --all.")
    try:
        asked = None if judge is None else model_judge(judge)
        with Store.open(existing(db)) as store:
            scorer = Scorer(store, data, tasks, asked, explain=_sentence)
            found = asyncio.run(scorer.all() if session is None else _as_list(scorer.one(session)))
    except NotScored as error:
        raise Refused(str(error)) from error
    if as_json:
        print_json([as_object(each) for each in found])
    for line in () if as_json else (line for each in found for line in lines(each)):
        click.echo(line)


def _sentence(error: Exception) -> str:
    from console.faults import user_message

    return user_message(error) or str(error)


async def _as_list(one: Any) -> list[Any]:
    return [await one]
