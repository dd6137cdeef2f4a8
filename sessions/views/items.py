"""The items of a transcript: what the person sees of a session, one value for each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sessions.events import AttentionCheckDecided, AttentionCheckShown, Card, DecisionMade, Scored


@dataclass(frozen=True, slots=True)
class CustomerWords:
    """What the customer said, or asked about a card."""

    seq: int
    text: str
    turn: int
    about_card: str | None = None


@dataclass(frozen=True, slots=True)
class AgentWords:
    """What the agent said, or answered about a card."""

    seq: int
    text: str
    about_card: str | None = None


@dataclass(frozen=True, slots=True)
class CardAnswer:
    """What the trial behind a card answered to a question about it; no words of the agent."""

    seq: int
    text: str
    about_card: str


@dataclass(frozen=True, slots=True)
class LookUp:
    """A call that needed no card, and what it gave back to the agent."""

    seq: int
    name: str
    arguments: dict[str, Any]
    result: str
    error: bool
    ran: bool
    """False where the call was refused before it ran."""

    wrote: bool = False
    """Whether it changed records, in a run of another program, in which nobody was asked."""


@dataclass(frozen=True, slots=True)
class CardOutcome:
    """What became of a card."""

    seq: int
    """Of the decision."""

    at: str
    card: Card
    decision: DecisionMade
    applied: bool
    """The write was carried out without an error."""

    error: str | None = None
    """Why an approved write had no effect; None where it had, or was not approved."""

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
        """The whole row: the headline, and what the card was about."""
        return f"{self.headline} · {self.card.sentence}"

    @property
    def _failure(self) -> str:
        return f", but not carried out: {self.error}" if self.error else ""


_WHO = {
    "person": "you",
    "auto": "nobody (the gate was off)",
    "simulated": "the simulated customer",
    "script": "the script",
}


@dataclass(frozen=True, slots=True)
class AttentionCheck:
    """What an attention check turned out to be, and whether it was caught."""

    seq: int
    """Of the decision."""

    at: str
    shown: AttentionCheckShown
    decided: AttentionCheckDecided

    @property
    def text(self) -> str:
        """The whole row: what was swapped, whether that was seen, and that nothing came of it."""
        if self.decided.decision == "withdrawn":
            return (
                f"The card that was left was a check: on purpose it said {self.shown.altered}. "
                "Nothing was carried out."
            )
        return (
            f"That card was a check: on purpose it said {self.shown.altered}. {self._sentence} "
            "Nothing was carried out; the check is over."
        )

    @property
    def _sentence(self) -> str:
        """What became of it, in words."""
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
    """Seconds until the next attempt; None where there was none."""


@dataclass(frozen=True, slots=True)
class Interrupted:
    """The person stopped the agent, which had said this much."""

    seq: int
    partial: str


@dataclass(frozen=True, slots=True)
class Note:
    """Something about the session rather than in the conversation."""

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
    """How the session stands against its scenario."""

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
