"""The customer's latest turn: the agent's answer in it, its calls, their cards, and checks.

Part of :class:`~sessions.views.session_status.SessionStatus`; the turn loop derives its next step
from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Generic, Literal, TypeVar

from sessions.events import (
    AgentNudged,
    AnyEvent,
    AttentionCheckDecided,
    AttentionCheckShown,
    Card,
    CardShown,
    ConsentUsed,
    CustomerSaid,
    DecisionMade,
    GuardFired,
    ModelAnswered,
    ReflectionWritten,
    ToolReturned,
    WriteApplied,
    WriteVerified,
)

State = Literal["waits", "left", "decided"]
"""``left`` means interrupted before a decision; such a card can still be taken up again."""

ShownT = TypeVar("ShownT", Card, AttentionCheckShown)


@dataclass(frozen=True, slots=True)
class Shown(Generic[ShownT]):
    """The last card or check shown to the person for a call, and its state."""

    item: ShownT
    state: State


@dataclass(frozen=True, slots=True)
class Turn:
    """The customer's latest turn after some number of its events."""

    number: int = 0
    """Counted from 1; 0 before the customer's first words."""

    answer: ModelAnswered | None = None
    """The model's latest answer; answers to questions about a card do not count."""

    reminder: ReflectionWritten | AgentNudged | None = None
    """The reminder that the model has received but not answered yet."""

    answered_reminder: ReflectionWritten | AgentNudged | None = None
    """The reminder that the model received before its latest answer."""

    settled: Mapping[str, Literal["ended", "declined"]] = field(default_factory=dict)
    """The finished calls by id; ``declined`` if the person rejected the call."""

    cards: Mapping[str, Shown[Card]] = field(default_factory=dict)
    """The newest card of each call, by call id, in the order shown."""

    checks: Mapping[str, Shown[AttentionCheckShown]] = field(default_factory=dict)
    """The newest attention check before each call, by call id, in the order shown."""

    cut_short: bool = False
    """Whether a guard or the verifier ended the turn before the agent had answered."""

    @property
    def is_open(self) -> bool:
        """Whether the customer spoke last and the agent has not finished its answer."""
        finished = self.answer is not None and not self.answer.calls and self.reminder is None
        return self.number > 0 and not self.cut_short and not finished

    @property
    def last_card(self) -> Shown[Card] | None:
        """The card that was shown last."""
        return next(reversed(tuple(self.cards.values())), None)

    @property
    def last_check(self) -> Shown[AttentionCheckShown] | None:
        """The attention check that was shown last."""
        return next(reversed(tuple(self.checks.values())), None)

    def after(self, event: AnyEvent) -> Turn:
        """The turn after one more event."""
        match event:
            case CustomerSaid():
                return Turn(event.turn)
            case ModelAnswered(purpose="act"):
                return replace(self, answer=event, answered_reminder=self.reminder, reminder=None)
            case ReflectionWritten() | AgentNudged():
                return replace(self, reminder=event)
            case ToolReturned() | WriteApplied():
                return replace(self, settled={**self.settled, event.call_id: "ended"})
            case GuardFired(ends_turn=True) | WriteVerified(ends_turn=True):
                return replace(self, cut_short=True)
            case AttentionCheckShown() | AttentionCheckDecided():
                return replace(self, checks=_after_check(self.checks, event))
            case CardShown() | DecisionMade() | ConsentUsed():
                return self._after_card(event)
            case _:
                return self

    def _after_card(self, event: CardShown | DecisionMade | ConsentUsed) -> Turn:
        if isinstance(event, CardShown):
            call, card = event.card.call_id, Shown(event.card, "waits")
            return replace(
                self, cards=_put_last(self.cards, call, card), settled=_without(self.settled, call)
            )
        of = next((each for each, on in self.cards.items() if on.item.id == event.card_id), None)
        if of is None:
            return self
        cards = {**self.cards, of: Shown(self.cards[of].item, _state_after(event))}
        if isinstance(event, DecisionMade) and event.decision in ("reject", "change"):
            return replace(self, cards=cards, settled={**self.settled, of: "declined"})
        return replace(self, cards=cards)


def _state_after(event: DecisionMade | ConsentUsed) -> State:
    match event:
        case DecisionMade(decision="ask"):
            return "waits"
        case DecisionMade(decision="withdrawn"):
            return "left"
        case _:
            return "decided"


def _after_check(
    checks: Mapping[str, Shown[AttentionCheckShown]],
    event: AttentionCheckShown | AttentionCheckDecided,
) -> Mapping[str, Shown[AttentionCheckShown]]:
    if isinstance(event, AttentionCheckShown):
        return _put_last(checks, event.card.call_id, Shown(event, "waits"))
    state: State = "left" if event.decision == "withdrawn" else "decided"
    return {
        call: Shown(on.item, state) if on.item.card.id == event.card_id else on
        for call, on in checks.items()
    }


V = TypeVar("V")


def _without(values: Mapping[str, V], key: str) -> dict[str, V]:
    return {each: value for each, value in values.items() if each != key}


def _put_last(values: Mapping[str, V], key: str, value: V) -> dict[str, V]:
    return {**_without(values, key), key: value}
