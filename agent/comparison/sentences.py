"""Splits what was said into sentences and clauses, and classifies how each clause is meant.

A clause that is negated, asked or conditional settles nothing by itself. The few rules here are
only about scope: which words negate, and how far the negation reaches.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal

from domains.text.phrasing import with_except

Mood = Literal["said", "asked", "if", "then"]
"""How a clause is meant.

``said`` is a statement or a request, ``asked`` a question, ``if`` a condition, and ``then`` what is
requested under a condition.
"""

Tokens = tuple[str, ...]

_LINE = re.compile(r"[^\n]+")
_SENTENCE = re.compile(
    r"(?:[^.!?…]|[.](?=[\w/])|(?<=[Nn][Oo])[.](?=\s+#?\w*\d)|(?<=[Nn]o)[.](?= at hand))+"
    r"[.!?…]*[\"”’)*]*\s*"
)
_MARKUP = re.compile(r"\*\*|__|`|^\s*(?:#+|[-*•–]|>)\s+")
_WORD = re.compile(r"[a-z]+(?:_[a-z]+)*_\d+|[a-z0-9]+(?:['’](?:t|m|s|re|ll|ve|d)\b)?")
"""A word, or a whole id such as *oskar_lindholm_8620*, whose parts name no one by themselves."""

_CLAUSE = re.compile(
    r",(?!\d)|[;()]|(?:[:–—]|\s-\s)(?!\s*(?:none|nope|no|not)\b)"
    r"|\bthen\b|\band (?=(?:only|just|then|also|please|i|we|change|cancel|return|exchange|add"
    r"|leave|keep)\b)"
    r"|\b(?=if\b|unless\b|in case\b|whether\b|(?<!everything )(?<!all )(?<!all of it )but\b"
    r"|however\b|although\b"
    r"|instead of\b|rather than\b|other than\b|except\b|apart from\b|instead,)",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"\s*(?:and |or |but |only )?(?:if|unless|in case|whether)\b", re.IGNORECASE
)
_POLITE = re.compile(
    r"\b(?:can|could|would|will) (?:you|we|i)\b"
    r"(?!.*\b(?:check|tell me|let me know|look|see|find out|confirm|explain|clarify|clear up)\b)"
    r"|\bplease\b|\bwould you mind\b",
    re.IGNORECASE,
)
_INFORMATION = re.compile(
    r"\b(?:how (?:much|many|long|about)|what|which|when|where|why|who|is (?:there|it|that|this|the)"
    r"|are there|do you|does|did|do i|would (?:it|that|there)|will (?:it|that|there)|was|were"
    r"|any chance|possible|am i)\b",
    re.IGNORECASE,
)
_DENY_BEFORE = (
    ("instead", "of"), ("rather", "than"), ("other", "than"), ("apart", "from"),
    ("everything", "but"), ("all", "but"), ("all", "of", "it", "but"),
)  # fmt: skip
_EXCEPTS = re.compile(
    r"\W*(?:except|excluding|apart from|other than|minus|.*\b(?:everything|all|all of it) but)\b",
    re.I,
)
_INSTEAD = re.compile(r"\W*(?:instead of|rather than)\b.*?(?= and an? )", re.IGNORECASE)
"""An *instead of* phrase; what follows it is wanted: *silver instead of white and a mesh back*."""

_MEANS = re.compile(r"\b(?=(?:to|on|onto|with|by) (?:my|the|your)\b)", re.IGNORECASE)
"""The start of what follows an exception but is not part of it: *all but the mug to my Visa*."""

_UNSURE = re.compile(
    r"\b(?:not sure|don['’]?t (?:know|remember|recall)|can['’]?t (?:remember|recall|decide)"
    r"|no idea|maybe|perhaps|might|wonder)\b",
    re.IGNORECASE,
)
_NOT_DENYING = re.compile(
    r"\b(?:no (?:problem|worries|rush|later|longer|matter|more than|need to worry)|not only"
    r"|not more than|not just|can['’]?t wait|why not|don['’]?t (?:mind|care|forget|hesitate)"
    r"|no wait\b(?!.*(?:\bnot\b|\bnever\b|n['’]?t\b))"
    r"|if not|whether or not|(?:would|could|should|['’]d) (?:not|never) have"
    r"|(?:would|could|should)n['’]t have)\b",
    re.IGNORECASE,
)  # fmt: skip


_DIGITS = {
    word: str(number)
    for number, word in enumerate(
        [
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
        ],
        start=2,
    )
}
"""Small numbers written as words. *One* is left out because it is more often a pronoun."""


_CONTRACTIONS = (
    *("don't", "doesn't", "didn't", "won't", "can't", "isn't", "wasn't", "aren't", "shouldn't"),
    *("wouldn't", "couldn't", "haven't", "hasn't"),
)
_WRITTEN_WHOLE = {each.replace("'", ""): each for each in _CONTRACTIONS}
"""Contractions typed without their apostrophe, with the full spelling: *dont* is *don't*."""


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """Return the word without its plural or possessive ending, and a small number in digits.

    *Bags* becomes *bag*, and *two* becomes *2*.
    """
    word = word.replace("’", "'")
    word = _WRITTEN_WHOLE.get(word, word)
    if word in _DIGITS:
        return _DIGITS[word]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "'s")):
        return word[:-3] + "y" if word.endswith("ies") and len(word) > 4 else word[:-1]
    return word.removesuffix("'s")


