"""Count how the cards of one session were decided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from sessions.events import CardShown, DecisionMade
from sessions.statistics.consenting import CUSTOMERS
from sessions.views.cards import DecisionRow


@dataclass(frozen=True, slots=True)
class CardFacts:
    """Counts of how a session's cards were decided."""

    shown: int
    """All cards, including replacements for stale ones.

    A card that was approved but had to be shown again, because the program ended before the change
    was made, counts once.
    """

    approved: int
    rejected: int
    changed: int
    withdrawn: int
    """Cards that were not decided, because the turn ended or the card went stale first."""

    automatic: int
    """Cards approved without the customer, by a rule or because the gate was off."""

    asked: int
    """Cards about which the customer asked at least one question."""

    twice: int
    """Cards for a change to which the customer had just said yes in words, when asked."""

    looks: tuple[int, ...]
    """The milliseconds from each card being readable to a person's decision on it."""

    @property
    def put(self) -> int:
        """The number of cards that were not approved automatically."""
        return self.shown - self.automatic


def card_facts(every: Sequence[DecisionRow], *, twice: int = 0) -> CardFacts:
    """Count how these cards were decided.

    `twice` is the number of cards that asked for a yes already given in words.
    """
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
    """The cards without approvals that changed nothing and were followed by the same card again.

    The same card means the same call, on the same records, in the same wording. This happens only
    if the program ended between the approval and the change.
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
