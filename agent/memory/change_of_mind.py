"""Whether a wrong end may be the customer's own doing: then it is no sign of a gap in the policy.

The right end is the task's. A customer who asked for something else on a card, or left with one
undecided, did not come to it for a reason that no policy has.
"""

from __future__ import annotations

from collections.abc import Sequence

from sessions.events import CardShown, DecisionMade, Logged

ASKED_FOR_ANOTHER = "The customer asked for something else on a card, so that the end is theirs."
LEFT_UNDECIDED = "The session ended with a change that nobody had decided."


def why_no_gap(log: Sequence[Logged]) -> str:
    """Why a wrong end says nothing of the policy; empty where it may."""
    decided: dict[str, str] = {}
    for each in log:
        if isinstance(each.event, CardShown):
            decided[each.event.card.id] = ""
        elif isinstance(each.event, DecisionMade) and each.event.decision != "ask":
            decided[each.event.card_id] = each.event.decision
    if not {"reject", "change"}.isdisjoint(decided.values()):
        return ASKED_FOR_ANOTHER
    last = next(reversed(decided.values()), "approve")
    return "" if last == "approve" else LEFT_UNDECIDED
