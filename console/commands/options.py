"""What the commands share: options, refusals with a sentence, and JSON output."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from console import encoding
from console.commands.numbers import Finite
from console.commands.paths import Named
from console.setup import default_data, default_db, resolved_path

DB = click.option(
    "--db",
    type=Named(),
    default=default_db,
    show_default="SABER_DB, or your data folder",
    help="The session file.",
)
DATA = click.option(
    "--data",
    metavar="DIR|tau2|demo",
    callback=lambda context, option, data: _folder(data),
    help="A folder of τ²-bench's records and tasks: a domain's own, its data root or its "
    "checkout; the installed package tau2; or the demo records.  "
    "[default: TAU2_DATA_DIR, or demo]",
)
TASKS = click.option(
    "--tasks",
    metavar="DIR|FILE",
    type=Named(),
    callback=lambda context, option, tasks: tasks and resolved_path(tasks),
    help="τ²-bench's tasks, if they are not beside the records of --data.",
)
DOMAIN = click.option("--domain", default="retail", show_default=True, help="The domain.")
ATTENTION_CHECKS = click.option(
    "--attention-checks",
    type=Finite(0, 1),
    default=0.0,
    metavar="SHARE",
    help="Put a deliberately wrong card before this share of cards, 0 to 1; it is never carried "
    "out, and you are told right after the decision.  [default: none]",
)
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


class Refused(click.ClickException):
    """Something cannot be done as asked: one sentence on stderr, and exit code 2."""

    exit_code = 2

    def show(self, file: Any = None) -> None:
        """Print the sentence and nothing else."""
        click.echo(self.message, err=True)


def with_sentences(command: Callable[..., Any]) -> Callable[..., Any]:
    """Make foreseen errors end a command with their sentence."""

    @wraps(command)
    def run(*args: Any, **kwargs: Any) -> Any:
        try:
            return command(*args, **kwargs)
        except (click.ClickException, BrokenPipeError):
            raise
        except Exception as error:
            from console.faults import user_message

            sentence = user_message(error)
            if sentence is None:
                raise
            raise Refused(sentence) from error

    return run


def _folder(data: str | None) -> Path | None:
    """The folder that ``--data`` names, or None for the demo records."""
    if data is None:
        return default_data()
    from console import sources

    named: Path | None = with_sentences(sources.folder_named)(data)
    return named


def need_records(data: Path | None, tasks: Path | None) -> None:
    """Raise Refused if tasks are given without the records that they are about."""
    if tasks is not None and data is None:
        raise Refused(
            "--tasks needs --data: its tasks are about the customers of τ²-bench's records, "
            "and the demo records have others."
        )


def existing(db: Path) -> Path:
    """The session file; raises Refused if it does not exist."""
    if not db.exists():
        raise Refused(f"There is no session file {db}; name one with --db.")
    return db


def print_json(value: Any) -> None:
    """Print a value as one JSON document."""
    ascii_only = not encoding.is_utf8()
    click.echo(json.dumps(value, indent=2, ensure_ascii=ascii_only, default=str))


def is_given(context: click.Context, name: str) -> bool:
    """Whether the command line gives this option, as opposed to its default."""
    return context.get_parameter_source(name) is ParameterSource.COMMANDLINE


def command_again(context: click.Context) -> str:
    """The command of this context as it was typed, with its arguments and given options."""
    words = ["saber", context.info_name or ""]
    for each in context.command.params:
        value = context.params.get(each.name or "")
        if value is None or not is_given(context, each.name or ""):
            continue
        if isinstance(each, click.Argument):
            words += [str(word) for word in (value if isinstance(value, tuple) else (value,))]
        elif isinstance(each, click.Option) and each.is_flag:
            words.append(each.opts[0])
        else:
            words += [each.opts[0], str(value)]
    return shlex.join(words)
