"""What became of the cards of one session."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from sessions.events import DecisionMade
from sessions.statistics.consenting import CUSTOMERS
from sessions.views.cards import DecisionRow


@dataclass(frozen=True, slots=True)
class CardFacts:
    """What became of a session's cards."""

    shown: int
    """Every card, those that stood in for a stale one included."""

    approved: int
    rejected: int
    changed: int
    withdrawn: int
    """Neither approved nor declined, as the turn ended or the card went stale first."""

    automatic: int
    """Approved by nobody: the gate was off, or a rule asked for no word on this card."""

    asked: int
    """Cards about which the customer asked at least one question."""

    twice: int
    """Cards on what the customer had just said yes to in words, because the agent asked."""

    looks: tuple[int, ...]
    """Milliseconds from each card being readable to a person's decision on it."""

    @property
    def put(self) -> int:
        """Cards that were put to somebody."""
        return self.shown - self.automatic


def card_facts(rows: Sequence[DecisionRow], *, twice: int = 0) -> CardFacts:
    """What became of these cards; `twice` is how many of them asked for a yes already given."""
    made = [row.decision for row in rows if row.decision is not None]
    automatic = [each for each in made if _by_nobody(each)]
    choices = Counter(each.decision for each in made if not _by_nobody(each))
    return CardFacts(
        shown=len(rows),
        approved=choices["approve"],
        rejected=choices["reject"],
        changed=choices["change"],
        withdrawn=choices["withdrawn"],
        automatic=len(automatic),
        asked=sum(bool(row.questions) for row in rows),
        twice=twice,
        looks=tuple(each.milliseconds for each in made if _is_looked_at(each)),
    )


def _by_nobody(made: DecisionMade) -> bool:
    return made.decision == "approve" and made.by not in CUSTOMERS


def _is_looked_at(made: DecisionMade) -> bool:
    return made.by == "person" and made.decision != "withdrawn"
