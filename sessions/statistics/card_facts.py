"""What became of the cards of one session."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from sessions.events import CardShown, DecisionMade
from sessions.statistics.consenting import CUSTOMERS
from sessions.views.cards import DecisionRow


@dataclass(frozen=True, slots=True)
class CardFacts:
    """What became of a session's cards."""

    shown: int
    """Every card, those that stood in for a stale one included. One that was approved and had to be
    put again, as the program ended before the change was made, is one card."""

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


def card_facts(every: Sequence[DecisionRow], *, twice: int = 0) -> CardFacts:
    """What became of these cards; `twice` is how many of them asked for a yes already given."""
    rows = _without_repetitions(every)
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


def _without_repetitions(rows: Sequence[DecisionRow]) -> list[DecisionRow]:
    """The cards, each approval that changed nothing left out where the same card was put again.

    The same: of the same call, on the same records, in the same words. So it is where the program
    ended between the approval and the change, and nothing else.
    """
    again = {row.replaces: row for row in rows if row.replaces is not None}
    return [row for row in rows if not _is_repeated(row, again.get(row.card.id))]


def _is_repeated(row: DecisionRow, again: DecisionRow | None) -> bool:
    if again is None or row.decision is None or row.decision.decision != "approve":
        return False
    return row.written is None and _sameness(row) == _sameness(again)


def _sameness(row: DecisionRow) -> tuple[str, ...]:
    shown = row.shown.event
    words = shown.words_digest if isinstance(shown, CardShown) else ""
    return row.card.call_digest, row.card.state_digest, words


def _by_nobody(made: DecisionMade) -> bool:
    return made.decision == "approve" and made.by not in CUSTOMERS


def _is_looked_at(made: DecisionMade) -> bool:
    return made.by == "person" and made.decision != "withdrawn"
