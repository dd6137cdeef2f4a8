"""How a card relates to what was shown before it, which the person should know first."""

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
    """Whether the card was shown right after an attention check for the same call."""
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
    """Whether the card replaces one that was approved and became outdated before it was used."""
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
