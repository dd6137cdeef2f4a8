"""One row per attention check: what was shown, what had been meant, and what was decided.

These rows are kept separate from the rows of cards (:mod:`sessions.views.cards`) everywhere,
because a check is not a pending write.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sessions.events import (
    AttentionCheckAsked,
    AttentionCheckDecided,
    AttentionCheckShown,
    Card,
    ContextAssembled,
    Logged,
    ReflectionWritten,
)
from sessions.views.surroundings import CardContext


@dataclass(slots=True)
class CheckRow:
    """The history of one attention check, in terms of the events that record it."""

    shown: Logged
    check: AttentionCheckShown
    """What was shown, and what had been meant."""

    turn: int
    model: str
    reflection: ReflectionWritten | None
    """The reminder the agent received before it proposed the call that was altered."""

    context: ContextAssembled | None
    """What the model was sent in this turn."""

    decided: Logged | None = None
    decision: AttentionCheckDecided | None = None
    questions: tuple[str, ...] = ()
    """The questions asked about it while it waited."""

    @property
    def card(self) -> Card:
        """The card that was shown."""
        return self.check.card


def check_rows(events: Iterable[Logged]) -> list[CheckRow]:
    """One row for each attention check of the session, in the order in which they were shown."""
    fold = _Checks()
    for logged in events:
        fold.add(logged)
    return list(fold.rows.values())


class _Checks:
    def __init__(self) -> None:
        self.rows: dict[str, CheckRow] = {}
        self._around = CardContext()

    def add(self, logged: Logged) -> None:
        match logged.event:
            case AttentionCheckShown(card=card) as check:
                self._take_up_again(card)
                around, reflection = self._around, self._around.reminder_of(card.tool)
                self.rows[card.id] = CheckRow(
                    logged, check, around.turn, around.model, reflection, around.context
                )
            case AttentionCheckAsked(card_id=asked_about) if asked_about in self.rows:
                self.rows[asked_about].questions += (logged.event.words,)
            case AttentionCheckDecided() as decided if decided.card_id in self.rows:
                row = self.rows[decided.card_id]
                row.decided, row.decision = logged, decided
            case event:
                self._around.advance(event)

    def _take_up_again(self, card: Card) -> None:
        """Drop the row of a check that was left, if the same check is now shown again."""
        for shown_as, row in self.rows.items():
            left = row.decision is not None and row.decision.decision == "withdrawn"
            if left and (row.card.call_id, row.turn) == (card.call_id, self._around.turn):
                del self.rows[shown_as]
                return
