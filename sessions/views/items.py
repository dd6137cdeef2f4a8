"""The items of a transcript: what the person sees of a session, one value each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sessions.events import AttentionCheckDecided, AttentionCheckShown, Card, DecisionMade, Scored


@dataclass(frozen=True, slots=True)
class CustomerWords:
    """Words of the customer, either to the agent or as a question about a card."""

    seq: int
    text: str
    turn: int
    about_card: str | None = None


@dataclass(frozen=True, slots=True)
class AgentWords:
    """Words of the agent, either in the conversation or as an answer about a card."""

    seq: int
    text: str
    about_card: str | None = None


@dataclass(frozen=True, slots=True)
class CardAnswer:
    """The answer of the trial behind a card to a question about it; not the agent's words."""

    seq: int
    text: str
    about_card: str


@dataclass(frozen=True, slots=True)
class LookUp:
    """A call that needed no card, with the result that the agent received."""

    seq: int
    name: str
    arguments: dict[str, Any]
    result: str
    error: bool
    ran: bool
    """False if the call was refused before it ran."""

    wrote: bool = False
    """Whether it changed records, in a run of another program in which no one was asked."""


@dataclass(frozen=True, slots=True)
class CardOutcome:
    """The outcome of a card."""

    seq: int
    """The seq of the decision."""

    at: str
    card: Card
    decision: DecisionMade
    applied: bool
    """Whether the write was carried out without an error."""

    error: str | None = None
    """Why an approved write had no effect; None if it had one or was not approved."""

    @property
    def headline(self) -> str:
        """What was decided and by whom, in words: ``✗ declined by you: wrong item``."""
        made = self.decision
        who = _WHO.get(made.by, made.by)
        if made.decision == "approve":
            despite = f", despite: {', '.join(made.overrode)}" if made.overrode else ""
            return f"{'✓' if self.applied else '✗'} approved by {who}{despite}{self._failure}"
        said = f": {made.words}" if made.words else ""
        if made.decision == "change":
            return f"↻ {who} asked for a change{said}"
        if made.decision == "withdrawn":
            return "✗ not decided, so nothing was changed"
        return f"✗ declined by {who}{said}"

    @property
    def text(self) -> str:
        """The whole row: the headline, and the card's sentence."""
        return f"{self.headline} · {self.card.sentence}"

    @property
    def _failure(self) -> str:
        return f", but not carried out: {self.error}" if self.error else ""


_WHO = {
    "person": "you",
    "auto": "nobody (the gate was off)",
    "rule": "a rule (it followed your words on a card)",
    "simulated": "the simulated customer",
    "script": "the script",
}


@dataclass(frozen=True, slots=True)
class AttentionCheck:
    """A decided attention check, and whether it was caught."""

    seq: int
    """The seq of the decision."""

    at: str
    shown: AttentionCheckShown
    decided: AttentionCheckDecided

    @property
    def text(self) -> str:
        """The whole row: what was swapped, whether it was noticed, and that it had no effect."""
        if self.decided.decision == "withdrawn":
            return (
                "The card that you left was an attention check: it deliberately said "
                f"{self.shown.altered}. Nothing was carried out."
            )
        return (
            f"That card was an attention check: it deliberately said {self.shown.altered}. "
            f"{self._sentence} Nothing was carried out; the check is over."
        )

    @property
    def _sentence(self) -> str:
        """The decision on it, in words."""
        who = _WHO.get(self.decided.by, self.decided.by)
        who = who[:1].upper() + who[1:]
        match self.decided.decision:
            case "approve":
                return f"{who} approved it."
            case "ask":
                return f"{who} asked about it."
            case _:
                return f"{who} saw it."


@dataclass(frozen=True, slots=True)
class Fault:
    """The model gave no usable answer."""

    seq: int
    sentence: str
    fault: str
    partial: str
    retry_in: float | None
    """Seconds until the next attempt; None if there was none."""


@dataclass(frozen=True, slots=True)
class Interrupted:
    """The person stopped the agent; ``partial`` is what it had said so far."""

    seq: int
    partial: str


@dataclass(frozen=True, slots=True)
class Note:
    """A remark about the session rather than part of the conversation."""

    seq: int
    text: str


@dataclass(frozen=True, slots=True)
class Ended:
    """The session is over."""

    seq: int
    reason: str
    text: str


@dataclass(frozen=True, slots=True)
class Result:
    """The session's score against its scenario."""

    seq: int
    scored: Scored


Item = (
    CustomerWords
    | AgentWords
    | CardAnswer
    | LookUp
    | CardOutcome
    | AttentionCheck
    | Fault
    | Interrupted
    | Note
    | Ended
    | Result
)
