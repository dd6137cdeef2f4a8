"""The ``saber`` command; it imports only what a printed line or the first frame needs."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from agent.control.experiment_arms import ARMS
from console import encoding, opening, terminal
from console.commands import asking, safeguarding
from console.commands.cards import cards
from console.commands.control import CONTROL, ROUTER
from console.commands.doctor import doctor
from console.commands.export import export
from console.commands.focus import focus
from console.commands.import_sessions import import_
from console.commands.label import label
from console.commands.memory import memory as memory_
from console.commands.memory_begin import begin
from console.commands.memory_deciding import accept, refuse
from console.commands.memory_learn import learn
from console.commands.memory_undo import undo
from console.commands.numbers import Whole
from console.commands.options import (
    ATTENTION_CHECKS,
    DATA,
    DB,
    DOMAIN,
    TASKS,
    is_given,
    need_records,
)
from console.commands.remembering import memory_options, refuse_memory_by_alone
from console.commands.replay import compare, fork_session, replay, tree
from console.commands.report import report
from console.commands.review import review
from console.commands.run import ablate, run
from console.commands.scenarios import scenarios
from console.commands.score import score
from console.commands.session_ids import with_full_session_ids
from console.commands.sessions import sessions
from console.commands.stats import stats
from console.commands.stream import stream
from console.exit_codes import INTERRUPTED
from console.setup import CLERK, Fork, Setup, Switches

if TYPE_CHECKING:
    from sessions.events.memory import ReadBy


def main() -> NoReturn:
    """Run the command; on any error the user sees a sentence instead of a traceback."""
    os.environ.setdefault("ESCDELAY", str(terminal.DELAY))
    encoding.make_output_printable()
    try:
        code = saber(standalone_mode=False, prog_name="saber")
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else "saber"
        sentence = " ".join(error.format_message().split())
        click.echo(f"{sentence} See {command} --help.", err=True)
        sys.exit(2)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        click.echo("Stopped. Everything recorded so far is kept.", err=True)
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        sys.exit(INTERRUPTED)
    except Exception as error:
        from console import crash

        click.echo(crash.record_crash(error), err=True)
        sys.exit(1)
    encoding.warn_about_escapes()
    sys.exit(code if isinstance(code, int) else 0)  # click returns the code of an Exit


def _dash(name: str) -> str:
    return name.replace("_", "-")


@click.group(invoke_without_command=True)
@click.version_option(package_name="saber-console", prog_name="saber")
@DOMAIN
@DATA
@TASKS
@DB
@ATTENTION_CHECKS
@click.pass_context
def saber(
    context: click.Context,
    domain: str,
    data: Path | None,
    tasks: Path | None,
    db: Path,
    attention_checks: float,
) -> None:
    """Play the customer; every change the agent wants to make waits for your decision.

    Without a command the app opens at its start screen.
    """
    if context.invoked_subcommand is None:
        need_records(data, tasks)
        switches = Switches(attention_checks=attention_checks)
        setup = Setup(domain=domain, data=data, tasks=tasks, db=db, switches=switches)
        opening.open_app(setup, begin=False)
    elif early := [name for name in context.params if is_given(context, name)]:
        raise click.UsageError(
            f"--{_dash(early[0])} goes after the command: saber {context.invoked_subcommand} "
            f"--{_dash(early[0])} …",
            context,
        )


@saber.command()
@DOMAIN
@click.option("--model", default=CLERK, show_default=True, help="clerk, or a litellm model name.")
@click.option(
    "--aux-model",
    "auxiliary",
    default=None,
    metavar="MODEL",
    help="A second model that phrases cards, reminders and summaries; without it, rules do.",
)
@safeguarding.safeguard_options
@CONTROL
@ROUTER
@memory_options
@asking.request_options
@click.option("--scenario", default=None, help="The role to play; without it, free play.")
@DATA
@TASKS
@DB
@click.option("--resume", default=None, metavar="ID", help="Resume a recorded session.")
@click.option("--fork", default=None, metavar="ID", help="Fork a recorded session.")
@click.option(
    "--at", type=Whole(), default=None, metavar="SEQ", help="The last event that the fork shares."
)
@click.pass_context
@with_full_session_ids("resume", "fork")
def play(
    context: click.Context,
    domain: str,
    model: str,
    auxiliary: str | None,
    control: str,
    router: str,
    memory: str | None,
    memory_by: ReadBy,
    scenario: str | None,
    data: Path | None,
    tasks: Path | None,
    db: Path,
    resume: str | None,
    fork: str | None,
    at: int | None,
    **asked: Any,
) -> None:
    """Open a conversation at once.

    A resumed or forked session uses the records it was held on; if they have moved, --data and
    --tasks say where they are now. A fork keeps that session's agent and safeguards, except those
    named here.
    """
    if (resume or fork) and (memory is not None or is_given(context, "memory_by")):
        raise click.UsageError("A session keeps the memory it began with.", context)
    refuse_memory_by_alone(memory, memory_by)
    if resume is None and fork is None:
        need_records(data, tasks)
    switches = Switches(
        router=router,
        **safeguarding.safeguard_settings(asked),
        **ARMS[control],
    )
    setup = Setup(
        domain, model, scenario, data, tasks, db, resume, auxiliary, switches,
        fork=_fork(context, fork, at), memory=memory, memory_by=memory_by,
        requests={name: asked[name] for name in asking.NAMES},
    )  # fmt: skip
    opening.open_app(setup, begin=True)


def _fork(context: click.Context, session: str | None, at: int | None) -> Fork | None:
    """The fork that ``play --fork`` asks for; only the options that were given change anything."""
    if session is None:
        if at is not None:
            raise click.UsageError("--at says where a fork begins; give --fork as well.", context)
        return None
    told = context.params
    if told["resume"] is not None:
        raise click.UsageError(
            "--resume continues a session, --fork begins a new one from it; give only one of them.",
            context,
        )
    named = (*safeguarding.NAMES, "router")
    switches = {name: told[name] for name in named if is_given(context, name)}
    if is_given(context, "control"):
        switches |= ARMS[told["control"]]
    return Fork(session, at, told["model"] if is_given(context, "model") else None, switches)


for _command in (
    ablate, cards, doctor, export, focus, import_, label, memory_, replay, report, review, run,
    scenarios,
    score, sessions, stats, stream,
):  # fmt: skip
    saber.add_command(_command)
for _command in (fork_session, tree, compare):
    sessions.add_command(_command)
for each in (begin, learn, accept, refuse, undo):
    memory_.add_command(each)
