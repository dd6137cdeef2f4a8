"""``saber sessions``: find, list, show and delete recorded sessions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from console.commands.numbers import Whole
from console.commands.options import DB, JSON, Refused, existing, print_json, with_sentences
from console.commands.session_ids import with_full_session_ids

if TYPE_CHECKING:
    from sessions.store.excerpts import Excerpt
    from sessions.store.finding import SearchResult, SessionFilter

MOST = 100
"""Sessions that are listed for a person who gave no limit."""

RESULTS = ("right", "wrong", "open", "unscored")

VERDICTS = ("right", "wrong", "unclear")
"""The verdicts of labels, repeated here so that nothing has to be imported for them."""


def _moment(context: click.Context, option: click.Parameter, given: str | None) -> str | None:
    """A UTC date, or date and time, in the format of recorded sessions; raises BadParameter."""
    if given is None:
        return None
    try:
        day = datetime.fromisoformat(given).date().isoformat()
        if not given.startswith(day):  # 20261121 is a date too, but the store compares text
            raise ValueError(given)
    except ValueError:
        raise click.BadParameter("Give a date like 2026-11-21, or 2026-11-21T14:30.") from None
    return given.replace(" ", "T")


_FILTERS = (
    click.option("--search", default="", metavar="WORDS",
                 help="Only those with one message that has all words or words beginning with "
                 'them; "in quotes" they must be whole and adjacent. Filters of the list, such as '
                 "result:wrong, can be among them."),
    click.option("--domain", default=None, help="Only sessions of this domain."),
    click.option("--model", default=None, help="Only sessions that this agent played."),
    click.option("--scenario", default=None, help="Only sessions of this role."),
    click.option("--run", default=None, metavar="NAME", help="Only those of a headless run."),
    click.option("--from", "since", default=None, metavar="DATE", callback=_moment,
                 help="Only those that began on this day or later (UTC)."),
    click.option("--to", "until", default=None, metavar="DATE", callback=_moment,
                 help="Only those that began on this day or earlier (UTC)."),
    click.option("--result", default=None, type=click.Choice(RESULTS), help="Only those with this "
                                                                            "result."),
    click.option("--gate", default=None, type=click.Choice(["on", "off"]),
                 help="Whether writes waited for a yes, as last set."),
    click.option("--label", default=None, type=click.Choice(VERDICTS),
                 help="Only those with this label on the session itself, an event or a card."),
    click.option("--tag", default=None, help="Only those with a label that has this tag."),
    click.option("--limit", default=None, type=Whole(),
                 help=f"The most to list.  [default: {MOST}; with --json all]"),
)  # fmt: skip


def _with_filters(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed((*_FILTERS, DB, JSON)):
        command = option(command)
    return command


@click.group(invoke_without_command=True)
@_with_filters
@click.pass_context
@with_sentences
def sessions(context: click.Context, **given: Any) -> None:
    """Find, list, show or delete recorded sessions.

    Without a command they are listed, the newest first.
    """
    if context.invoked_subcommand is None:
        _list(**given)
        return
    early = (each.opts[0] for each in context.command.params if _is_said(context, each.name))
    if option := next(early, None):
        raise click.UsageError(
            f"{option} goes after the command: saber sessions {context.invoked_subcommand} "
            f"{option} …",
            context,
        )


def _is_said(context: click.Context, name: str | None) -> bool:
    return name is not None and context.get_parameter_source(name) is ParameterSource.COMMANDLINE


@sessions.command("list")
@_with_filters
@with_sentences
def list_sessions(**given: Any) -> None:
    """The recorded sessions, the newest first; the same as without ``list``."""
    _list(**given)


def _list(db: Path, as_json: bool, limit: int | None, **given: Any) -> None:
    if not db.exists():
        click.echo("[]" if as_json else f"Nothing has been recorded in {db} yet.")
        return
    from sessions.store.finding import find_all
    from sessions.store.store import Store

    most = limit or (None if as_json else MOST)
    with Store.open(db, read_only=True) as store:
        found = list(find_all(store, _whole_search(**given), most and most + 1))
        warnings = store.warnings
    for warning in warnings:
        click.echo(warning, err=True)
    more = most is not None and len(found) > most
    found = found[:most]
    if as_json:
        print_json([_as_object(each) for each in found])
        return
    for each in found:
        click.echo("\n".join(_lines(each)))
    if more and limit is None:
        click.echo(f"The newest {most} are shown; --limit shows more.", err=True)
    if not found:
        click.echo("No session matches.", err=True)


def _whole_search(search: str, gate: str | None, **given: Any) -> SessionFilter:
    """The search line and the options as one query; raises Refused if they contradict."""
    from console.browser.session_query import QueryError, parse
    from sessions.store.finding import to_fts_query
    from sessions.store.listing import tag

    try:
        asked = parse(search)
    except QueryError as error:
        raise Refused(f"--search: {error}") from error
    if asked.words.strip() and not to_fts_query(asked.words):
        raise Refused("--search contains no word.")
    options = {name: value for name, value in given.items() if value is not None}
    for name in options:
        if getattr(asked, name) is not None:
            raise Refused(f"{name}: is given in --search and as an option; give it once.")
    named = options.get("tag", asked.tag)
    if named is not None and not tag(named):
        raise Refused(f"{'--tag' if 'tag' in options else 'tag:'} contains no tag.")
    if gate and "gate" not in (others := getattr(asked, gate)):
        options[gate] = (*others, "gate")
    return replace(asked, **options)


def _as_object(found: SearchResult) -> dict[str, Any]:
    from dataclasses import asdict

    excerpt = found.excerpt
    told = {
        "seq": excerpt.seq,
        "speaker": excerpt.speaker,
        "text": "".join(text for text, _ in excerpt.parts),
        "matches": [text for text, matched in excerpt.parts if matched],
    } if excerpt else None  # fmt: skip
    tags = {"tags": list(filter(None, found.row.tags.split("\n")))}
    return asdict(found.row) | tags | ({"excerpt": told} if told else {})


def _lines(found: SearchResult) -> Iterable[str]:
    from console.catalogue import session_line

    row = found.row
    yield f"{row.id}  {row.result:<8} {_one_line(session_line(row).line)}"
    if row.labels:
        tags = "".join(f" #{each}" for each in row.tags.split("\n") if each)
        yield f"    labelled {row.labels}{tags}"
    if found.excerpt:
        yield f"    {found.excerpt.speaker}: {_mark_matches(found.excerpt)}"


def _mark_matches(excerpt: Excerpt) -> str:
    """The excerpt with its matches in bold, which click omits if the output is no terminal."""
    return "".join(
        click.style(text, bold=True) if matched else text for text, matched in excerpt.parts
    )


def _one_line(text: str) -> str:
    """Untrusted text from a log as one line without control characters for the terminal."""
    from sessions.cleaning import clean

    return clean(text).replace("\n", " ")


@sessions.command("show")
@click.argument("session")
@DB
@JSON
@with_sentences
@with_full_session_ids("session")
def show_session(session: str, db: Path, as_json: bool) -> None:
    """A session's log: what was said and done, or with --json every event."""
    from sessions.store.store import Store

    with Store.open(existing(db), read_only=True) as store:
        log = store.read(session)
    if as_json:
        print_json([logged.model_dump(mode="json") for logged in log])
        return
    from console.reports.printing import item_lines
    from sessions.views import label_lines, transcript

    for item in transcript(log):
        for line in item_lines(item):
            click.echo(_one_line(line))
    given = label_lines(log)
    for line in ("labels:", *(f"  {each}" for each in given)) if given else ():
        click.echo(_one_line(line))


@sessions.command("delete")
@click.argument("session")
@DB
@click.option("--yes", is_flag=True, help="Do not ask.")
@with_sentences
@with_full_session_ids("session")
def delete_session(session: str, db: Path, yes: bool) -> None:
    """Remove a session and its whole log for good."""
    from sessions.store.store import Store

    with Store.open(existing(db)) as store:
        found = store.session(session)
        if not yes:
            said = found.title or "nothing said"
            click.confirm(f"Delete {found.id} ({said}) for good?", abort=True)
        store.delete(session)
    click.echo(f"Deleted {session}.")
