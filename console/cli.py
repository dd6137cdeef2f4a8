"""The ``saber`` command: what is not needed to print a line or paint a frame is not imported."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any, NoReturn

import click
from click.core import ParameterSource

from console.doctor_command import doctor
from console.exporting import export
from console.history_commands import compare, fork_session, replay, tree
from console.importing import import_
from console.options import DATA as _DATA
from console.options import DB as _DB
from console.options import DOMAIN as _DOMAIN
from console.options import JSON as _JSON
from console.options import TASKS as _TASKS
from console.options import Refused
from console.options import need_records as _need_records
from console.options import print_json as _print_json
from console.options import with_sentences as _with_sentences
from console.run_commands import ablate, run
from console.session_commands import sessions
from console.setup import CLERK, Fork, Setup, Switches


def main() -> NoReturn:
    """Run the command; whatever happens, the person sees words and not a traceback."""
    try:
        saber(standalone_mode=False, prog_name="saber")
    except click.exceptions.Exit as leaving:
        sys.exit(leaving.exit_code)
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else "saber"
        click.echo(f"{error.format_message()} {command} --help tells what there is.", err=True)
        sys.exit(2)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt, BrokenPipeError):
        sys.exit(130)
    except Exception as error:
        from console import crash

        click.echo(crash.record(error), err=True)
        sys.exit(1)
    sys.exit(0)


def _said(context: click.Context, name: str) -> bool:
    return context.get_parameter_source(name) is ParameterSource.COMMANDLINE


@click.group(invoke_without_command=True)
@click.version_option(package_name="saber-console", prog_name="saber")
@_DOMAIN
@_DATA
@_TASKS
@_DB
@click.pass_context
def saber(
    context: click.Context, domain: str, data: Path | None, tasks: Path | None, db: Path
) -> None:
    """Play the customer; every change the agent wants to make waits for your word.

    Without a command the app opens at its start screen.
    """
    if context.invoked_subcommand is None:
        _need_records(data, tasks)
        open_app(Setup(domain=domain, data=data, tasks=tasks, db=db), begin=False)
    elif early := [name for name in context.params if _said(context, name)]:
        raise click.UsageError(
            f"--{early[0]} stands after the command: "
            f"saber {context.invoked_subcommand} --{early[0]} …",
            context,
        )


@saber.command()
@_DOMAIN
@click.option("--model", default=CLERK, show_default=True, help="clerk, or a litellm model name.")
@click.option(
    "--aux-model",
    "auxiliary",
    default=None,
    metavar="MODEL",
    help="A second model that words cards, reminders and summaries; rules do it without.",
)
@click.option(
    "--after-feedback",
    type=click.Choice(["confirm", "execute"]),
    default="confirm",
    show_default=True,
    help="Whether the change that follows your words on a card is shown again or carried out.",
)
@click.option(
    "--blocks",
    type=click.IntRange(0),
    default=16,
    show_default=True,
    help="How many of the most similar blocks of the conversation a turn is sent.",
)
@click.option(
    "--blocks-as",
    type=click.Choice(["verbatim", "summaries"]),
    default="verbatim",
    show_default=True,
    help="How blocks are sent that are not pinned.",
)
@click.option("--scenario", default=None, help="The role to play; free play without.")
@_DATA
@_TASKS
@_DB
@click.option("--resume", default=None, metavar="ID", help="Take up a recorded session.")
@click.option("--fork", default=None, metavar="ID", help="Go another way from a recorded session.")
@click.option(
    "--at", type=click.IntRange(1), default=None, metavar="SEQ", help="The last event it shares."
)
@click.pass_context
def play(
    context: click.Context,
    domain: str,
    model: str,
    auxiliary: str | None,
    after_feedback: str,
    blocks: int,
    blocks_as: str,
    scenario: str | None,
    data: Path | None,
    tasks: Path | None,
    db: Path,
    resume: str | None,
    fork: str | None,
    at: int | None,
) -> None:
    """Open a conversation at once.

    A session that is taken up or forked finds its records where it had them; where they are gone,
    --data and --tasks say where they are now. A fork is held with the agent and the safeguards of
    that session, but for those that are named here.
    """
    if resume is None and fork is None:
        _need_records(data, tasks)
    switches = Switches(after_feedback=after_feedback, blocks=blocks, blocks_as=blocks_as)
    setup = Setup(
        domain, model, scenario, data, tasks, db, resume, auxiliary, switches,
        fork=_fork(context, fork, at),
    )  # fmt: skip
    open_app(setup, begin=True)


def _fork(context: click.Context, session: str | None, at: int | None) -> Fork | None:
    """What ``play --fork`` asks for; only what was named is changed."""
    if session is None:
        if at is not None:
            raise click.UsageError("--at says where a --fork begins.", context)
        return None
    told = context.params
    if told["resume"] is not None:
        raise click.UsageError("--resume goes on with a session, --fork leaves it.", context)
    named = ("after_feedback", "blocks", "blocks_as")
    switches = {name: told[name] for name in named if _said(context, name)}
    return Fork(session, at, told["model"] if _said(context, "model") else None, switches)


def open_app(setup: Setup, *, begin: bool) -> None:
    """Open the app in this terminal; raises Refused where it is none."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Refused(
            "saber needs a terminal: its input and output must not be redirected. "
            "For scripts there are saber sessions, saber scenarios and saber export."
        )
    from console import garbage

    garbage.put_off()
    # How long a key waits to be painted at the worst: a 240th of a second, not Textual's 60th.
    os.environ.setdefault("TEXTUAL_FPS", "240")
    from console.app import SaberApp

    app = SaberApp(setup, begin=begin)
    sentence = app.run()
    if sentence:
        raise Refused(sentence)
    if app.return_code:
        raise click.exceptions.Exit(app.return_code)


