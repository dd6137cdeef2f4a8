"""``saber replay``, and the commands of ``saber sessions`` on forks: fork, tree, compare."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from console.commands.numbers import Whole
from console.commands.options import DATA, DB, JSON, TASKS, existing, print_json, with_sentences
from console.commands.session_ids import with_full_session_ids

if TYPE_CHECKING:
    from console.setup import Setup
    from sessions.events import Safeguards

WIDTH = 120
"""Columns of the output if it does not go to a terminal."""

_SWITCHES = (
    click.option(
        "--gate/--no-gate", default=None, help="Whether changes wait for the customer's decision."
    ),
    click.option(
        "--reflection/--no-reflection", default=None, help="Whether the agent is reminded."
    ),
    click.option("--context/--no-context", default=None, help="Whether only some blocks are sent."),
)


def _switches(command: Any) -> Any:
    for option in reversed(_SWITCHES):
        command = option(command)
    return command


@click.command()
@click.argument("session")
@click.option("--ask", metavar="MODEL", help="Let this agent answer the same customer, headless.")
@click.option("--at", type=Whole(), metavar="SEQ", help="Begin at this event.")
@_switches
@DB
@DATA
@TASKS
@JSON
@with_sentences
@with_full_session_ids("session")
def replay(
    session: str,
    ask: str | None,
    at: int | None,
    gate: bool | None,
    reflection: bool | None,
    context: bool | None,
    db: Path,
    data: Path | None,
    tasks: Path | None,
    as_json: bool,
) -> None:
    """Step through a session; with --ask, see where another agent departs from it.

    With --ask, the customer says the same again and decides the same on exactly the same changes;
    any other change is declined. The outcome is recorded as a fork.
    """
    given = {"gate": gate, "reflection": reflection, "context": context}
    switches = {name: value for name, value in given.items() if value is not None}
    if ask is not None:
        _ask(existing(db), session, ask, at, switches, data, tasks, as_json)
    elif switches or as_json:
        raise click.UsageError("Without --ask MODEL a replay only shows what was recorded.")
    else:
        _show(existing(db), session, at, data, tasks)


def _show(db: Path, session: str, at: int | None, data: Path | None, tasks: Path | None) -> None:
    from console import opening
    from console.setup import Setup

    setup: Setup = Setup(db=db, data=data, tasks=tasks, replay=session, replay_at=at or 1)
    opening.open_app(setup, begin=True)


def _ask(
    db: Path,
    session: str,
    model: str,
    at: int | None,
    switches: dict[str, bool],
    data: Path | None,
    tasks: Path | None,
    as_json: bool,
) -> None:
    import asyncio

    from console.reports.reasking import reask

    found = asyncio.run(reask(db, session, model, at, switches, data, tasks))
    if as_json:
        print_json(found.as_object())
    else:
        for line in found.lines(_width()):
            click.echo(line)


@click.command("fork")
@click.argument("session")
@click.option("--at", type=Whole(), metavar="SEQ", help="The last event that the fork shares.")
@click.option("--model", default=None, help="Another agent from there on.")
@_switches
@DB
@JSON
@with_sentences
@with_full_session_ids("session")
def fork_session(
    session: str, at: int | None, model: str | None, db: Path, as_json: bool, **given: bool | None
) -> None:
    """Begin a session that shares another's first events; saber play --resume continues it."""
    from sessions.store.forking import count_inherited
    from sessions.store.store import Store

    with Store.open(existing(db)) as store:
        fork = store.fork(session, *_changes_of_fork(store.read(session), at, model, given))
    begun, shared = fork[0].session, count_inherited(fork)
    if as_json:
        print_json({"session": begun, "parent": session, "fork_seq": shared})
        return
    click.echo(begun)
    left_out = " The end of that session is left out." if at != shared else ""
    click.echo(f"It shares {shared} events with {session}.{left_out}", err=True)


def _changes_of_fork(
    log: Any, at: int | None, model: str | None, given: dict[str, bool | None]
) -> tuple[int, list[Any]]:
    """The event after which the fork begins, and the changes to its model and safeguards."""
    from agent.models.choosing import make_model
    from sessions.store.forking import fork_point, settings_changed
    from sessions.views import status

    shared = fork_point(log, at)
    now = status(log[:shared])
    switches = {name: value for name, value in given.items() if value is not None}
    guards: Safeguards = now.safeguards.model_copy(update=switches)
    name = None if model is None else make_model(model).name
    return shared, settings_changed(now, model=name, safeguards=guards)


@click.command("tree")
@click.argument("session", required=False)
@DB
@JSON
@with_sentences
@with_full_session_ids("session")
def tree(session: str | None, db: Path, as_json: bool) -> None:
    """Show which sessions are forks of which; or the tree of one session."""
    from console.browser.family import as_objects, family

    if session is None and not db.exists():
        click.echo("[]" if as_json else f"Nothing has been recorded in {db} yet.")
        return
    lines = family(existing(db), session)
    if as_json:
        print_json(as_objects(lines))
        return
    for line in lines:
        click.echo(f"{line.id}  {line.text}")
    if not lines:
        click.echo("No session has been forked yet.", err=True)


@click.command("compare")
@click.argument("left")
@click.argument("right")
@click.option("--all", "whole", is_flag=True, help="Also show the identical beginning.")
@DB
@JSON
@with_sentences
@with_full_session_ids("left", "right")
def compare(left: str, right: str, whole: bool, db: Path, as_json: bool) -> None:
    """Show two sessions side by side, with the first difference marked."""
    from console.browser.histories import open_comparison
    from console.browser.side_by_side import as_object, lines, summary

    found = open_comparison(existing(db), left, right)
    if as_json:
        print_json({"left": left, "right": right, **as_object(found)})
        return
    click.echo(summary(found))
    for line in lines(found, _width(), whole=whole):
        click.echo(line.text)


def _width() -> int:
    return shutil.get_terminal_size((WIDTH, 24)).columns
