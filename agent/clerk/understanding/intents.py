"""Classifies what a sentence asks for, by its similarity to example sentences.

A domain lists its example sentences by intent: openings in ``examples.json``, what is said in the
middle of something in ``replies.json``. Their vectors, and the weights
of a logistic regression over vectors, words and character n-grams, are precomputed by
``embed_examples`` and stored in ``examples.npz``, so that starting costs nothing. The vectors
capture what words mean, the words distinguish "add a bag" from "how much is a bag", and the n-grams
recognise "resrvatoin". The same text always gets the same answer.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from threadpoolctl import threadpool_limits

from agent.clerk.understanding.tokens import tokens
from agent.clerk.understanding.transformer import Floats, shares

NEAREST = 3
"""How many of an intent's closest examples count for its similarity to a sentence."""

MID = 0.3
"""How far the scores in the middle of something move towards the examples from there.

Those have few requests; a customer who makes one has to be heard all the same.
"""
FEW = 5
"""How many examples more every intent counts as having in each place of a conversation."""

FAR = 0.28
"""A sentence whose closest examples are less similar than this has no known intent."""


@dataclass(frozen=True, slots=True)
class Guess:
    """An intent that a sentence may have, with its probability."""

    name: str
    probability: float
    """From 0 to 1; the guesses for one sentence add up to 1."""

    similarity: float
    """The mean cosine similarity to the intent's closest examples, from -1 to 1."""

    def __deepcopy__(self, _: dict[int, Any]) -> Guess:
        """Return the same object, because it is immutable."""
        return self


class Trained(NamedTuple):
    """What is precomputed for a domain's n examples of k intents, with v terms."""

    vectors: Floats
    """(n, 384)"""
    terms: Any
    """(v,): words, pairs of adjacent words, and character n-grams."""
    rarity: Floats
    """(v,): the inverse document frequency of each term."""
    weights: Floats
    """(384 + v, k)"""
    bias: Floats
    """(k,)"""


@lru_cache(maxsize=4096)
def vector(text: str) -> Floats:
    """The vector of one sentence."""
    from agent.clerk.understanding.encoder import SentenceEncoder

    row: Floats = SentenceEncoder().encode([text])[0]
    return row


