"""The events of a pending write: its card, the decision, the consent, the change (law 2)."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from sessions.events.base import Event
from sessions.events.memory import Learned


class Precondition(BaseModel):
    """One line of *before* on a card."""

    model_config = ConfigDict(frozen=True)

    name: str
    source: Literal["tool", "policy"]
    verdict: Literal["holds", "fails", "judge"]
    value: str = ""
    said: tuple[str, ...] = ()
    """For a precondition to be judged: the customer's own sentences about it, most relevant first.

    Empty if the customer said nothing about it.
    """


class Disagreement(BaseModel):
    """A mismatch between what was said and what the trial does; a quotation, not a verdict."""

    model_config = ConfigDict(frozen=True)

    kind: str
    """What differs, in a word or two: ``amount``, ``date``, ``cabin``, ``payment method``, …"""

    does: str
    """What the change does, in plain words: ``pays $1,200.00 with Visa ending 9990``."""

    said: str = ""
    """The words that conflict with it; empty if nothing that was said or read mentions it."""

    by: Literal["customer", "agent", ""] = ""
    """The speaker of those words."""


class Card(BaseModel):
    """Everything that a person is shown before a write; fixed once shown."""

    model_config = ConfigDict(frozen=True)

    id: str
    call_id: str
    tool: str
    arguments: dict[str, Any]
    sentence: str
    asked: tuple[str, ...] = ()
    """The customer's own words that this change answers; empty if it answers none."""

    disagreements: tuple[Disagreement, ...] = ()
    """Where the trial differs from what the customer said or what the agent told them."""

    before: tuple[Precondition, ...]
    learned: tuple[Learned, ...] = ()
    """What the session's memory says about the checks; shown beside them and changes no verdict."""

    after: tuple[str, ...]
    stays: tuple[str, ...] = ()
    """What stays as it is because this kind of change can be made only once."""

    closes: tuple[str, ...]
    """What can no longer be done afterwards, which is why the change cannot be undone."""

    removed: tuple[str, ...] = ()
    """Code points that were removed from the call's text."""

    non_ascii: tuple[str, ...] = ()
    """Characters beyond ASCII in the call and in what the card takes from the records.

    They may be look-alikes. Each reads like ``é U+00E9``, or ``U+200B`` alone if it is invisible.
    """

    call_digest: str
    state_digest: str
    policy_shown: bool = True
    worded_by: str = ""
    """The auxiliary model that wrote the sentence; empty if the sentence is the tool's own."""

    struck: str = ""
    """A model's sentence that the card does not assert, because the trial does not support it."""

    unsupported: tuple[str, ...] = ()
    """The parts of that sentence that appear neither in the call nor in its effects."""

    @property
    def failing(self) -> tuple[Precondition, ...]:
        """The preconditions that do not hold."""
        return tuple(each for each in self.before if each.verdict == "fails")

    def relaxing_text_for(self, check: str) -> str:
        """The learned text that relaxes a check, to be shown after it; empty if there is none."""
        return "; ".join(self.relaxing_texts_for(check))

    def relaxing_texts_for(self, check: str) -> tuple[str, ...]:
        """The learned texts that relax a check, including those that name no check if it fails."""
        of = {check, ""} if any(each.name == check for each in self.failing) else {check}
        return tuple(e.told for e in self.learned if e.effect == "relaxes" and e.check in of)

    @property
    def standalone_learned(self) -> tuple[str, ...]:
        """The learned texts shown on their own: they tighten, or their check is not on the card."""
        here = {each.name for each in self.before}
        if self.failing:
            here.add("")
        return tuple(e.told for e in self.learned if e.effect == "tightens" or e.check not in here)


class CardShown(Event):
    """A write waits for the person's decision."""

    type: Literal["card_shown"] = "card_shown"
    card: Card
    words_digest: str
    replaces: str | None = None
    """The outdated card that this one replaces, if there is one."""

    @property
    def key(self) -> str:
        """The idempotency key: one event per card."""
        return self.card.id


Choice = Literal["approve", "reject", "change", "ask", "withdrawn"]


class DecisionMade(Event):
    """A card was decided; ``withdrawn`` if the turn ended before that, which counts as no."""

    type: Literal["decision_made"] = "decision_made"
    card_id: str
    decision: Choice
    words: str = ""
    by: str
    """Who or what decided.

    ``person``, ``auto`` (the gate was off), ``rule`` (the change followed the customer's words on a
    card, and the settings asked for no further yes), ``simulated``, ``script``, or ``interruption``
    (the card was withdrawn).
    """

    milliseconds: int
    """Time from when the card became readable until the decision."""

    overrode: tuple[str, ...] = ()
    """Names of failing policy checks that were approved anyway, with a second key."""

    @property
    def key(self) -> str | None:
        """The idempotency key: one final decision per card; questions may repeat."""
        return None if self.decision == "ask" else self.card_id


Answerer = Literal["agent", "trial"]
"""Who or what answers a question about a card."""


class CardAnswered(Event):
    """The trial behind a card answered a question about it; the agent was not asked."""

    type: Literal["card_answered"] = "card_answered"
    card_id: str
    text: str


class ConsentUsed(Event):
    """The approval of a card was consumed; the write is either applied next or never."""

    type: Literal["consent_used"] = "consent_used"
    card_id: str
    seal: str

    @property
    def key(self) -> str:
        """The idempotency key: one event per card."""
        return self.card_id


class WriteApplied(Event):
    """A write was carried out; replaying all of these in order reproduces the records."""

    type: Literal["write_applied"] = "write_applied"
    card_id: str
    call_id: str
    name: str
    arguments: dict[str, Any]
    result: str
    error: bool = False
    patch: list[dict[str, Any]]
    records_digest: str

    @property
    def key(self) -> str:
        """The idempotency key: one event per card."""
        return self.card_id
