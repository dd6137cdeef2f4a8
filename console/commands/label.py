"""``saber label``: record a person's verdict on a session, or on one of its events or cards."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from console.commands.numbers import Whole
from console.commands.options import DB, JSON, Refused, existing, print_json, with_sentences
from console.commands.session_ids import with_full_session_ids
from console.commands.sessions import VERDICTS

if TYPE_CHECKING:
    from sessions.events import Logged
    from sessions.views.labels import Place

_DIGITS = 10
"""The number of a card has fewer digits than this."""

Says = Literal["right", "wrong", "unclear"]


@click.command()
@click.argument("session")
@click.argument("verdict", type=click.Choice(VERDICTS))
@click.option("--event", "seq", type=Whole(), metavar="N", help="About this event.")
@click.option("--card", metavar="N|ID", help="About this card: 1 is the first that was shown.")
@click.option("--tag", "tags", multiple=True, help="A tag to find it by; may be repeated.")
@click.option("--note", default="", metavar="TEXT", help="Why, in your words.")
@click.option(
    "--by", default=None, metavar="NAME", help="Who gives the label.  [default: your login]"
)
@DB
@JSON
@with_sentences
@with_full_session_ids("session")
def label(
    session: str,
    verdict: Says,
    seq: int | None,
    card: str | None,
    tags: tuple[str, ...],
    note: str,
    by: str | None,
    db: Path,
    as_json: bool,
) -> None:
    """Label a session, an event or a card as right, wrong or unclear.

    The label is kept in the session's log. If one person labels the same thing again, the last
    label holds; earlier ones stay in the log.
    """
    from sessions.review.labelling import NotLabelled, make_label, own_name
    from sessions.store.store import Store
    from sessions.views import label_lines

    if seq is not None and card is not None:
        raise click.UsageError("--event and --card are two places: give only one of them.")
    if not all(map(str.strip, tags)):
        raise click.UsageError("A tag is a word or two to find the label by; it cannot be empty.")
    with Store.open(existing(db)) as store:
        log = store.read(session)
        place = _place(log, seq, card)
        try:
            who = own_name() if by is None else by
            given = make_label(place, verdict, tags=tags, note=note, by=who)
        except NotLabelled as error:
            raise Refused(f"{error} Use --by NAME.") from error
        (kept,) = store.append(session, [given])
    if as_json:
        print_json(kept.model_dump(mode="json"))
        return
    (told,) = label_lines([each for each in log if each.event.type == "card_shown"] + [kept])
    click.echo(f"Labelled {told}")


def _place(log: Sequence[Logged], seq: int | None, card: str | None) -> Place:
    """What is labelled; raises Refused if there is no such event or card."""
    if card is not None:
        return "card", _card(log, card)
    if seq is None:
        return "session", None
    if seq > len(log):
        raise Refused(f"Session {log[0].session} has {len(log)} events; there is no event {seq}.")
    return "event", seq


def _card(log: Sequence[Logged], named: str) -> str:
    """The id of a card, given its id or its number in the session; raises Refused."""
    from sessions.events import CardShown

    cards = [each.event.card.id for each in log if isinstance(each.event, CardShown)]
    if named in cards:
        return named
    number = int(named) if named.isdecimal() and len(named) < _DIGITS else 0
    if 0 < number <= len(cards):
        return cards[number - 1]
    there = {0: "no card was shown", 1: "one card was shown"}.get(
        len(cards), f"{len(cards)} cards were shown"
    )
    raise Refused(f"In session {log[0].session} {there}; there is no card {named}.")
