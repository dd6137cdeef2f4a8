"""The result of parsing a message: requests, each meant, denied, or only asked about."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Literal

from agent.clerk.understanding.intents import Guess
from agent.clerk.understanding.tokens import Tokens, tokens

Modality = Literal["meant", "denied", "what_if"]

LONGEST = 2000
"""How many characters of one message are read."""

SENTENCE = 500
SURE, ANSWERABLE, WANTED = 0.4, 0.3, 0.6
"""How likely an intent must be for the clerk to act on it without asking, to answer what is only
asked about, and how likely it must be that a change is wanted for the clerk to begin it."""

DETAIL = "detail"
"""The intent of what only says more of a request, and so is no rival of it."""

MARGIN, MARGIN_OF_CHANGE = 0.05, 0.2
"""By how much it must be likelier than any other; a question that is misread costs little."""

CERTAIN, CLEAR = 0.85, 0.55
"""How likely a change must be to be one beside the current one: without a verb for it, and with."""


_AND_ME = frozenset({("and", "i"), ("and", "me"), ("and", "my"), ("and", "myself")})
_ENDS = re.compile(r"(?<=[.!?,;])\s+")
_NAMES = 2
"""How many words may be names before "and I"."""


@dataclass(frozen=True, eq=False)
class IntentCatalog:
    """What the rules need to know about the intents of a domain."""

    acts: frozenset[str]
    """Intents that change something."""

    verbs: frozenset[str]
    """What a change is called, in lower case: "cancel", "return"."""

    asides: frozenset[str]
    """Intents that request nothing: small talk, names, yes and no."""

    amounts: frozenset[str] = frozenset()
    """Intents that ask for the amount of a change."""

    of_change: frozenset[str] = frozenset()
    """Intents that ask about the change at hand, if there is one."""

    empty: frozenset[str] = frozenset()
    """Those of ``asides`` that give no details of a request either."""

    families: Mapping[str, str] = field(default_factory=dict)
    """The family of an intent; evidence for one member counts for all of its family."""

    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """How words begin that name a change of a family as a whole: "bag", "cancel"."""

    kept: frozenset[str] = frozenset()
    """Changes that "stays as it is" can deny, and that can be made again."""

    detail: str = DETAIL
    check: str = "state_check"

    nothing: str = "nothing_changes"
    what_if: str = "hypothetical"

    def family(self, intent: str) -> str:
        """The family of an intent; the intent itself if it has none."""
        return self.families.get(intent, intent)


@dataclass(eq=False, kw_only=True)
class Terms:
    """What a message or a request may set besides what it asks for."""

    otherwise: list[str] = field(default_factory=list)
    """What to do if it is impossible."""

    excepted: list[str] = field(default_factory=list)
    limit: float | None = None
    condition: str = ""
    """A condition, in the customer's words, that the clerk has no way to check."""


@dataclass(eq=False)
class ParsedRequest(Terms):
    """One request in a message."""

    intent: str
    text: str
    probability: float
    guesses: tuple[Guess, ...]
    modality: Modality = "meant"
    modality_probability: float = 1.0
    """How likely the modality is; a change that is meant less likely than ``WANTED`` is offered."""

    margin: float = MARGIN

    def become(self, intent: str, modality: Modality = "meant") -> None:
        """Make it a request of another intent, for certain."""
        self.intent, self.modality = intent, modality
        self.probability = self.modality_probability = 1.0
        self.guesses = (Guess(intent, 1.0),)

    @property
    def is_uncertain(self) -> bool:
        """Whether the clerk should ask instead of acting on it."""
        if self.modality == "meant" and self.modality_probability < WANTED:
            return True
        if self.modality != "meant":
            return self.modality == "what_if" and self.probability < ANSWERABLE
        rivals = (e for e in self.guesses if e.name not in {self.intent, DETAIL})
        rival = max((each.probability for each in rivals), default=0.0)
        return self.probability < SURE or self.probability - rival < self.margin


@dataclass(eq=False)
class ParsedMessage(Terms):
    """A customer's message, parsed without its context."""

    text: str
    guesses: tuple[Guess, ...] = ()
    """The intents that the message as a whole may have."""

    requests: list[ParsedRequest] = field(default_factory=list)
    in_order: list[ParsedRequest | str] = field(default_factory=list)
    """Everything parsed, in the order of the text, including requests that were rejected later."""

    detail_sentences: list[str] = field(default_factory=list)
    """Sentences without a request of their own that may give details of one."""

    aside_intents: list[str] = field(default_factory=list)
    """The intents of the sentences that request nothing; an empty string is an unknown one."""

    kept: list[str] = field(default_factory=list)
    """What is said to stay as it is, besides a change."""

    unclear: list[str] = field(default_factory=list)
    """Those of ``detail_sentences`` that may well want something of their own, whatever it is."""

    cut: bool = False

    @property
    def words(self) -> Tokens:
        """The tokens of its text."""
        return tokens(self.text)

    def asides_before(self, request: ParsedRequest) -> list[str]:
        """The intents of what requests nothing and stands before a request."""
        before = takewhile(lambda each: each is not request, self.in_order)
        return self.aside_intents[: sum(isinstance(each, str) for each in before)]

    def details_before(self, request: ParsedRequest) -> list[str]:
        """The sentences without a request right before one."""
        before = [*takewhile(lambda each: each is not request, self.in_order)]
        found = takewhile(lambda each: isinstance(each, str), reversed(before))
        return [each for each in found if isinstance(each, str)]

    def likelihood_of(self, intents: Container[str]) -> float:
        """How likely the message as a whole has one of these intents."""
        return sum(each.probability for each in self.guesses if each.name in intents)

    def complete_subjects(self) -> None:
        """Give a request that begins with "and I" who stands before: "Joost and I would like"."""
        for each in self.requests:
            start = self.text.find(each.text)
            if start > 0 and tokens(each.text)[:2] in _AND_ME:
                before = _ENDS.split(self.text[:start])[-1]
                named = before.istitle() and len(before.split()) <= _NAMES
                each.text = f"{before}{each.text}" if named else each.text

    def add(self, request: ParsedRequest) -> None:
        """Add a request, in the order of the text."""
        self.requests.append(request)
        self.in_order.append(request)
