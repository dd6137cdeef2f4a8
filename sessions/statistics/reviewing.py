"""Analyse second decisions on recorded cards: how far people agree, and who spots wrong cards.

The first decider counts as ``the customer``, whether a person or a stand-in. Automatic approvals
and withdrawn cards are not decisions; there, the reviewer's decision is the only one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from sessions.events import Logged, Reviewed
from sessions.statistics.agreement import Agreement, agreement, in_order
from sessions.statistics.consenting import CUSTOMERS
from sessions.statistics.intervals import DRAWS, SEED, Share, share
from sessions.store.forking import count_inherited
from sessions.views.cards import DecisionRow
from sessions.views.reviewing import CUSTOMER, decider, reviewable_cards
from sessions.views.writes import own_writes

CHOICES = ("approve", "reject", "change")
APPROVED_OR_NOT = ("approve", "not approve")


@dataclass(frozen=True, slots=True)
class ReviewedCard:
    """A card that was decided a second time."""

    card: str
    decisions: Mapping[str, str]
    """The decisions by decider."""

    wrong: bool | None = None
    """Whether its call was wrong, that is, did not lead to an acceptable end.

    None if that is unknown, or if the task expects what the policy forbids.
    """


@dataclass(frozen=True, slots=True)
class Detection:
    """How well one decider told wrong cards from right ones."""

    decider: str
    hits: Share
    """The wrong cards that they did not approve, as a share of the wrong ones they decided."""

    false_alarms: Share
    """The right cards that they did not approve, as a share of the right ones they decided."""


@dataclass(frozen=True, slots=True)
class Reviews:
    """What the second decisions on a group's cards show."""

    cards: int
    """Cards that were decided a second time, or by a reviewer alone."""

    sessions: int
    reviewers: tuple[str, ...]
    agreement: Agreement
    """The agreement on the card's choices: approve, reject, change."""

    approval: Agreement
    """The agreement with reject and change taken together."""

    tells_apart: bool
    """Whether both reject and change occur; otherwise the two measures of agreement are the same.
    """

    detections: tuple[Detection, ...]
    """One entry for each decider of a card that is known to be right or wrong."""

    unknown: int
    """Cards that are not known to be right or wrong, or that are right but against the policy."""


def reviewed_cards(
    events: Sequence[Logged], wrong: Mapping[str, bool] | None = None
) -> tuple[ReviewedCard, ...]:
    """The cards of a session that have a second decision.

    ``wrong`` says which cards are wrong, as far as that is known. Reviews belong to the session
    that they were made in: a fork does not count those that it shares with its parent.
    """
    seconds: dict[str, dict[str, str]] = {}
    for logged in events[count_inherited(events) :]:
        if isinstance(review := logged.event, Reviewed):
            seconds.setdefault(review.card_id, {})[decider(review)] = review.decision
    first = {row.card.id: _first(row) for row in reviewable_cards(events)}
    return tuple(
        ReviewedCard(
            each.card_id,
            {**seconds[each.card_id], **first.get(each.card_id, {})},
            None if wrong is None else wrong.get(each.card_id),
        )
        for each in own_writes(events)
        if each.card_id in seconds
    )


def reviews(
    sessions: Iterable[Sequence[ReviewedCard]], *, seed: int = SEED, draws: int = DRAWS
) -> Reviews | None:
    """What the second decisions of these sessions show; None if there are none."""
    held = [cards for cards in sessions if cards]
    if not held:
        return None
    decisions = [[each.decisions for each in cards] for cards in held]
    approvals = [[_approval(card) for card in cards] for cards in decisions]
    cards = [each for cards in held for each in cards]
    deciders = in_order({each for card in cards for each in card.decisions})
    known = [each for each in cards if each.wrong is not None]
    return Reviews(
        cards=len(cards),
        sessions=len(held),
        reviewers=tuple(each for each in deciders if each != CUSTOMER),
        agreement=agreement(decisions, CHOICES, seed=seed, draws=draws),
        approval=agreement(approvals, APPROVED_OR_NOT, seed=seed, draws=draws),
        tells_apart={"reject", "change"}
        <= {made for card in cards for made in _decisions_on(card)},
        detections=tuple(
            _detection(each, known) for each in deciders if any(each in c.decisions for c in known)
        ),
        unknown=len(cards) - len(known),
    )


def _decisions_on(card: ReviewedCard) -> Collection[str]:
    return card.decisions.values()


def _first(row: DecisionRow) -> dict[str, str]:
    """The customer's decision; empty if the customer made none."""
    made = row.decision
    if made is None or made.by not in CUSTOMERS or made.decision not in CHOICES:
        return {}
    return {CUSTOMER: made.decision}


def _approval(decisions: Mapping[str, str]) -> dict[str, str]:
    return {who: APPROVED_OR_NOT[made != "approve"] for who, made in decisions.items()}


def _detection(who: str, cards: Iterable[ReviewedCard]) -> Detection:
    decided = [(each.wrong, each.decisions[who]) for each in cards if who in each.decisions]
    wrong = [made != "approve" for is_wrong, made in decided if is_wrong]
    right = [made != "approve" for is_wrong, made in decided if not is_wrong]
    return Detection(who, share(sum(wrong), len(wrong)), share(sum(right), len(right)))
