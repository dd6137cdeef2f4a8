"""``saber focus``: find the tasks on which stronger control is expected to matter."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

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

if TYPE_CHECKING:
    from agent.control.focus import FocusSet

FOCUS = "focus"
"""The name of the split that this command makes."""


@click.command()
@click.option("--runs", "run", required=True, metavar="RUN", help="The baseline run's name.")
@click.option(
    "--judge", metavar="MODEL", default=None,
    help="A model that reads each session.  [default: rules]",
)  # fmt: skip
@DB
@DATA
@TASKS
@JSON
@with_sentences
def focus(
    run: str, judge: str | None, db: Path, data: Path | None, tasks: Path | None, as_json: bool
) -> None:
    """Label a run's sessions and keep the tasks with conflict in at least half of theirs.

    --split focus then plays those. A person's label takes precedence: saber label SESSION right
    --tag conflict, or --tag no-conflict.
    """
    import asyncio

    from agent.control.focus import write_focus_set
    from agent.control.focusing import NothingToLabel, label_run
    from agent.models.choosing import is_clerk, make_model
    from agent.models.protocol import ModelFault
    from sessions.store.store import Store

    if judge is not None and is_clerk(judge):
        raise Refused("The clerk cannot read conversations; name a model, or leave --judge out.")
    try:
        model = None if judge is None else make_model(judge)
        with Store.open(existing(db)) as store:
            found = asyncio.run(label_run(store, run, model, data=data, tasks=tasks))
    except (NothingToLabel, ModelFault) as error:
        raise Refused(str(error)) from error
    place = write_focus_set(found, db)
    if as_json:
        print_json(found.model_dump(mode="json"))
        return
    for line in _lines(found):
        click.echo(line)
    click.echo(f"Kept in {place}; --split focus plays them.")


def tasks_in_focus(db: Path, domain: str) -> tuple[str, ...]:
    """The ids of the tasks in a domain's focus set; raises Refused if there is none."""
    from agent.control.focus import NoFocusSet, read_focus_set

    try:
        return read_focus_set(db, domain).tasks
    except NoFocusSet as error:
        raise Refused(str(error)) from error


def focus_tasks_in(db: Path, domain: str) -> tuple[str, ...] | None:
    """The ids of the tasks in a domain's focus set; None if there is none."""
    from agent.control.focus import NoFocusSet, read_focus_set

    try:
        return read_focus_set(db, domain).tasks
    except NoFocusSet:
        return None


def _lines(found: FocusSet) -> list[str]:
    conflict = sum(bool(each["conflict"]) for each in found.sessions)
    by = ", ".join(sorted({str(each["by"]) for each in found.sessions}))
    return [
        f"{len(found.tasks)} of {found.of} tasks of {found.domain} are in focus; {conflict} of "
        f"{len(found.sessions)} sessions of {found.run} had conflict, as labelled by {by}.",
        *(f"  {each}" for each in found.tasks),
    ]
