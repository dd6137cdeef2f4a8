"""The next step of a turn, derived from the log.

It is a pure function of the log, so resuming a conversation after a crash, an interruption or a
fault works exactly like continuing it. What the built-in clerk says or calls in such a step is
decided in ``agent.clerk.deciding.next_step``.
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
    """Ask the model what to do next, with a reminder if there is one."""

    reminder: str | None = None


@dataclass(frozen=True, slots=True)
class RunCall:
    """Handle a call that the model proposed."""

    call: ProposedCall
    reflected: bool
    """Whether the model proposed it in answer to a reminder about a call of the same tool."""

    declined_before: bool
    """Whether the customer declined an earlier call of the same answer."""


@dataclass(frozen=True, slots=True)
class EndTurn:
    """Stop: it is the customer's turn to speak."""


Step = AskModel | RunCall | EndTurn


def next_step(turn: Turn) -> Step:
    """The next step of the customer's last turn."""
    if turn.number == 0 or turn.cut_short:
        return EndTurn()
    if turn.answer is None or turn.reminder is not None:
        return AskModel(turn.reminder.text if turn.reminder else None)
    return _step_after_answer(turn.answer, turn)


def _step_after_answer(answer: ModelAnswered, turn: Turn) -> Step:
    """The first unsettled call of an answer; if none is left, ask again, or end if it had none."""
    reminder = turn.answered_reminder
    reminded = reminder.call_name if isinstance(reminder, ReflectionWritten) else None
    for call in answer.calls:
        if call.id not in turn.settled:
            earlier = any(turn.settled.get(each.id) == "declined" for each in answer.calls)
            return RunCall(call, reflected=call.name == reminded, declined_before=earlier)
    return AskModel() if answer.calls else EndTurn()


def find_undecided_card(turn: Turn) -> Card | None:
    """The undecided card, or the card behind an attention check, that going on would show again.

    None if the next step is anything else. If the customer speaks instead, the card is dropped:
    their words begin a new turn.
    """
    step = next_step(turn)
    if not isinstance(step, RunCall):
        return None
    card, check = turn.cards.get(step.call.id), turn.checks.get(step.call.id)
    if card is not None:
        return card.item if card.state == "left" else None
    return check.item.card if check is not None and check.state == "left" else None


def events_of_this_turn(log: Sequence[Logged]) -> Iterator[AnyEvent]:
    """The events since the customer last spoke, or all of them before that.

    For rules whose question about these events is theirs alone; common ones are in
    :class:`~sessions.views.turn.Turn`.
    """
    gathered: list[AnyEvent] = []
    for logged in reversed(log):
        gathered.append(logged.event)
        if isinstance(logged.event, CustomerSaid):
            break
    return reversed(gathered)
