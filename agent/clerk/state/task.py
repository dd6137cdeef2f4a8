"""One thing that a customer wants, with every sentence that was said of it.

A task keeps words, not slots: slots are found in the words, among the records, when they are
needed. What was said later comes later, so that a correction is nothing but one more sentence, and
an answer is kept as the sentence it stands for ("2" to "how many bags?" as "2 checked bags").
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from agent.clerk.lessons.learned import Rule
from agent.clerk.understanding.intents import Guess

OFFERED = 4
"""Intents that are offered at once, beside "none of these"."""


@dataclass
class Task:
    """One wish, with all that was said of it."""

    intent: str | None
    """An intent of the trade's examples; None where it is not known yet."""

    text: str
    guesses: tuple[Guess, ...] = ()
    what_if: bool = False
    """Whether it was only asked what would come of it."""

    notes: list[str] = field(default_factory=list)
    """What was said of it later, the oldest first."""

    beside: list[str] = field(default_factory=list)
    """Sentences of the same message that ask for nothing but may tell of it."""

    message: str = ""
    """The whole message in which it was made."""

    chosen: dict[str, str] = field(default_factory=dict)
    """What was picked from an offer, by slot."""

    context: list[str] = field(default_factory=list)
    """What was said before, of which it takes what it leaves out."""

    items: list[str] = field(default_factory=list)
    """Ids of the records that it is about, once they were found or corrected."""

    excepted: list[str] = field(default_factory=list)
    alternatives: list[str] = field(default_factory=list)
    """What would do as well where the first wish is not to be had."""

    otherwise: list[Task] = field(default_factory=list)
    """What to do instead where this turns out to be impossible."""

    limit: float | None = None
    """Dollars that it may cost at most."""

    condition: str = ""
    """What it hangs on, in the customer's words, where nobody here can tell whether it holds."""

    others: list[str] = field(default_factory=list)
    """Intents that the words may have had instead; shown once beside its next answer."""

    written: list[str] = field(default_factory=list)
    """Ids of the records that this task has changed."""

    closed: bool = False
    outcome: str = ""
    """``done``, ``refused``, ``answered`` or ``dropped``."""

    wait: str = ""
    """``revise`` where a declined proposal must change first; the tool's words where it failed."""

    give_up: bool = False
    """The customer said to leave it where it is not possible."""

    relaxed: frozenset[Rule] = frozenset()
    """Rules that do not hold it up, while its next step is worked out; see ``heeding``."""

    went_by: str = ""
    """What was learned that its last change was made by."""

    @property
    def words(self) -> list[str]:
        """All that was said of it, the oldest first."""
        return [self.text, *self.beside, *self.notes]

    @property
    def all_words(self) -> str:
        """All that was said of it, as one text."""
        return " . ".join(self.words)

    @property
    def newest_first(self) -> list[str]:
        """What was said of it, the newest first, its whole message last."""
        return [
            *reversed(self.notes),
            self.text,
            *self.beside,
            *reversed(self.context),
            self.message,
        ]

    def fallbacks(self) -> list[Task]:
        """What is left to be done in its place where it was refused."""
        for each in self.otherwise:
            each.message = each.message or self.message
            each.items = each.items or self.items
            each.context = each.context or self.words
        return self.otherwise

    def note(self, sentence: str) -> None:
        """Take in one more sentence; a proposal that was declined may then be made anew."""
        self.notes.append(sentence)
        self.wait = ""

    def doubts(self, offers: Mapping[str, str]) -> list[str]:
        """The intents that are on offer: those that it may be, or may be instead."""
        if self.intent is not None or "or" in self.chosen:
            return self.others
        start = OFFERED * int(self.chosen.get("page", "0"))
        names = [each.name for each in self.guesses if each.name in offers]
        rest = [each for each in offers if each not in names]
        return [*names, *rest][start : start + OFFERED]
