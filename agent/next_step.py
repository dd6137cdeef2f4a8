"""What comes next in a turn, read from the log alone.

Because the next step is a function of the log, taking a conversation up again after a crash, an
interruption or a fault is the same thing as going on with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from sessions.events import (
    AnyEvent,
    AttentionCheckDecided,
    AttentionCheckShown,
    Card,
    CardShown,
    ConsentUsed,
    CustomerSaid,
    DecisionMade,
    GuardFired,
    Logged,
    ModelAnswered,
    ProposedCall,
    ReflectionWritten,
    ToolReturned,
    WriteApplied,
)


@dataclass(frozen=True, slots=True)
class AskModel:
    """The model is to say what it does next, in view of a reminder where there is one."""

    reminder: str | None = None


@dataclass(frozen=True, slots=True)
class RunCall:
    """A call that the model proposed is to be dealt with."""

    call: ProposedCall
    reflected: bool
    """True where the model proposed it in view of a reminder about the same tool."""

    declined_before: bool
    """True where an earlier call of the same answer was not approved."""


@dataclass(frozen=True, slots=True)
class EndTurn:
    """The agent has answered: it is the customer's turn to speak."""


Step = AskModel | RunCall | EndTurn


def next_step(log: Sequence[Logged]) -> Step:
    """The next step of the turn that the log is in the middle of."""
    turn = list(this_turn(log))
    answer: ModelAnswered | None = None
    reflection: ReflectionWritten | None = None
    heeded: ReflectionWritten | None = None
    for event in turn:
        match event:
            case ModelAnswered(purpose="act"):
                answer, heeded, reflection = event, reflection, None
            case ReflectionWritten():
                reflection = event
            case _:
                pass
    if not any(isinstance(event, CustomerSaid) for event in turn):
        return EndTurn()
    if any(isinstance(event, GuardFired) and event.ends_turn for event in turn):
        return EndTurn()
    if answer is None or reflection is not None:
        return AskModel(reflection.text if reflection else None)
    return _within(answer, turn, heeded.call_name if heeded else None)


def _within(answer: ModelAnswered, turn: list[AnyEvent], heeded: str | None) -> Step:
    """The first call of an answer that is not dealt with; else ask again, or listen."""
    settled, declined = _settled_calls(turn)
    for call in answer.calls:
        if call.id not in settled:
            earlier = any(each.id in declined for each in answer.calls)
            return RunCall(call, reflected=call.name == heeded, declined_before=earlier)
    return AskModel() if answer.calls else EndTurn()


def _settled_calls(turn: list[AnyEvent]) -> tuple[set[str], set[str]]:
    """Ids of calls that came to an end, and of those among them that the person did not want."""
    cards: dict[str, Card] = {}
    settled: set[str] = set()
    declined: set[str] = set()
    for event in turn:
        match event:
            case CardShown():
                cards[event.card.id] = event.card
                settled.discard(event.card.call_id)
                declined.discard(event.card.call_id)
            case ToolReturned() | WriteApplied():
                settled.add(event.call_id)
            case DecisionMade(decision="reject" | "change"):  # what was withdrawn is still open
                settled.add(cards[event.card_id].call_id)
                declined.add(cards[event.card_id].call_id)
            case _:
                pass
    return settled, declined


def last_answer(log: Sequence[Logged]) -> ModelAnswered | None:
    """The model's last answer in this turn."""
    for event in _backwards(log):
        if isinstance(event, ModelAnswered) and event.purpose == "act":
            return event
        if isinstance(event, CustomerSaid):
            break
    return None


def last_card(log: Sequence[Logged], call_id: str) -> tuple[Card | None, bool]:
    """The newest card of a call in this turn, and whether it still waits for its first word."""
    card: Card | None = None
    waits = False
    for event in this_turn(log):
        match event:
            case CardShown() if event.card.call_id == call_id:
                card, waits = event.card, True
            case DecisionMade() | ConsentUsed() if card and event.card_id == card.id:
                waits = event.type == "decision_made" and event.decision == "ask"
            case _:
                pass
    return card, waits


CheckState = Literal["waits", "left", "decided"]


def last_check(
    log: Sequence[Logged], call_id: str
) -> tuple[AttentionCheckShown | None, CheckState]:
    """This turn's attention check before a call, and how it stands."""
    check: AttentionCheckShown | None = None
    stands: CheckState = "waits"
    for event in this_turn(log):
        match event:
            case AttentionCheckShown() if event.card.call_id == call_id:
                check, stands = event, "waits"
            case AttentionCheckDecided() if check and event.card_id == check.card.id:
                stands = "left" if event.decision == "withdrawn" else "decided"
            case _:
                pass
    return check, stands


def left_card(log: Sequence[Logged]) -> Card | None:
    """The card that the customer left undecided and that comes next if the turn is gone on with.

    Their next words make an end of it: they belong to a turn of their own.
    """
    step = next_step(log)
    if not isinstance(step, RunCall):
        return None
    card, _ = last_card(log, step.call.id)
    check, stands = last_check(log, step.call.id)
    if card is None:
        return check.card if check is not None and stands == "left" else None
    left = {
        event.card_id
        for event in this_turn(log)
        if isinstance(event, DecisionMade) and event.decision == "withdrawn"
    }
    return card if card.id in left else None


def turn_number(log: Sequence[Logged]) -> int:
    """The number of the customer's last turn, 0 before the first."""
    for event in _backwards(log):
        if isinstance(event, CustomerSaid):
            return event.turn
    return 0


def this_turn(log: Sequence[Logged]) -> Iterator[AnyEvent]:
    """The events from the customer's last words on; all of them before the first words."""
    gathered: list[AnyEvent] = []
    for event in _backwards(log):
        gathered.append(event)
        if isinstance(event, CustomerSaid):
            break
    return reversed(gathered)


def _backwards(log: Sequence[Logged]) -> Iterator[AnyEvent]:
    return (logged.event for logged in reversed(log))
