"""Decides whether a wrong outcome may be the customer's own doing, and so shows no policy gap.

The task defines the right outcome. If customers declined a change that it needs, or left with one
undecided, they missed it for a reason that no policy contains.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sessions.events import CardShown, DecisionMade, Logged

TURNED_DOWN = "The customer declined a change of the right end, so the end is their own choice."
LEFT_UNDECIDED = "The session ended while a change was still undecided."


def reason_against_gap(log: Sequence[Logged], end: Collection[str]) -> str:
    """The reason why a wrong outcome says nothing about the policy; empty if it may.

    ``end`` has the tools of the changes that would correct it. One of them that was declined is
    enough: the others may fail only because it would have been made before them.
    """
    tools: dict[str, str] = {}
    decided: dict[str, str] = {}
    for each in log:
        if isinstance(each.event, CardShown):
            tools[each.event.card.id] = each.event.card.tool
            decided[each.event.card.id] = ""
        elif isinstance(each.event, DecisionMade) and each.event.decision != "ask":
            decided[each.event.card_id] = each.event.decision
    turned_down = {
        tools.get(card) for card, made in decided.items() if made in ("reject", "change")
    }
    if not turned_down.isdisjoint(end):
        return TURNED_DOWN
    last = next(reversed(decided.values()), "approve")
    return "" if last in ("approve", "reject", "change") else LEFT_UNDECIDED
