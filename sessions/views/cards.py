"""One row per card: what was shown, what was decided, and what happened next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sessions.events import (
    Card,
    CardShown,
    ConsentUsed,
    ContextAssembled,
    DecisionMade,
    Logged,
    ReflectionWritten,
    WriteApplied,
)
from sessions.views.surroundings import CardContext


@dataclass(slots=True)
class DecisionRow:
    """The history of one card, in terms of the events that record it."""

    shown: Logged
    turn: int
    model: str
    reflection: ReflectionWritten | None
    """The reminder the agent received in this turn before it proposed this tool's call."""

    context: ContextAssembled | None
    """What the model was sent in this turn."""

    replaces: str | None
    decided: Logged | None = None
    decision: DecisionMade | None = None
    questions: tuple[str, ...] = ()
    """The questions asked about the card while it waited."""

    consented: bool = False
    written: WriteApplied | None = None
    next_card: Card | None = None
    """After a *reject* or *change*: the next write that the agent proposed, if any."""

    @property
    def card(self) -> Card:
        """The card that was shown."""
        shown = self.shown.event
        assert isinstance(shown, CardShown)
        return shown.card


def decision_rows(events: Sequence[Logged]) -> list[DecisionRow]:
    """One row for each card of the session, in the order in which they were shown."""
    fold = _Cards()
    for logged in events:
        fold.add(logged)
    return list(fold.rows.values())


class _Cards:
    def __init__(self) -> None:
        self.rows: dict[str, DecisionRow] = {}
        self._around = CardContext()

    def add(self, logged: Logged) -> None:
        event = logged.event
        match event:
            case CardShown():
                self._show(logged, event)
            case DecisionMade():
                self._decide(logged, event)
            case ConsentUsed():
                self.rows[event.card_id].consented = True
            case WriteApplied() if event.card_id in self.rows:  # an imported write has no card
                self.rows[event.card_id].written = event
            case _:
                self._around.advance(event)

    def _show(self, logged: Logged, event: CardShown) -> None:
        before = next(reversed(self.rows.values()), None)
        if before and before.decision and before.decision.decision in ("reject", "change"):
            before.next_card = event.card
        around = self._around
        reflection = around.reminder_of(event.card.tool)
        self.rows[event.card.id] = DecisionRow(
            logged, around.turn, around.model, reflection, around.context, event.replaces
        )

    def _decide(self, logged: Logged, event: DecisionMade) -> None:
        row = self.rows[event.card_id]
        if event.decision == "ask":
            row.questions += (event.words,)
        else:
            row.decided, row.decision = logged, event
