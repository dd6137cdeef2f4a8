"""The transcript: a session as its customer saw it, built one event at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sessions.events import (
    PERSON,
    AgentSaid,
    AnyEvent,
    AttentionCheckAsked,
    AttentionCheckDecided,
    AttentionCheckShown,
    Card,
    CardAnswered,
    CardShown,
    CustomerSaid,
    DecisionMade,
    Imported,
    Logged,
    ModelAnswered,
    ModelChanged,
    ModelFailed,
    Noted,
    ProposedCall,
    RouteDecided,
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
from sessions.proposals import arguments_of_proposal
from sessions.views.items import (
    AgentWords,
    AttentionCheck,
    CardAnswer,
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

ENDINGS = {
    "customer": "You ended the conversation.",
    "transfer": "The agent handed the conversation over to a human.",
    "turn_limit": "The conversation reached its turn limit.",
    "action_limit": "The session reached its action limit.",
    "token_limit": "The session reached its token limit.",
    "cost_limit": "The session reached its cost limit.",
    "time_limit": "The session reached its time limit.",
    "fault": "The conversation ended because of a fault.",
    "agent_failure": "The agent's model gave no usable answer.",
    "customer_failure": "The customer's model gave no usable answer.",
}
"""Why a session is over, by the reason in its end event."""

_CHECKS = (
    "Attention checks are on: some cards are deliberately wrong. They are never carried out, and "
    "you are told right after your decision."
)
"""A warning to the person, if such cards may occur."""

_NO_STEPS_ON = ("consent_used", "write_applied", "labelled", "reviewed")
"""Events allowed between an approval and its write: its own steps, and judgements."""

_NOT_CARRIED_OUT = "the records changed or the program stopped first"


def transcript(events: Sequence[Logged]) -> list[Item]:
    """All items of a session, in order."""
    fold = Transcript()
    return [item for logged in events for item in fold.add(logged)]


class Transcript:
    """A transcript that grows; give it every event once, in order."""

    def __init__(self) -> None:
        self._turn = 0
        self._safeguards: Safeguards | None = None
        self._proposed: dict[str, ProposedCall] = {}
        self._running: dict[str, ToolCalled] = {}
        self._cards: dict[str, Card] = {}
        self._check: AttentionCheckShown | None = None
        self._left: AttentionCheck | None = None
        self._approved: tuple[Logged, DecisionMade] | None = None
        """An approval whose outcome is not known yet."""

    def add(self, logged: Logged) -> list[Item]:
        """Return the items that this event completes; most events complete none or one."""
        return [
            *self._unused_approval(logged),
            *self._item(logged),
            *self._item_of_left_check(logged.event),
        ]

    def _item(self, logged: Logged) -> Iterator[Item]:
        seq, event = logged.seq, logged.event
        match event:
            case CustomerSaid() | AgentSaid() | CardAnswered():
                yield self._words(seq, event)
            case ModelAnswered(purpose="act"):
                self._proposed = {call.id: call for call in event.calls}
            case ToolCalled():
                self._running[event.call_id] = event
            case ToolReturned():
                yield self._look_up(seq, event)
            case CardShown():
                self._cards[event.card.id] = event.card
            case DecisionMade():
                yield from self._decision(logged, event)
            case WriteApplied():
                yield from self._write(seq, event)
            case AttentionCheckAsked():
                yield CustomerWords(seq, event.words, self._turn, event.card_id)
                yield CardAnswer(seq, event.answer, event.card_id)
            case AttentionCheckShown() | AttentionCheckDecided():
                yield from self._attention_check(logged, event)
            case _:
                yield from self._about_session(logged)

    def _words(self, seq: int, event: CustomerSaid | AgentSaid | CardAnswered) -> Item:
        match event:
            case CustomerSaid():
                self._turn = event.turn
                return CustomerWords(seq, event.text, event.turn)
            case AgentSaid():
                return AgentWords(seq, event.text, event.about_card)
            case CardAnswered():
                return CardAnswer(seq, event.text, event.card_id)

    def _about_session(self, logged: Logged) -> Iterator[Item]:
        seq, event = logged.seq, logged.event
        match event:
            case SessionStarted():
                self._safeguards = event.safeguards
                if event.safeguards.attention_checks:
                    yield Note(seq, _CHECKS)
            case ModelFailed():
                yield _failure(seq, event)
            case SessionResumed() | SessionForked() | Imported() | ModelChanged():
                yield Note(seq, _came_about(event))
            case RouteDecided(latched=True):
                yield Note(seq, describe_route(event))
            case SafeguardsChanged():
                yield Note(seq, self._describe_switch(event.safeguards))
            case Noted():
                yield Note(seq, event.text)
            case SessionEnded():
                yield Ended(seq, event.reason, ENDINGS[event.reason])
            case Scored():
                yield Result(seq, event)
            case _:
                pass

    def _look_up(self, seq: int, returned: ToolReturned) -> LookUp:
        called = self._running.pop(returned.call_id, None)
        if called is not None:
            arguments = called.arguments
        else:
            arguments = arguments_of_proposal(self._proposed.get(returned.call_id)) or {}
        return LookUp(
            seq, returned.name, arguments, returned.text, returned.error, called is not None
        )

    def _decision(self, logged: Logged, made: DecisionMade) -> Iterator[Item]:
        if made.decision == "ask":
            yield CustomerWords(logged.seq, made.words, self._turn, made.card_id)
        elif made.decision == "approve":
            self._approved = (logged, made)
        else:
            yield self._outcome(logged, made, applied=False)

    def _attention_check(
        self, logged: Logged, event: AttentionCheckShown | AttentionCheckDecided
    ) -> Iterator[Item]:
        """Yield the item of a decided check.

        Nothing is shown of a check before its decision, because it must pass for an ordinary card.
        A check that was left may be taken up again, so it is first shown like any card that was
        left.
        """
        if isinstance(event, AttentionCheckShown):
            self._check, self._left = event, None
        elif self._check is not None and event.decision == "withdrawn":
            self._left = AttentionCheck(logged.seq, logged.at, self._check, event)
            yield _outcome_of_left(logged, self._check.card, event)
        elif self._check is not None:
            yield AttentionCheck(logged.seq, logged.at, self._check, event)
            self._check = None

    def _item_of_left_check(self, event: AnyEvent) -> Iterator[Item]:
        """Reveal a check that was left, once it can no longer be taken up."""
        if self._left is not None and isinstance(event, CardShown | CustomerSaid | SessionEnded):
            yield self._left
            self._check = self._left = None

    def _write(self, seq: int, written: WriteApplied) -> Iterator[Item]:
        if self._approved is None:  # a run of another program, in which no one was asked
            name, arguments, result = written.name, written.arguments, written.result
            yield LookUp(seq, name, arguments, result, written.error, ran=True, wrote=True)
            return
        (logged, made), self._approved = self._approved, None
        error = written.result if written.error else None
        yield self._outcome(logged, made, applied=not written.error, error=error)

    def _unused_approval(self, logged: Logged) -> Iterator[Item]:
        """Yield the outcome of an approval that was not followed by its consent and write."""
        if self._approved is None or logged.event.type in _NO_STEPS_ON:
            return
        (decided, made), self._approved = self._approved, None
        yield self._outcome(decided, made, applied=False, error=_NOT_CARRIED_OUT)

    def _outcome(
        self, logged: Logged, made: DecisionMade, *, applied: bool, error: str | None = None
    ) -> CardOutcome:
        card = self._cards[made.card_id]
        return CardOutcome(logged.seq, logged.at, card, made, applied, error)

    def _describe_switch(self, now: Safeguards) -> str:
        before = (self._safeguards or Safeguards()).model_dump()
        self._safeguards = now
        changes = [
            f"{name.replace('_', ' ')} {_setting(value)}"
            for name, value in now.model_dump().items()
            if value != before.get(name)
        ]
        warning = f" {_CHECKS}" if now.attention_checks and not before["attention_checks"] else ""
        return f"Safeguards from here on: {', '.join(changes) or 'as before'}.{warning}"


def _came_about(event: SessionResumed | SessionForked | Imported | ModelChanged) -> str:
    """The note on the origin of the session or on the model that plays the agent."""
    match event:
        case SessionResumed():
            return "The conversation was resumed."
        case SessionForked():
            return f"A copy of session {event.parent} up to event {event.seq}."
        case ModelChanged():
            return f"The agent is played by {event.model} from here on."
        case Imported():
            program = {"tau1": "τ-bench", "tau2": "τ²-bench"}[event.source]
            reward = event.recorded_reward
            gave = "" if reward is None else f", which gave it {reward:g}"
            return f"Imported from {event.file}: run {event.original} of {program}{gave}."


def describe_route(decided: RouteDecided) -> str:
    """The note that the session is now coupled, by whose decision, and what follows from it."""
    if decided.by == PERSON:
        return "You escalated: every change is checked against what you said and the records."
    return (
        "Coupled: your requests depend on each other. Every change is checked against what you "
        "said and the records."
    )


def _failure(seq: int, failed: ModelFailed) -> Item:
    if failed.fault == "cancelled":
        return Interrupted(seq, failed.partial)
    return Fault(seq, failed.sentence, failed.fault, failed.partial, failed.retry_in)


def _setting(value: bool | float | str) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, float):
        return f"{value:.0%}" if value else "off"
    return str(value)


def _outcome_of_left(logged: Logged, card: Card, left: AttentionCheckDecided) -> CardOutcome:
    made = DecisionMade(
        card_id=card.id, decision=left.decision, by=left.by, milliseconds=left.milliseconds
    )
    return CardOutcome(logged.seq, logged.at, card, made, applied=False)
