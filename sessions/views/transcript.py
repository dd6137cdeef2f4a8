"""The transcript: a session as its customer saw it, grown one event at a time."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from sessions.cleaning import clean_json
from sessions.events import (
    AgentSaid,
    Card,
    CardShown,
    CustomerSaid,
    DecisionMade,
    Logged,
    ModelAnswered,
    ModelChanged,
    ModelFailed,
    Noted,
    ProposedCall,
    Safeguards,
    SafeguardsChanged,
    Scored,
    SessionEnded,
    SessionForked,
    SessionResumed,
    SessionStarted,
    ToolCalled,
    ToolReturned,
    WriteApplied,
)
from sessions.views.items import (
    AgentWords,
    CardOutcome,
    CustomerWords,
    Ended,
    Fault,
    Interrupted,
    Item,
    LookUp,
    Note,
    Result,
)

_ENDINGS = {
    "customer": "You ended the conversation.",
    "transfer": "The agent handed the conversation over to a human.",
    "turn_limit": "The conversation reached its last turn.",
    "action_limit": "The agent took all the actions that this session allows.",
    "token_limit": "The session used all the tokens that it may.",
    "cost_limit": "The session cost all that it may.",
    "time_limit": "The session lasted as long as it may.",
    "fault": "The conversation ended because of a fault.",
}
_NOT_CARRIED_OUT = "the records had moved or the program stopped first"


def transcript(events: Sequence[Logged]) -> list[Item]:
    """All items of a session, in order."""
    fold = Transcript()
    return [item for logged in events for item in fold.add(logged)]


class Transcript:
    """A transcript that grows: hand it every event once, in order."""

    def __init__(self) -> None:
        self._turn = 0
        self._safeguards: Safeguards | None = None
        self._proposed: dict[str, ProposedCall] = {}
        self._running: dict[str, ToolCalled] = {}
        self._cards: dict[str, Card] = {}
        self._approved: tuple[Logged, DecisionMade] | None = None
        """An approval whose outcome is not known yet."""

    def add(self, logged: Logged) -> list[Item]:
        """The items that this event completes; most events complete none or one."""
        return [*self._given_up(logged), *self._item(logged)]

    def _item(self, logged: Logged) -> Iterator[Item]:
        seq, event = logged.seq, logged.event
        match event:
            case CustomerSaid():
                self._turn = event.turn
                yield CustomerWords(seq, event.text, event.turn)
            case AgentSaid():
                yield AgentWords(seq, event.text, event.about_card)
            case ModelAnswered(purpose="act"):
                self._proposed = {call.id: call for call in event.calls}
            case ToolCalled():
                self._running[event.call_id] = event
            case ToolReturned():
                yield self._look_up(seq, event)
            case CardShown():
                self._cards[event.card.id] = event.card
            case DecisionMade():
                yield from self._decided(logged, event)
            case WriteApplied():
                yield from self._applied(event)
            case _:
                yield from self._about_session(logged)

    def _about_session(self, logged: Logged) -> Iterator[Item]:
        seq, event = logged.seq, logged.event
        match event:
            case SessionStarted():
                self._safeguards = event.safeguards
            case ModelFailed():
                yield _failed(seq, event)
            case SessionResumed():
                yield Note(seq, "The conversation was taken up again.")
            case SessionForked():
                yield Note(seq, f"A copy of session {event.parent} up to event {event.seq}.")
            case ModelChanged():
                yield Note(seq, f"The agent is played by {event.model} from here on.")
            case SafeguardsChanged():
                yield Note(seq, self._switched(event.safeguards))
            case Noted():
                yield Note(seq, event.text)
            case SessionEnded():
                yield Ended(seq, event.reason, _ENDINGS[event.reason])
            case Scored():
                yield Result(seq, event)
            case _:
                pass

    def _look_up(self, seq: int, returned: ToolReturned) -> LookUp:
        called = self._running.pop(returned.call_id, None)
        if called is not None:
            arguments = called.arguments
        else:
            arguments = _read(self._proposed.get(returned.call_id))
        return LookUp(
            seq, returned.name, arguments, returned.text, returned.error, called is not None
        )

    def _decided(self, logged: Logged, made: DecisionMade) -> Iterator[Item]:
        if made.decision == "ask":
            yield CustomerWords(logged.seq, made.words, self._turn, made.card_id)
        elif made.decision == "approve":
            self._approved = (logged, made)
        else:
            yield self._outcome(logged, made, applied=False)

    def _applied(self, written: WriteApplied) -> Iterator[Item]:
        if self._approved is None:
            return
        (logged, made), self._approved = self._approved, None
        error = written.result if written.error else None
        yield self._outcome(logged, made, applied=not written.error, error=error)

    def _given_up(self, logged: Logged) -> Iterator[Item]:
        """An approval that anything but its consent and write follows was not carried out."""
        if self._approved is None or logged.event.type in ("consent_used", "write_applied"):
            return
        (decided, made), self._approved = self._approved, None
        yield self._outcome(decided, made, applied=False, error=_NOT_CARRIED_OUT)

    def _outcome(
        self, logged: Logged, made: DecisionMade, *, applied: bool, error: str | None = None
    ) -> CardOutcome:
        card = self._cards[made.card_id]
        return CardOutcome(logged.seq, logged.at, card, made, applied, error)

    def _switched(self, now: Safeguards) -> str:
        before = self._safeguards.model_dump() if self._safeguards else {}
        self._safeguards = now
        changes = [
            f"{name.replace('_', ' ')} {_setting(value)}"
            for name, value in now.model_dump().items()
            if value != before.get(name)
        ]
        return f"Safeguards from here on: {', '.join(changes) or 'as before'}."


def _failed(seq: int, failed: ModelFailed) -> Item:
    if failed.fault == "cancelled":
        return Interrupted(seq, failed.partial)
    return Fault(seq, failed.sentence, failed.fault, failed.partial, failed.retry_in)


def _setting(value: bool | int) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)


def _read(call: ProposedCall | None) -> dict[str, Any]:
    """The arguments of a call that was refused; it may have been refused for being no JSON."""
    try:
        arguments = json.loads(call.arguments) if call else {}
    except ValueError:
        return {}
    return clean_json(arguments) if isinstance(arguments, dict) else {}
