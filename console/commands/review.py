"""``saber review``: let a second person decide recorded cards blind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from console.commands.options import (
    DATA,
    DB,
    TASKS,
    Refused,
    command_again,
    with_sentences,
)
from console.commands.session_ids import with_full_session_ids
from console.setup import Setup

if TYPE_CHECKING:
    from sessions.events import Form
    from sessions.review.desk import ReviewDesk
    from sessions.store.listing import SessionRow
    from sessions.store.store import Store

LONGEST_NAME = 60
"""Longest name of a reviewer, in characters."""

_RESERVED = frozenset({"the customer", "person", "simulated", "script", "auto", "rule"})
"""Names that stand for the original decider."""


def _name(context: click.Context, option: click.Parameter, given: str | None) -> str:
    """The name that was given, or else the login; raises BadParameter."""
    from sessions.cleaning import clean
    from sessions.review.reviewer import login

    name = " ".join(clean(login() if given is None else given).split())
    if not name or len(name) > LONGEST_NAME or not name[0].isalnum():
        raise click.BadParameter(
            f"Give a name that begins with a letter or a digit, of at most {LONGEST_NAME} "
            "characters: --by NAME."
        )
    if name.casefold() in _RESERVED:
        raise click.BadParameter(f"“{name}” means whoever decided first; choose another name.")
    return name


_OPTIONS = (
    click.option("--by", metavar="NAME", callback=_name,
                 help="Who decides.  [default: your login]"),
    click.option("--search", default="", metavar="WORDS",
                 help="Only sessions with every word in one message."),
    click.option("--domain", default=None, help="Only sessions of this domain."),
    click.option("--model", default=None, help="Only sessions that this agent played."),
    click.option("--scenario", default=None, help="Only sessions of this role."),
    click.option("--run", default=None, metavar="NAME", help="Only those of a headless run."),
    click.option("--raw", is_flag=True,
                 help="Show the bare call, tool and arguments, instead of the card."),
)  # fmt: skip


def _options(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed((*_OPTIONS, DB, DATA, TASKS)):
        command = option(command)
    return command


@click.command()
@click.argument("session", nargs=-1)
@_options
@with_sentences
@with_full_session_ids("session")
def review(
    session: tuple[str, ...],
    by: str,
    raw: bool,
    db: Path,
    data: Path | None,
    tasks: Path | None,
    **filters: Any,
) -> None:
    """Decide recorded changes yourself, without knowing what was decided on them.

    The cards of the named sessions, or of all matching sessions that have ended, come one after
    the other, each with the conversation up to it. Where nobody was asked, as in imported
    conversations, the card is made afterwards from the records of that time; if these have moved,
    --data says where they are now. Every decision is kept at once, under your name; the next time
    you continue from there. saber stats then shows how far people agree, saber stats --cards what
    cards catch.
    """
    if not db.exists():
        click.echo(f"Nothing has been recorded in {db} yet, so there is nothing to review.")
        return
    if session and any(filters.values()):
        raise click.UsageError("Name sessions or select them with options, not both.")
    from console.reports.evidence import card_maker
    from sessions.review.desk import ReviewDesk
    from sessions.store.store import Store

    with Store.open(db) as store:
        if store.read_only:
            raise Refused(" ".join(store.warnings))
        wanted = _sessions_named(store, session) if session else _fitting(store, **filters)
        form: Form = "raw" if raw else "card"
        desk = ReviewDesk(store, wanted, by, form=form, make=card_maker(data, tasks))
        desk.advance()
        if desk.card is None:
            click.echo(_nothing(desk))
        else:
            _show(desk, db)
        for fault in desk.faults:
            click.echo(fault, err=True)


def _sessions_named(store: Store, sessions: Sequence[str]) -> list[str]:
    """The ids of the named sessions, without repeats; raises Refused if one has no cards."""
    rows = [store.session(each) for each in dict.fromkeys(sessions)]
    for row in rows:
        if not _has_changes(row):
            why = "was imported and " if row.is_imported else ""
            raise Refused(f"Session {row.id} {why}has no cards to review.")
    return [row.id for row in rows]


def _fitting(store: Store, *, search: str, **wanted: str | None) -> list[str]:
    """The matching sessions that have ended and have changes, oldest first; raises Refused.

    A session that has not ended may get more cards, so it must be named to be reviewed.
    """
    from sessions.store.finding import SessionFilter, find_all, to_fts_query

    if search.strip() and not to_fts_query(search):
        raise Refused("--search contains no word.")
    rows = (found.row for found in find_all(store, SessionFilter(words=search, **wanted)))  # type: ignore[arg-type]
    return [row.id for row in reversed([row for row in rows if _is_over(row)])]


def _is_over(row: SessionRow) -> bool:
    return row.status == "ended" and _has_changes(row)


def _has_changes(row: SessionRow) -> bool:
    """Whether the session has a card, or a write for which one can be made."""
    return bool(row.cards or row.writes)


def _nothing(desk: ReviewDesk) -> str:
    """Why there is no card to decide, as a sentence."""
    if desk.put:
        from domains.text.quantity import quantity

        every = quantity(desk.put, "card")
        return f"Nothing to review: {desk.by} has been through all {every} there are."
    return (
        "Nothing to review: no matching session that has ended has a card. One that has not ended "
        "must be named: saber review SESSION."
    )


def _show(desk: ReviewDesk, db: Path) -> None:
    """Show the cards, then print what is left and the command that continues."""
    from console import opening
    from domains.text.quantity import quantity

    try:
        opening.open_app(Setup(db=db, review=desk), begin=True)
    finally:
        if desk.decided:
            click.echo(f"{quantity(desk.decided, 'card')} decided as {desk.by}.")
    left = _what_is_left(desk)
    click.echo(left if desk.decided else f"No card was decided. {left}")


def _what_is_left(desk: ReviewDesk) -> str:
    again = command_again(click.get_current_context())
    if desk.card is not None:
        return f"To continue: {again}"
    if desk.skipped:
        return f"To see the skipped cards again, and those after them: {again}"
    return "No card is left."
