"""After what a card was put up: what the person has to know of it before they read it."""

from __future__ import annotations

from collections.abc import Sequence

from sessions.events import (
    AttentionCheckDecided,
    AttentionCheckShown,
    Card,
    CardShown,
    CustomerSaid,
    DecisionMade,
    Logged,
)


def is_after_check(card: Card, events: Sequence[Logged]) -> bool:
    """Whether the card was put up right after an attention check before the same call."""
    decided = False
    for logged in reversed(events):
        match logged.event:
            case AttentionCheckDecided():
                decided = True
            case AttentionCheckShown(card=check):
                return decided and check.call_id == card.call_id
            case DecisionMade() | CustomerSaid():
                return False
            case _:
                pass
    return False


def replaces_stale_card(card: Card, events: Sequence[Logged]) -> bool:
    """Whether the card replaces one that was approved and went stale before it could be used."""
    replaced = {
        event.replaces
        for event in (logged.event for logged in events)
        if isinstance(event, CardShown) and event.card.id == card.id and event.replaces
    }
    return any(
        isinstance(logged.event, DecisionMade)
        and logged.event.card_id in replaced
        and logged.event.decision == "approve"
        for logged in events
    )
