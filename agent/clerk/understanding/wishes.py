"""What a message is read into: wishes, each meant, denied or only asked about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from agent.clerk.understanding.intents import Guess
from agent.clerk.understanding.tokens import Tokens, places_of, tokens

Mode = Literal["meant", "denied", "what_if"]

LONGEST = 2000
"""Characters of one message that are read."""

SENTENCE = 500
SURE = 0.4
"""How likely an intent has to be for the clerk to take it up without asking."""

SURE_WITH_CUE = 0.3
"""How likely, where one of the intent's words is there, too."""

MARGIN, MARGIN_OF_CHANGE = 0.15, 0.2
"""By how much likelier it has to be than any other; more for a change that no word names."""

PLAIN = 0.3
"""How likely the intent of a part has to be for it to stand beside another wish."""

CLEAR = 0.55
"""How likely, where another sentence of the message has the verb of what is wanted."""


@dataclass(frozen=True)
class Manner:
    """What the rules of scope have to know of a domain's intents."""

    acts: frozenset[str]
    """Intents that change something."""

    cues: Mapping[str, tuple[str, ...]]
    """Words by which a part of a sentence may be told to have that intent."""

    asides: frozenset[str]
    """Intents of what asks for nothing: manners, chat, names."""

    amounts: frozenset[str] = frozenset()
    """Intents that ask what a change comes to."""

    empty: frozenset[str] = frozenset()
    """Of the asides those that tell nothing of what is asked for."""

    families: Mapping[str, str] = field(default_factory=dict)
    """Intents that are one wish: what speaks for the one speaks for the other."""

    verbs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Verbs that leave no doubt of an act."""

    questions: frozenset[str] = frozenset()
    """Intents that ask about the store and may use such verbs."""

    kept: frozenset[str] = frozenset()
    """Acts on what "stays as it is" may be said of."""

    changing: frozenset[str] = frozenset()
    """Verbs of any change, which name none."""

    nothing: str = "nothing_changes"
    what_if: str = "hypothetical"

    def family(self, intent: str) -> str:
        """The wish that an intent is one of the intents of."""
        return self.families.get(intent, intent)

    def cue_words(self, intent: str) -> list[str]:
        """The cues of an intent and of those of its family."""
        mine = self.family(intent)
        return [
            each for name, cues in self.cues.items() if self.family(name) == mine for each in cues
        ]

    def verb(self, words: Tokens) -> str | None:
        """The act whose plain verb stands in a text, the first where it has several."""
        found = [
            (place, name)
            for name, verbs in self.verbs.items()
            for verb in verbs
            for place, _ in places_of(tokens(verb), words)
        ]
        return min(found)[1] if found else None


@dataclass
class Wish:
    """One thing that a message asks for."""

    intent: str
    text: str
    likely: float
    guesses: tuple[Guess, ...]
    mode: Mode = "meant"
    has_cue: bool = False
    has_verb: bool = False
    """Whether a verb leaves no doubt."""

    margin: float = MARGIN
    otherwise: list[str] = field(default_factory=list)
    excepted: list[str] = field(default_factory=list)
    limit: float | None = None
    condition: str = ""
    """What it hangs on, in the customer's words, where nobody here can tell whether it holds."""

    @property
    def unsure(self) -> bool:
        """Whether it is better asked than taken up."""
        if self.mode != "meant" or self.has_verb:
            return False
        rival = max((e.likely for e in self.guesses if e.name != self.intent), default=0.0)
        least = SURE_WITH_CUE if self.has_cue else SURE
        return self.likely < least or self.likely - rival < self.margin


@dataclass
class Message:
    """What a customer typed, read without its context."""

    text: str
    guesses: tuple[Guess, ...] = ()
    """The intents that all of it together may have."""

    wishes: list[Wish] = field(default_factory=list)
    order: list[Wish | str] = field(default_factory=list)
    """All that was read, in the order of the text; a wish that is none after all stays here."""

    loose: list[str] = field(default_factory=list)
    """Sentences that ask for nothing by themselves but may tell of what is asked."""

    asides: list[str] = field(default_factory=list)
    """The intents of the sentences that are manners, chat or names."""

    cut: bool = False
    otherwise: list[str] = field(default_factory=list)
    """Fallbacks that stand alone."""

    excepted: list[str] = field(default_factory=list)
    limit: float | None = None
    condition: str = ""

    @property
    def words(self) -> Tokens:
        """All its tokens."""
        return tokens(self.text)

    def add(self, wish: Wish) -> None:
        """Take in a wish, in the order of the text."""
        self.wishes.append(wish)
        self.order.append(wish)
