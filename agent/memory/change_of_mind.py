"""Whether a wrong end may be the customer's own doing: then it is no sign of a gap in the policy.

The right end is the task's. A customer who turned down the very change that it needs, or left with
one undecided, did not come to it for a reason that no policy has.
"""

from __future__ import annotations

from collections.abc import Sequence

from sessions.events import CardShown, DecisionMade, Logged

TURNED_DOWN = "The customer turned down this very change on a card, so that the end is theirs."
LEFT_UNDECIDED = "The session ended with a change that nobody had decided."


def why_no_gap(log: Sequence[Logged], tool: str) -> str:
    """Why a wrong end that a change of this tool would mend says nothing of the policy.

    Empty where it may.
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
    if tool in turned_down:
        return TURNED_DOWN
    last = next(reversed(decided.values()), "approve")
    return "" if last in ("approve", "reject", "change") else LEFT_UNDECIDED
