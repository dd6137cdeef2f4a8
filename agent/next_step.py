"""What comes next in a turn, read from where the log says that the session stands.

Because the next step is a function of the log, taking a conversation up again after a crash, an
interruption or a fault is the same thing as going on with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sessions.events import (
    AnyEvent,
    Card,
    CustomerSaid,
    Logged,
    ModelAnswered,
    ProposedCall,
    ReflectionWritten,
)
from sessions.views.turn import Turn


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


def next_step(turn: Turn) -> Step:
    """The next step of the customer's last turn."""
    if turn.number == 0 or turn.cut_short:
        return EndTurn()
    if turn.answer is None or turn.reminder is not None:
        return AskModel(turn.reminder.text if turn.reminder else None)
    return _within(turn.answer, turn)


def _within(answer: ModelAnswered, turn: Turn) -> Step:
    """The first call of an answer that is not dealt with; else ask again, or listen."""
    heeded = turn.heeded.call_name if isinstance(turn.heeded, ReflectionWritten) else None
    for call in answer.calls:
        if call.id not in turn.settled:
            earlier = any(turn.settled.get(each.id) == "declined" for each in answer.calls)
            return RunCall(call, reflected=call.name == heeded, declined_before=earlier)
    return AskModel() if answer.calls else EndTurn()


def find_left_card(turn: Turn) -> Card | None:
    """The card that the customer left undecided and that comes next if the turn is gone on with.

    Their next words make an end of it: they belong to a turn of their own.
    """
    step = next_step(turn)
    if not isinstance(step, RunCall):
        return None
    card, check = turn.cards.get(step.call.id), turn.checks.get(step.call.id)
    if card is not None:
        return card.what if card.state == "left" else None
    return check.what.card if check is not None and check.state == "left" else None


def this_turn(log: Sequence[Logged]) -> Iterator[AnyEvent]:
    """The events from the customer's last words on; all of them before the first words.

    For rules that ask of them what no other part of the program does.
    """
    gathered: list[AnyEvent] = []
    for logged in reversed(log):
        gathered.append(logged.event)
        if isinstance(logged.event, CustomerSaid):
            break
    return reversed(gathered)
