"""The ``saber`` command: what is not needed to print a line or paint a frame is not imported."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, NoReturn

import click

from console.setup import CLERK, Setup, default_data, default_db

_DB = click.option(
    "--db",
    type=click.Path(path_type=Path),
    default=default_db,
    show_default="SABER_DB, or your data folder",
    help="The session file.",
)
_DATA = click.option(
    "--data",
    type=click.Path(path_type=Path),
    default=default_data,
    show_default="TAU2_DATA_DIR, or the demo records",
    help="A folder of τ²-bench's records.",
)
_DOMAIN = click.option("--domain", default="retail", show_default=True, help="What to play.")
_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


class Refused(click.ClickException):
    """Something that cannot be done as asked: one sentence on stderr, exit code 2."""

    exit_code = 2

    def show(self, file: Any = None) -> None:
        """The sentence and nothing else."""
        click.echo(self.message, err=True)


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


def _with_sentences(command: Callable[..., None]) -> Callable[..., None]:
    """Errors that were foreseen end a command with their sentence."""

    @wraps(command)
    def run(*args: Any, **kwargs: Any) -> None:
        try:
            command(*args, **kwargs)
        except click.ClickException:
            raise
        except Exception as error:
            from console.faults import as_sentence

            sentence = as_sentence(error)
            if sentence is None:
                raise
            raise Refused(sentence) from error

    return run


@click.group(invoke_without_command=True)
@click.version_option(package_name="saber-console", prog_name="saber")
@click.pass_context
def saber(context: click.Context) -> None:
    """Play the customer; every change the agent wants to make waits for your word.

    Without a command the app opens at its start screen.
    """
    if context.invoked_subcommand is None:
        _open(Setup(data=default_data()), begin=False)


@saber.command()
@_DOMAIN
@click.option("--model", default=CLERK, show_default=True, help="clerk, or a litellm model name.")
@click.option("--scenario", default=None, help="The role to play; free play without.")
@_DATA
@_DB
@click.option("--resume", default=None, metavar="ID", help="Take up a recorded session.")
def play(
    domain: str, model: str, scenario: str | None, data: Path | None, db: Path, resume: str | None
) -> None:
    """Open a conversation at once."""
    setup = Setup(domain=domain, model=model, scenario=scenario, data=data, db=db, resume=resume)
    _open(setup, begin=True)


def _open(setup: Setup, *, begin: bool) -> None:
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
@click.pass_context
def sessions(context: click.Context) -> None:
    """List, show or delete recorded sessions."""
    if context.invoked_subcommand is None:
        context.invoke(list_sessions, db=default_db(), as_json=False)


@sessions.command("list")
@_DB
@_JSON
@_with_sentences
def list_sessions(db: Path, as_json: bool) -> None:
    """The recorded sessions, the newest first."""
    from dataclasses import asdict

    from console.survey import session_line
    from sessions.store import Store

    if not db.exists():
        click.echo("[]" if as_json else f"Nothing has been recorded in {db} yet.")
        return
    with Store.open(db, read_only=True) as store:
        rows = store.sessions()
    if as_json:
        _print_json([asdict(row) for row in rows])
    for row in [] if as_json else rows:
        click.echo(f"{row.id}  {row.status:<6} {session_line(row).line}")


@sessions.command("show")
@click.argument("session")
@_DB
@_JSON
@_with_sentences
def show_session(session: str, db: Path, as_json: bool) -> None:
    """A session's log: what was said and done, or with --json every event."""
    from sessions.store import Store

    with Store.open(_existing(db), read_only=True) as store:
        log = store.read(session)
    if as_json:
        _print_json([logged.model_dump(mode="json") for logged in log])
        return
    from console.printing import item_lines
    from sessions.views import transcript

    for item in transcript(log):
        for line in item_lines(item):
            click.echo(line)


@sessions.command("delete")
@click.argument("session")
@_DB
@click.option("--yes", is_flag=True, help="Do not ask.")
@_with_sentences
def delete_session(session: str, db: Path, yes: bool) -> None:
    """Remove a session and its whole log for good."""
    from sessions.store import Store

    with Store.open(_existing(db)) as store:
        found = store.session(session)
        if not yes:
            said = found.title or "nothing said"
            click.confirm(f"Delete {found.id} ({said}) for good?", abort=True)
        store.delete(session)
    click.echo(f"Deleted {session}.")


@saber.command()
@_DOMAIN
@_DATA
@_JSON
@_with_sentences
def scenarios(domain: str, data: Path | None, as_json: bool) -> None:
    """The roles there are to play."""
    from dataclasses import asdict

    from domains import load

    found = load(domain, data).scenarios
    if as_json:
        _print_json([{"id": each.id, "title": each.title, **asdict(each.role)} for each in found])
    for each in () if as_json else found:
        click.echo(f"{each.id:<28} {each.title}")


@saber.command()
@_DB
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The file to write.")
@click.option("--force", is_flag=True, help="Replace the file if it exists.")
@_with_sentences
def export(db: Path, out: Path, force: bool) -> None:
    """Write every card as one JSON line: the call, the words, the decision, what followed."""
    from agent.redaction import redact
    from sessions.export import rows, write_jsonl
    from sessions.store import Store

    with Store.open(_existing(db), read_only=True) as store:
        count = write_jsonl(rows(store, redact=redact), out, force=force)
    click.echo(f"{count} cards written to {out}.")


def _existing(db: Path) -> Path:
    if not db.exists():
        raise Refused(f"There is no session file {db}; name one with --db.")
    return db


def _print_json(value: Any) -> None:
    click.echo(json.dumps(value, indent=2, ensure_ascii=False, default=str))