@dataclass(frozen=True)
class Examples:
    """The example sentences of one domain, and the classifier that was trained on them."""

    folder: Path

    @cached_property
    def openings(self) -> dict[str, list[str]]:
        """What customers say when nothing is under way, by intent."""
        return self._load("examples.json")

    @cached_property
    def replies(self) -> dict[str, list[str]]:
        """What customers say in the middle of something, clause by clause, by intent."""
        return self._load("replies.json")

    def _load(self, name: str) -> dict[str, list[str]]:
        found: dict[str, list[str]] = json.loads((self.folder / name).read_text(encoding="utf-8"))
        return found

    @cached_property
    def sentences(self) -> dict[str, list[str]]:
        """All example sentences by intent."""
        names = dict.fromkeys((*self.openings, *self.replies))
        return {each: self.openings.get(each, []) + self.replies.get(each, []) for each in names}

    @cached_property
    def _prior_shifts(self) -> dict[bool, Floats]:
        """What to add to the scores at an opening (True) and in the middle of something (False).

        Training on both made each intent as likely as it is in all examples; this makes it as
        likely as it is in those of the same place in a conversation.
        """
        shifts = {}
        for is_opening, those in ((True, self.openings), (False, self.replies)):
            here = np.array([len(those.get(each, [])) for each in self.names], np.float32) + FEW
            both = np.array([len(each) for each in self.sentences.values()], np.float32) + FEW
            ratio = np.log(here / here.sum()) - np.log(both / both.sum())
            shifts[is_opening] = ratio * (1.0 if is_opening else MID)
        return shifts

    @cached_property
    def names(self) -> list[str]:
        """The names of the intents."""
        return list(self.sentences)

    @cached_property
    def labels(self) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """The index of the intent of each example."""
        counts = [len(each) for each in self.sentences.values()]
        return np.repeat(np.arange(len(counts)), counts)

    @cached_property
    def _trained(self) -> Trained:
        threadpool_limits(1, user_api="blas")  # as in the encoder, which may not get loaded
        with np.load(self.folder / "examples.npz") as kept:
            return Trained(*(widen(kept[name]) for name in Trained._fields))

    @cached_property
    def _places(self) -> dict[str, int]:
        return {str(term): place for place, term in enumerate(self._trained.terms)}

    @cached_property
    def _forms(self) -> list[tuple[re.Pattern[str], str]]:
        data = json.loads((self.folder / "intents.json").read_text(encoding="utf-8"))
        return [(re.compile(form, re.IGNORECASE), words) for form, words in data["forms"]]

    def without_codes(self, text: str) -> str:
        """The sentence with codes replaced: "cancel ABC123" becomes "cancel my reservation"."""
        for form, words in self._forms:
            text = form.sub(partial(self._as_words, words), text)
        return text

    def _as_words(self, words: str, hit: re.Match[str]) -> str:
        """The words that replace what looks like a code, unless it is a word in capitals."""
        code = hit.group()
        return code if code.isalpha() and self.is_word(code) else words

    def is_word(self, text: str) -> bool:
        """Whether these letters are a word in the examples or one that the encoder knows."""
        from agent.clerk.understanding.encoder import knows_word

        return text.lower() in self._own_words or knows_word(text)

    @cached_property
    def _own_words(self) -> frozenset[str]:
        texts = " ".join(each for group in self.sentences.values() for each in group)
        return frozenset(re.findall(r"\b[a-z]+\b", texts))

    def guesses(self, text: str, *, opening: bool = True) -> tuple[Guess, ...]:
        """Every intent for a sentence, likeliest first."""
        return self._known(self.without_codes(text), opening)

    @cached_property
    def _known(self) -> Callable[[str, bool], tuple[Guess, ...]]:
        return lru_cache(maxsize=4096)(self._guesses)

    def _guesses(self, text: str, opening: bool) -> tuple[Guess, ...]:
        known, row = self._trained, vector(text)
        near = known.vectors @ row
        like = [np.sort(near[self.labels == n])[-NEAREST:].mean() for n in range(len(self.names))]
        scores = row @ known.weights[: len(row)] + known.bias
        told = self._shares(grams(text)) | self._shares(pieces(text))
        if told:
            places, share = np.array(list(told)), np.array(list(told.values()), np.float32)
            scores = scores + share @ known.weights[len(row) + places]
        likely = shares(scores + self._prior_shifts[opening])
        order = np.argsort(-likely, kind="stable")
        return tuple(Guess(self.names[n], float(likely[n]), float(like[n])) for n in order)

    def _shares(self, terms: Iterable[str]) -> dict[int, float]:
        """The tf-idf weight of each known term of a sentence; their squares add up to 1."""
        counts = Counter(self._places[each] for each in terms if each in self._places)
        told = {n: (1 + np.log(c)) * float(self._trained.rarity[n]) for n, c in counts.items()}
        length = np.sqrt(sum(each * each for each in told.values()))
        return {n: float(each / length) for n, each in told.items()}


def grams(text: str) -> list[str]:
    """The words of a text, and its pairs of adjacent words."""
    words = tokens(text)
    return [*words, *(f"{one} {other}" for one, other in pairwise(words))]


def pieces(text: str) -> list[str]:
    """The character n-grams (3 and 4) of each word and its ends; a typo leaves most of them intact.

    Each begins with a mark, so that none equals a word.
    """
    words = [f" {word} " for word in text.lower().split()]
    return [
        f"~{word[place : place + size]}"
        for word in words
        for size in (3, 4)
        for place in range(len(word) - size + 1)
    ]


def widen(kept: Any) -> Any:
    """An array in the precision used for computing; it is stored in half precision."""
    return kept.astype(np.float32) if kept.dtype.kind == "f" else kept
