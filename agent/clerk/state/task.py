"""A task: one thing that a customer wants, with every sentence about it.

A task stores sentences, not slots. Slot values are extracted from the sentences, with the help of
the records, when they are needed, so that a correction is just one more sentence.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from agent.clerk.lessons.learned import Rule
from agent.clerk.understanding.intents import Guess

OFFERABLE = 0.04
"""How likely an intent must be to be offered at first, if any is."""

OFFERED = 4
"""How many intents are offered at once, in addition to "none of these"."""


@dataclass
class Task:
    """One request, with every sentence about it."""

    intent: str | None
    """One of the intents in the domain's examples; None while it is unknown."""

    text: str
    guesses: tuple[Guess, ...] = ()
    what_if: bool = False
    """Whether the customer only asked what the change would involve."""

    notes: list[str] = field(default_factory=list)
    """Sentences about it from later messages, oldest first."""

    same_message: list[str] = field(default_factory=list)
    """Sentences of the same message that contain no request but may give details."""

    message: str = ""
    """The whole message in which the request was made."""

    chosen: dict[str, str] = field(default_factory=dict)
    """What the customer picked from offers, by slot, and flags such as ``or`` and ``page``."""

    context: list[str] = field(default_factory=list)
    """Earlier sentences, which supply details that the task leaves out."""

    items: list[str] = field(default_factory=list)
    """Ids of the records that it is about, once they are found or corrected."""

    excepted: list[str] = field(default_factory=list)
    alternatives: list[str] = field(default_factory=list)
    """Sentences with what would do as well if the first preference is not available."""

    fallback_tasks: list[Task] = field(default_factory=list)
    """What to do if this one turns out to be impossible."""

    limit: float | None = None
    """The most that it may cost, in dollars."""

    condition: str = ""
    """A condition, in the customer's words, that the clerk has no way to check."""

    other_intents: list[str] = field(default_factory=list)
    """Intents that the words may have meant instead; offered once, with its next answer."""

    written: list[str] = field(default_factory=list)
    """Ids of the records that this task has changed."""

    closed: bool = False
    outcome: str = ""
    """``done``, ``refused``, ``answered`` or ``dropped``; empty while the task is open."""

    doubtful: bool = False
    """Whether it is a change that may not be wanted, and nobody was asked about it yet."""

    wait: str = ""
    """``revise`` if a declined proposal must change first; the error if the tool failed."""

    give_up: bool = False
    """Whether the customer said to leave it if it is not possible."""

    relaxed: frozenset[Rule] = frozenset()
    """Rules that are ignored while its next step is computed; see ``heeding``."""

    permitted_by: str = ""
    """The lesson that permitted its last change."""

    @property
    def words(self) -> list[str]:
        """All sentences about it, oldest first: the request, details beside it, later ones."""
        return [self.text, *self.same_message, *self.notes]

    @property
    def all_words(self) -> str:
        """All sentences about it as one text."""
        return " . ".join(self.words)

    @property
    def newest_first(self) -> list[str]:
        """All sentences about it, newest first, then its context and its whole message."""
        told = [*reversed(self.notes), self.text, *self.same_message]
        return [*told, *reversed(self.context), self.message]

    def fallbacks(self) -> list[Task]:
        """The fallback tasks for a refusal; what they leave out is filled in from this task."""
        for each in self.fallback_tasks:
            each.message = each.message or self.message
            each.items = each.items or self.items
            each.context = each.context or [*self.context, *self.words]
        return self.fallback_tasks

    def close(self, outcome: str) -> None:
        """Settle it."""
        self.closed, self.outcome = True, outcome

    def note(self, sentence: str) -> None:
        """Add a sentence; a proposal that was declined may then be made again."""
        self.notes.append(sentence)
        self.wait = ""

    def intents_to_offer(self, offers: Mapping[str, str]) -> list[str]:
        """The intents to offer: rivals of a known intent, or one page of candidates."""
        if self.intent is not None or "or" in self.chosen:
            return self.other_intents
        known = [each for each in self.guesses if each.name in offers]
        names = list(dict.fromkeys([*(each.name for each in known), *offers]))
        likely = [each.name for each in known if each.probability >= OFFERABLE]
        first = (likely or names)[:OFFERED]
        page = int(self.chosen.get("page", "0"))
        rest = [name for name in names if name not in first]
        return rest[OFFERED * (page - 1) : OFFERED * page] if page else first
