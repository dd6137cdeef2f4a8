"""What a second person is shown of a recorded card, and which cards are left for them.

They decide blind: they see the conversation up to the card and the card as it was, and nothing
that tells what was made of it. A change is put to them once: of cards that stood in for one
another, because the records had moved, the last is, without what was said to those before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sessions.events import (
    AgentSaid,
    AttentionCheckDecided,
    AttentionCheckShown,
    Card,
    CardShown,
    DecisionMade,
    Labelled,
    Logged,
    Reviewed,
    Scored,
)
from sessions.forking import inherited
from sessions.views.cards import DecisionRow, decision_rows
from sessions.views.items import Item
from sessions.views.transcript import transcript

CUSTOMER = "the customer"
"""How a reviewer's screen and the statistics name whoever decided first."""

_JUDGEMENTS = (AttentionCheckDecided, AttentionCheckShown, Labelled, Reviewed, Scored)
"""What others made of the session, and what its customer was only tested with."""


@dataclass(frozen=True, slots=True)
class BlindCard:
    """A card as a reviewer is shown it."""

    session: str
    seq: int
    """Of the event that showed it."""

    card: Card
    items: tuple[Item, ...]
    """The conversation up to it."""


def put_to_reviewers(events: Sequence[Logged]) -> list[DecisionRow]:
    """The cards of a session that are worth a second decision, in the order they were shown.

    Whoever decided first, if anybody did: a person, nobody because the gate was off, or nobody
    because the turn ended under the card. What a fork shares with its parent is its parent's.
    """
    shared, rows = inherited(events), decision_rows(events)
    replaced = {row.replaces for row in rows}
    return [
        row
        for row in rows
        if row.card.id not in replaced and (row.decided or row.shown).seq > shared
    ]


def left_for(events: Sequence[Logged], by: str) -> list[DecisionRow]:
    """The cards that this person can still decide blind.

    A card that they passed over is not among them once they have decided a later one of the same
    session, since the conversation up to that one told them what had become of it.
    """
    decided = reviewed_by(events, by)
    rows = put_to_reviewers(events)
    last = max((place for place, row in enumerate(rows) if row.card.id in decided), default=-1)
    return rows[last + 1 :]


def reviewed_by(events: Sequence[Logged], by: str) -> set[str]:
    """The cards of a session that this person has decided."""
    reviews = (logged.event for logged in events if isinstance(logged.event, Reviewed))
    return {review.card_id for review in reviews if review.by == by}


def blind(events: Sequence[Logged], row: DecisionRow) -> BlindCard:
    """A card and the conversation up to it, without a trace of what was made of the card."""
    before = events[: row.shown.seq]
    items = transcript(list(_told(before, _predecessors(before, row))))
    return BlindCard(row.shown.session, row.shown.seq, row.card, tuple(items))


def _predecessors(events: Sequence[Logged], row: DecisionRow) -> set[str]:
    """The cards that this one stands in for."""
    replaced = {
        logged.event.card.id: logged.event.replaces
        for logged in events
        if isinstance(logged.event, CardShown)
    }
    found: set[str] = set()
    earlier = row.replaces
    while earlier is not None and earlier not in found:
        found.add(earlier)
        earlier = replaced.get(earlier)
    return found


def _told(events: Sequence[Logged], same_change: set[str]) -> Iterator[Logged]:
    """The events that a reviewer may know of, the first person named in the third."""
    for logged in events:
        match logged.event:
            case DecisionMade(card_id=card) | AgentSaid(about_card=card) if card in same_change:
                pass
            case DecisionMade(by="person") as made:
                third = made.model_copy(update={"by": CUSTOMER})
                yield logged.model_copy(update={"event": third})
            case event if not isinstance(event, _JUDGEMENTS):
                yield logged
            case _:
                pass