def words(text: str) -> Tokens:
    """The stemmed words of a text in lower case; everything between them is ignored."""
    return tuple(map(stem, _WORD.findall(text.lower())))


_DENY = frozenset(
    words(
        "not no none never without nor neither except excluding exclude skip avoid minus "
        "don't dont doesn't doesnt didn't didnt won't wont can't cant cannot isn't isnt wasn't "
        "wasnt shouldn't wouldn't aren't arent"
    )
)
"""Words that negate what a clause names after them."""

_AFTER_ANSWER = frozenset((each,) for each in words("just please i we it its it's actually wait"))
"""Words that show that the *no* before them is an answer: *no just return it*."""

_KEEP = frozenset(
    words("keep keeping leave leaving stay staying remain remaining hold holding hang hanging")
)
"""Words that ask for something to stay as it is."""


@dataclass(frozen=True)
class Clause:
    """A part of a sentence; a negation in it does not reach beyond it."""

    text: str
    mood: Mood

    @cached_property
    def words(self) -> Tokens:
        """Its stemmed words."""
        return words(self.text)

    @cached_property
    def start_of_denial(self) -> int:
        """The index of the word at which negation begins; past the end if nothing is negated."""
        if _NOT_DENYING.search(self.text):
            return len(self.words)
        answers = self.words[:1] == ("no",) and self.words[1:2] in _AFTER_ANSWER
        for place, word in enumerate(self.words):
            if answers and place == 0:
                continue
            if word in _DENY or any(
                self.words[place : place + len(each)] == each for each in _DENY_BEFORE
            ):
                # a lone "no", as in "no, use the other one", is an answer and negates nothing
                return place if len(self.words) > 1 else 1
        return len(self.words)

    @cached_property
    def keeps_at(self) -> int | None:
        """The index of the word that asks for something to stay as it is, or None."""
        if self.denies:
            return None
        return next((place for place, word in enumerate(self.words) if word in _KEEP), None)

    @property
    def denies(self) -> bool:
        """Whether anything in it is negated."""
        return self.start_of_denial < len(self.words)


@dataclass(frozen=True)
class Sentence:
    """One sentence, or one line of a list, as it was said."""

    text: str
    quote: str = ""
    """The words to quote if ``text`` is not what the speaker said, as for *the second one*."""

    def prepare(self) -> None:
        """Compute the words and clauses, which are cached because they are used repeatedly."""
        for clause in self.clauses:
            _ = clause.start_of_denial, clause.keeps_at
        _ = self.words, self.unsure, self.has_digit

    @property
    def words_to_quote(self) -> str:
        """The words to quote: ``quote``, or the text if that is empty."""
        return self.quote or self.text

    @cached_property
    def words(self) -> Tokens:
        """Its stemmed words."""
        return words(self.text)

    @cached_property
    def has_digit(self) -> bool:
        """Whether it contains a digit; without one it holds no amount and no date."""
        return any(each.isdigit() for each in self.text)

    @cached_property
    def unsure(self) -> bool:
        """Whether the speaker says that they are unsure."""
        return _UNSURE.search(self.text) is not None

    @cached_property
    def is_question(self) -> bool:
        """Whether it asks for information; a polite request does not."""
        if "?" not in self.text:
            return False
        return _POLITE.search(self.text) is None or (
            _INFORMATION.match(self.text.strip()) is not None
        )

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        """Its clauses; those after an opening condition depend on that condition."""
        return tuple(self._clauses())

    def _clauses(self) -> Iterator[Clause]:
        parts = [part for part in self._parts() if part.strip()]
        # skip a one-word answer before a condition: "ok, if it is one or the other"
        opening = [part for part in parts[:2] if len(words(part)) > 1 or part is not parts[0]]
        opens_with_condition = bool(opening) and _CONDITION.match(opening[0]) is not None
        for part in parts:
            yield Clause(part.strip(), self._mood(part, opens_with_condition))

    def _parts(self) -> Iterator[str]:
        for part in _CLAUSE.split(with_except(self.text)):
            if part and (instead := _INSTEAD.match(part)):
                yield part[: instead.end()]
                yield part[instead.end() :]
            elif part and (hit := _EXCEPTS.match(part)):
                means = _MEANS.search(part, hit.end())
                place = means.start() if means else len(part)
                yield part[:place]
                yield part[place:]
            elif part:
                yield part

    def _mood(self, part: str, under_condition: bool) -> Mood:
        if self.is_question:
            return "asked"
        if _CONDITION.match(part):
            return "if"
        return "then" if under_condition else "said"


def sentences(text: str) -> tuple[Sentence, ...]:
    """Split a text into sentences and list lines, without its Markdown formatting."""
    found: list[Sentence] = []
    for line in _LINE.findall(text):
        bare = _MARKUP.sub("", _MARKUP.sub("", line)).strip()
        found += (Sentence(part.strip()) for part in _SENTENCE.findall(bare) if part.strip())
    return tuple(found)
