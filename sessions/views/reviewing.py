"""What a second reviewer sees of a recorded card, and which cards are left for them.

Reviewers decide blind: they see the conversation up to the card and the card as it was, and nothing
that reveals its outcome. Each change is shown to them once: if several cards replaced one another
because the records had changed, it is the last one, without what was said about the earlier ones. A
change that no one was asked about gets a card afterwards, placed where the change was carried out.
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
"""Suffix to the name of a reviewer who was shown the bare call instead of a card."""

CUSTOMER = "the customer"
"""The name for the first decider on a reviewer's screen and in the statistics."""

_JUDGEMENTS = (
    AttentionCheckAsked, AttentionCheckDecided, AttentionCheckShown, Labelled, Reviewed, Scored,
)  # fmt: skip
"""Later judgements of the session, and attention checks."""


@dataclass(frozen=True, slots=True)
class BlindCard:
    """A card as it is shown to a reviewer."""

    session: str
    seq: int
    """The seq of the event that showed the card or, without a card, carried the change out."""

    card: Card
    items: tuple[Item, ...]
    """The conversation up to the card."""

    origin: Origin = "live"
    """Whether the card was shown in the session, or made afterwards."""


def reviewable_cards(events: Sequence[Logged]) -> list[DecisionRow]:
    """The cards of a session that need a second decision, in the order they were shown.

    They qualify whether a person decided first, the gate was off, or the turn ended under the card.
    Events that a fork shares with its parent count as the parent's. So does a card that waited
    where the fork begins, because it has the same id in both.
    """
    shared, rows = count_inherited(events), decision_rows(events)
    replaced = {row.replaces for row in rows}
    return [row for row in rows if row.card.id not in replaced and row.shown.seq > shared]


def undecided_rows(events: Sequence[Logged], known: Collection[str]) -> list[DecisionRow]:
    """The cards that can still be decided blind, given the known ones (:func:`cards_known_to`)."""
    return [row for row in reviewable_cards(events) if row.card.id not in known]


def cards_known_to(events: Sequence[Logged], by: str) -> set[str]:
    """The cards of a session that this reviewer has decided or can no longer decide blind.

    The latter are all cards before one that they decided, including those that a fork shares with
    its parent: the conversation up to that card revealed their outcome.
    """
    decided = cards_reviewed_by(events, by)
    cards = [each.card_id for each in writes(events)]
    last = max((place for place, card in enumerate(cards) if card in decided), default=-1)
    return set(cards[: last + 1])


def cards_reviewed_by(events: Sequence[Logged], by: str) -> set[str]:
    """The cards of a session that this reviewer has decided."""
    reviews = (logged.event for logged in events if isinstance(logged.event, Reviewed))
    return {review.card_id for review in reviews if review.by == by}


def decider(review: Reviewed) -> str:
    """The decider's name in statistics; one person counts as two, by card and by bare call."""
    return review.by if review.form == "card" else f"{review.by}{RAW}"


def make_blind_card(events: Sequence[Logged], row: DecisionRow | WriteCard) -> BlindCard:
    """A card and the conversation up to it, without any trace of the decision on the card."""
    shown = row.shown
    origin: Origin = "live" if isinstance(shown.event, CardShown) else "recorded"
    before = events[: shown.seq if origin == "live" else shown.seq - 1]
    items = transcript(list(_tellable(before, _predecessors(before, row))))
    return BlindCard(shown.session, shown.seq, row.card, tuple(items), origin)


def _predecessors(events: Sequence[Logged], row: DecisionRow | WriteCard) -> set[str]:
    """The ids of the earlier cards that this one replaces."""
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
    """Yield the events that a reviewer may see, naming the first decider in the third person."""
    for logged in events:
        match logged.event:
            case (
                DecisionMade(card_id=card) | CardAnswered(card_id=card) | AgentSaid(about_card=card)
            ) if card in same_change:
                pass
            case DecisionMade(by="person") as made:
                third = made.model_copy(update={"by": CUSTOMER})
                yield logged.model_copy(update={"event": third})
            case Imported() as run:  # the reward from the other program is a verdict
                unscored = run.model_copy(update={"recorded_reward": None})
                yield logged.model_copy(update={"event": unscored})
            case event if not isinstance(event, _JUDGEMENTS):
                yield logged
            case _:
                pass
