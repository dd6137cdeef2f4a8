"""A write on its way: the card, the decision, the consent, the change (law 2)."""

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
    """Of one to be judged: the customer's own sentences about it, the nearest first; none where
    nothing was said."""


class Disagreement(BaseModel):
    """What was said, and the trial of the change does not bear out; a quotation, no verdict."""

    model_config = ConfigDict(frozen=True)

    kind: str
    """What differs, in a word: ``amount``, ``date``, ``cabin``, ``payment method``, …"""

    does: str
    """What the change does, in plain words: ``pays $1,200.00 with Visa ending 9990``."""

    said: str = ""
    """The words that do not fit it; empty where it stands in nothing that was said or read."""

    by: Literal["customer", "agent", ""] = ""
    """Who said them."""


class Card(BaseModel):
    """All that a person is shown before a write; fixed once shown."""

    model_config = ConfigDict(frozen=True)

    id: str
    call_id: str
    tool: str
    arguments: dict[str, Any]
    sentence: str
    asked: tuple[str, ...] = ()
    """The customer's own words that this change answers; none where nothing they said does."""

    disagreements: tuple[Disagreement, ...] = ()
    """Where what they said, or what the agent told them, does not fit what the trial does."""

    before: tuple[Precondition, ...]
    learned: tuple[Learned, ...] = ()
    """What the session's memory says of its checks: shown beside them, and no verdict changes."""

    after: tuple[str, ...]
    stays: tuple[str, ...] = ()
    """What a change that can be made only once leaves as it is."""

    closes: tuple[str, ...]
    """What can no longer be done afterwards: why the change cannot be undone."""

    removed: tuple[str, ...] = ()
    """Code points that were taken out of the call's text."""

    non_ascii: tuple[str, ...] = ()
    """Look-alike risk: characters beyond ASCII in the call and in what the card takes from the
    records, as ``é U+00E9``; ``U+200B`` alone for one that cannot be seen."""

    call_digest: str
    state_digest: str
    policy_shown: bool = True
    worded_by: str = ""
    """The auxiliary model whose sentence this is; empty where it is the tool's own."""

    struck: str = ""
    """A model's sentence that is not shown as true, because the trial does not bear it out."""

    unsupported: tuple[str, ...] = ()
    """What in that sentence stands neither in the call nor in its effects."""

    @property
    def failing(self) -> tuple[Precondition, ...]:
        """The preconditions that do not hold."""
        return tuple(each for each in self.before if each.verdict == "fails")

    def find_learned_beside(self, check: str) -> str:
        """What was learned that relaxes a check, to stand behind it; empty where nothing was."""
        return "; ".join(self.all_learned_beside(check))

    def all_learned_beside(self, check: str) -> tuple[str, ...]:
        """The same, one after the other; what names no check stands beside all that do not hold."""
        of = {check, ""} if any(each.name == check for each in self.failing) else {check}
        return tuple(e.told for e in self.learned if e.effect == "relaxes" and e.check in of)

    @property
    def learned_to_judge(self) -> tuple[str, ...]:
        """What was learned that stands by itself: it asks for more, or is of no check here."""
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
    """The card that went stale, where this one stands in for it."""

    @property
    def key(self) -> str:
        """The card: once for each."""
        return self.card.id


Choice = Literal["approve", "reject", "change", "ask", "withdrawn"]


class DecisionMade(Event):
    """What was decided on a card; ``withdrawn`` when the turn ended under it (settled as no)."""

    type: Literal["decision_made"] = "decision_made"
    card_id: str
    decision: Choice
    words: str = ""
    by: str
    """``person``, ``auto`` (the gate was off), ``rule`` (it followed the customer's words on a card
    and was set to need no other), ``simulated`` or ``script``."""

    milliseconds: int
    """From the card being readable to the decision."""

    overrode: tuple[str, ...] = ()
    """Names of failing policy checks that were approved all the same, with a second key."""

    @property
    def key(self) -> str | None:
        """The card, which is settled once; questions may repeat."""
        return None if self.decision == "ask" else self.card_id


Answerer = Literal["agent", "trial"]
"""Who answers a question about a card."""


class CardAnswered(Event):
    """A question about a card that the trial behind it answered; the agent was not asked."""

    type: Literal["card_answered"] = "card_answered"
    card_id: str
    text: str


class ConsentUsed(Event):
    """The approval of a card was consumed; the write is applied next, or it never is."""

    type: Literal["consent_used"] = "consent_used"
    card_id: str
    seal: str

    @property
    def key(self) -> str:
        """The card: once for each."""
        return self.card_id


class WriteApplied(Event):
    """A write was carried out; with those before it, this is what the records are made from."""

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
        """The card: once for each."""
        return self.card_id
