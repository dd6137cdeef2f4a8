"""The result of parsing a message: requests, each meant, denied, or only asked about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from agent.clerk.understanding.intents import Guess
from agent.clerk.understanding.tokens import Tokens, places_of, tokens

Modality = Literal["meant", "denied", "what_if"]

LONGEST = 2000
"""How many characters of one message are read."""

SENTENCE = 500
SURE = 0.4
"""How likely an intent must be for the clerk to act on it without asking."""

WANTED = 0.55
"""How likely it must be that the customer wants a change for the clerk to begin it."""

SURE_WITH_CUE = 0.3
"""How likely it must be if one of the intent's cue words occurs."""

MARGIN, MARGIN_OF_CHANGE = 0.15, 0.2
"""By how much it must be likelier than any other; more for a change without a cue word."""

PLAIN = 0.3
"""How likely the intent of a part must be for it to count as a request of its own."""

CERTAIN = 0.85
"""How likely a change must be, without a verb for it, to be one beside the current one."""

CLEAR = 0.55
"""How likely it must be if another sentence of the message has the verb of the request."""


_WANTING = frozenset(tokens("like want need wish have get"))
_HAPPENED = frozenset(tokens("was been were is be got that which already don't not never no"))
"""Words before a participle with which it does not say what is wanted."""

_WITHIN, _LONG_STEM = 7, 4


@dataclass(frozen=True)
class IntentCatalog:
    """What the rules need to know about the intents of a domain."""

    acts: frozenset[str]
    """Intents that change something."""

    cues: Mapping[str, tuple[str, ...]]
    """Words that may show that a part of a sentence has an intent, by intent."""

    asides: frozenset[str]
    """Intents that request nothing: small talk, names, yes and no."""

    asked_for: frozenset[str] = frozenset()
    """Changes that a question about them requests: "what about compensation?"."""

    amounts: frozenset[str] = frozenset()
    """Intents that ask for the amount of a change."""

    empty: frozenset[str] = frozenset()
    """Those of ``asides`` that give no details of a request either."""

    families: Mapping[str, str] = field(default_factory=dict)
    """The family of an intent; evidence for one member counts for all of its family."""

    verbs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Verbs that identify a change beyond doubt, by intent."""

    questions: frozenset[str] = frozenset()
    """Intents that ask about the domain and may use such verbs."""

    kept: frozenset[str] = frozenset()
    """Changes that "stays as it is" can deny, and that can be made again."""

    weak: frozenset[str] = frozenset()
    """Changes that a story may sound like; beside another change they have to be clearer."""

    detail: str = "detail"
    check: str = "state_check"

    nothing: str = "nothing_changes"
    what_if: str = "hypothetical"

    def family(self, intent: str) -> str:
        """The family of an intent; the intent itself if it has none."""
        return self.families.get(intent, intent)

    def cue_words(self, intent: str) -> list[str]:
        """The cue words of an intent and of the rest of its family."""
        mine = self.family(intent)
        return [
            each for name, cues in self.cues.items() if self.family(name) == mine for each in cues
        ]

    def verb(self, words: Tokens) -> str | None:
        """The change that is identified by the first such verb in a text; None without one."""
        return next(iter(self.verbs_in(words)), None)

    def verbs_in(self, words: Tokens) -> list[str]:
        """The changes that verbs in a text identify, in the order of the text."""
        found = [
            (place, name)
            for name, verbs in self.verbs.items()
            for verb in verbs
            for place in _verb_places(tokens(verb), words)
        ]
        return [name for _, name in sorted(found)]

    def is_of_another(self, words: Tokens, intent: str) -> bool:
        """Whether the words contain the verb of another change than this one: "don't cancel it"."""
        act = self.verb(words)
        return act is not None and self.family(act) != self.family(intent)


def _verb_places(verb: Tokens, words: Tokens) -> Iterator[int]:
    """Where a verb stands, also as what is wanted done: "I'd like the booking cancelled"."""
    yield from (place for place, _ in places_of(verb, words))
    stem = verb[0].removesuffix("e")
    if len(verb) > 1 or len(stem) < _LONG_STEM:
        return
    for place, word in enumerate(words):
        if word.startswith(stem) and word.endswith("ed"):
            before = words[max(0, place - _WITHIN) : place]
            if _WANTING & {*before} and not _HAPPENED & {*before}:
                yield place


@dataclass
class ParsedRequest:
    """One request in a message."""

    intent: str
    text: str
    probability: float
    guesses: tuple[Guess, ...]
    modality: Modality = "meant"
    has_cue: bool = False
    has_verb: bool = False
    """Whether a verb identifies the intent beyond doubt."""

    modality_probability: float = 1.0
    """How likely the modality is; a change that is meant less likely than ``WANTED`` is offered."""

    margin: float = MARGIN
    otherwise: list[str] = field(default_factory=list)
    excepted: list[str] = field(default_factory=list)
    limit: float | None = None
    condition: str = ""
    """A condition, in the customer's words, that the clerk has no way to check."""

    @property
    def is_uncertain(self) -> bool:
        """Whether the clerk should ask instead of acting on it."""
        if self.modality == "meant" and self.modality_probability < WANTED:
            return True
        if self.modality != "meant" or self.has_verb:
            return False
        rival = max((e.probability for e in self.guesses if e.name != self.intent), default=0.0)
        least = SURE_WITH_CUE if self.has_cue else SURE
        return self.probability < least or self.probability - rival < self.margin


@dataclass
class ParsedMessage:
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

    cut: bool = False
    otherwise: list[str] = field(default_factory=list)
    """Fallbacks without a request that they belong to."""

    excepted: list[str] = field(default_factory=list)
    limit: float | None = None
    condition: str = ""

    @property
    def words(self) -> Tokens:
        """The tokens of its text."""
        return tokens(self.text)

    def add(self, request: ParsedRequest) -> None:
        """Add a request, in the order of the text."""
        self.requests.append(request)
        self.in_order.append(request)
