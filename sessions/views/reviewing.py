"""What a second person is shown of a recorded card, and which cards are left for them.

They decide blind: they see the conversation up to the card and the card as it was, and nothing
that tells what was made of it. A change is put to them once: of cards that stood in for one
another, because the records had moved, the last is, without what was said to those before it. A
change that nobody was asked about has a card that is made afterwards; it stands where the change
was carried out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from sessions.events import (
    AgentSaid,
    AttentionCheckAsked,
    AttentionCheckDecided,
    AttentionCheckShown,
    Card,
    CardAnswered,
    CardShown,
    DecisionMade,
    Imported,
    Labelled,
    Logged,
    Reviewed,
    Scored,
)
from sessions.store.forking import count_inherited
from sessions.views.cards import DecisionRow, decision_rows
from sessions.views.items import Item
from sessions.views.transcript import transcript
from sessions.views.writes import Origin, WriteCard, writes

RAW = ", shown the bare call"
"""What follows the name of a reviewer who was shown no card."""

CUSTOMER = "the customer"
"""How a reviewer's screen and the statistics name whoever decided first."""

_JUDGEMENTS = (
    AttentionCheckAsked, AttentionCheckDecided, AttentionCheckShown, Labelled, Reviewed, Scored,
)  # fmt: skip
"""What others made of the session, and what its customer was only tested with."""


@dataclass(frozen=True, slots=True)
class BlindCard:
    """A card as a reviewer is shown it."""

    session: str
    seq: int
    """Of the event that showed it, or that carried the change out without one."""

    card: Card
    items: tuple[Item, ...]
    """The conversation up to it."""

    origin: Origin = "live"
    """Whether it was shown then, or is made afterwards."""


def put_to_reviewers(events: Sequence[Logged]) -> list[DecisionRow]:
    """The cards of a session that are worth a second decision, in the order they were shown.

    Whoever decided first, if anybody did: a person, nobody because the gate was off, or nobody
    because the turn ended under the card. What a fork shares with its parent is its parent's, a
    card that waited where the fork begins as well: it has the same id in both.
    """
    shared, rows = count_inherited(events), decision_rows(events)
    replaced = {row.replaces for row in rows}
    return [row for row in rows if row.card.id not in replaced and row.shown.seq > shared]


def rows_left_for(events: Sequence[Logged], known: Collection[str]) -> list[DecisionRow]:
    """The cards that somebody who knows of those can still decide blind; :func:`cards_known_to`."""
    return [row for row in put_to_reviewers(events) if row.card.id not in known]


def cards_known_to(events: Sequence[Logged], by: str) -> set[str]:
    """The cards that this person has decided in a session, or cannot decide blind any more.

    Those are the cards before one that they decided, what a fork shares with its parent among
    them: the conversation up to that one told what had become of them.
    """
    decided = cards_reviewed_by(events, by)
    cards = [each.card_id for each in writes(events)]
    last = max((place for place, card in enumerate(cards) if card in decided), default=-1)
    return set(cards[: last + 1])


def cards_reviewed_by(events: Sequence[Logged], by: str) -> set[str]:
    """The cards of a session that this person has decided."""
    reviews = (logged.event for logged in events if isinstance(logged.event, Reviewed))
    return {review.card_id for review in reviews if review.by == by}


def decider(review: Reviewed) -> str:
    """How statistics name whoever decided: the same person is another before the bare call."""
    return review.by if review.form == "card" else f"{review.by}{RAW}"


def blind(events: Sequence[Logged], row: DecisionRow | WriteCard) -> BlindCard:
    """A card and the conversation up to it, without a trace of what was made of the card."""
    shown = row.shown
    origin: Origin = "live" if isinstance(shown.event, CardShown) else "recorded"
    before = events[: shown.seq if origin == "live" else shown.seq - 1]
    items = transcript(list(_tellable(before, _predecessors(before, row))))
    return BlindCard(shown.session, shown.seq, row.card, tuple(items), origin)


def _predecessors(events: Sequence[Logged], row: DecisionRow | WriteCard) -> set[str]:
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


def _tellable(events: Sequence[Logged], same_change: set[str]) -> Iterator[Logged]:
    """The events that a reviewer may know of, the first person named in the third."""
    for logged in events:
        match logged.event:
            case (
                DecisionMade(card_id=card) | CardAnswered(card_id=card) | AgentSaid(about_card=card)
            ) if card in same_change:
                pass
            case DecisionMade(by="person") as made:
                third = made.model_copy(update={"by": CUSTOMER})
                yield logged.model_copy(update={"event": third})
            case Imported() as run:  # its own program's reward is a verdict
                unscored = run.model_copy(update={"recorded_reward": None})
                yield logged.model_copy(update={"event": unscored})
            case event if not isinstance(event, _JUDGEMENTS):
                yield logged
            case _:
                pass