@saber.group(invoke_without_command=True)
@_DOMAIN
@_DATA
@_TASKS
@click.option("--search", default="", metavar="WORDS", help="Only those that have every word.")
@click.option("--split", default=None, help="Only those of a split: train, test or base.")
@click.option("--tag", "tags", multiple=True, help="Only those that bear it; may be repeated.")
@_JSON
@click.pass_context
@_with_sentences
def scenarios(
    context: click.Context,
    domain: str,
    data: Path | None,
    tasks: Path | None,
    search: str,
    split: str | None,
    tags: tuple[str, ...],
    as_json: bool,
) -> None:
    """List the roles there are to play, or show one."""
    if context.invoked_subcommand is not None:
        return
    from console.scenarios import as_object, chosen, listed
    from domains import load

    _need_records(data, tasks)
    found = chosen(load(domain, data, tasks), words=search, split=split, tags=tags)
    if as_json:
        _print_json([as_object(each, spoilers=False) for each in found])
        return
    for line in listed(found):
        click.echo(line)
    if not found:
        click.echo("No scenario fits.", err=True)


@scenarios.command("show")
@click.argument("scenario")
@_DOMAIN
@_DATA
@_TASKS
@click.option("--spoilers", is_flag=True, help="Show what is expected of the agent, too.")
@_JSON
@click.pass_context
@_with_sentences
def show_scenario(
    context: click.Context, scenario: str, spoilers: bool, as_json: bool, **where: Any
) -> None:
    """A role as one reads it while talking."""
    from console.scenarios import as_object, told
    from domains import load

    listing = context.parent
    if listing is not None:
        where = {key: (context if _said(context, key) else listing).params[key] for key in where}
    _need_records(where["data"], where["tasks"])
    loaded = load(where["domain"], where["data"], where["tasks"])
    found = loaded.scenario(scenario)
    if as_json:
        _print_json(as_object(found, spoilers=spoilers))
        return
    for line in told(loaded, found, spoilers=spoilers):
        click.echo(line)


@saber.command()
@_DB
@click.option("--domain", default=None, help="Only sessions of this domain.")
@click.option("--model", default=None, help="Only sessions that this agent played.")
@click.option(
    "--by",
    type=click.Choice(["model", "safeguards", "scenario"]),
    default="model",
    show_default=True,
    help="What else to tell apart; models always are.",
)
@_DATA
@_TASKS
@_JSON
@_with_sentences
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

    rows = []
    if db.exists():
        with Store.open(db, read_only=True) as store:
            found = measured(store, load, domain=domain, model=model, data=data, tasks=tasks)
            rows = list(found)
    groups = reports(rows, by)
    if as_json:
        _print_json(as_object(groups, rows))
    elif not rows:
        fits = " that fits" if domain or model else ""
        click.echo(f"No session{fits} has been recorded in {db} yet.")
    else:
        show(groups)


@saber.command()
@click.argument("session", required=False)
@click.option("--all", "every", is_flag=True, help="Every session of a scenario that has ended.")
@click.option("--judge", metavar="MODEL", help="A model to judge what only a reader can.")
@_DB
@_DATA
@_TASKS
@_JSON
@_with_sentences
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

    Records and tasks are those it was held on; where they are gone, --data and --tasks say where
    they are now. A verdict that a model gave earlier stands.
    """
    import asyncio

    from console.scoring import NotScored, Scorer, as_object, lines, model_judge
    from sessions.store import Store

    if session is not None and every:
        raise click.UsageError("Name one session, or give --all.")
    try:
        asked = None if judge is None else model_judge(judge)
        with Store.open(_existing(db)) as store:
            scorer = Scorer(store, data, tasks, asked)
            found = asyncio.run(scorer.all() if session is None else _listed(scorer.one(session)))
    except NotScored as error:
        raise Refused(str(error)) from error
    if as_json:
        _print_json([as_object(each) for each in found])
    for line in () if as_json else (line for each in found for line in lines(each)):
        click.echo(line)


async def _listed(one: Any) -> list[Any]:
    return [await one]


def _existing(db: Path) -> Path:
    if not db.exists():
        raise Refused(f"There is no session file {db}; name one with --db.")
    return db


saber.add_command(export)
saber.add_command(import_)
saber.add_command(doctor)
saber.add_command(sessions)
saber.add_command(replay)
for _of_sessions in (fork_session, tree, compare):
    sessions.add_command(_of_sessions)
saber.add_command(run)
saber.add_command(ablate)
