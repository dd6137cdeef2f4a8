"""One row per attention check: what was shown instead of what was meant, and what was decided.

They are told apart from the rows of cards (:mod:`sessions.views.cards`) everywhere: a check is no
write on its way.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sessions.events import (
    AnyEvent,
    AttentionCheckDecided,
    AttentionCheckShown,
    Card,
    ContextAssembled,
    CustomerSaid,
    Logged,
    ModelChanged,
    ReflectionWritten,
    SessionStarted,
)


@dataclass(slots=True)
class CheckRow:
    """The story of one attention check, in terms of the events that tell it."""

    shown: Logged
    check: AttentionCheckShown
    """What was shown, and what had been meant."""

    turn: int
    model: str
    reflection: ReflectionWritten | None
    """What the agent was reminded of before it proposed the call that was altered."""

    context: ContextAssembled | None
    """What the model was sent in this turn."""

    decided: Logged | None = None
    decision: AttentionCheckDecided | None = None

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
        self._turn = 0
        self._model = ""
        self._reflections: dict[str, ReflectionWritten] = {}
        self._context: ContextAssembled | None = None

    def add(self, logged: Logged) -> None:
        match logged.event:
            case AttentionCheckShown(card=card) as check:
                self._take_up_again(card)
                reflection = self._reflections.get(card.tool)
                self.rows[card.id] = CheckRow(
                    logged, check, self._turn, self._model, reflection, self._context
                )
            case AttentionCheckDecided() as decided if decided.card_id in self.rows:
                row = self.rows[decided.card_id]
                row.decided, row.decision = logged, decided
            case event:
                self._notice(event)

    def _take_up_again(self, card: Card) -> None:
        """One that was left and is put up again is the same check."""
        for shown_as, row in self.rows.items():
            left = row.decision is not None and row.decision.decision == "withdrawn"
            if left and (row.card.call_id, row.turn) == (card.call_id, self._turn):
                del self.rows[shown_as]
                return

    def _notice(self, event: AnyEvent) -> None:
        """Take in what surrounds the next check."""
        match event:
            case SessionStarted() | ModelChanged():
                self._model = event.model
            case CustomerSaid():
                self._turn, self._context, self._reflections = event.turn, None, {}
            case ContextAssembled():
                self._context = event
            case ReflectionWritten():
                self._reflections[event.call_name] = event
            case _:
                pass
