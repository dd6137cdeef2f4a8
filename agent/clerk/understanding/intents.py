"""What a sentence asks for, by the example sentences that it is most like.

A domain lists its example sentences by intent in ``examples.json``. Their vectors, and the weights
of a logistic regression over vectors, words and letters, are computed ahead by ``embed_examples``
and lie beside them in ``examples.npz``, so that starting costs nothing. The vectors know what words
mean, the words tell "add a bag" from "how much is a bag", and the letters what "resrvatoin" is. The
same words always get the same answer.
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
"""How many of an intent's examples count for how near a sentence is to it."""

FAR = 0.28
"""A sentence whose nearest examples are no more like it than this asks for nothing known."""


@dataclass(frozen=True, slots=True)
class Guess:
    """An intent that a sentence may have."""

    name: str
    likely: float
    """From 0 to 1; the guesses for one sentence add up to 1."""

    like: float
    """How like the intent's nearest examples the sentence is, from -1 to 1."""

    def __deepcopy__(self, _: dict[int, Any]) -> Guess:
        """It never changes, so that a copy of what it is part of has the same one."""
        return self


class Trained(NamedTuple):
    """What is computed ahead of a domain's n examples of k intents, with v terms."""

    vectors: Floats
    """(n, 384)"""
    terms: Any
    """(v,): words, pairs of words that stand side by side, and pieces of words."""
    rarity: Floats
    """(v,): how much each of them tells."""
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
    """The intents of one domain."""

    folder: Path

    @cached_property
    def sentences(self) -> dict[str, list[str]]:
        """The example sentences by intent."""
        found: dict[str, list[str]] = json.loads(
            (self.folder / "examples.json").read_text(encoding="utf-8")
        )
        return found

    @cached_property
    def names(self) -> list[str]:
        """The intents."""
        return list(self.sentences)

    @cached_property
    def labels(self) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """For each example, the place of its intent."""
        counts = [len(each) for each in self.sentences.values()]
        return np.repeat(np.arange(len(counts)), counts)

    @cached_property
    def _trained(self) -> Trained:
        threadpool_limits(1, user_api="blas")  # as the encoder has it, which may not be needed
        with np.load(self.folder / "examples.npz") as kept:
            return Trained(*(widen(kept[name]) for name in Trained._fields))

    @cached_property
    def _places(self) -> dict[str, int]:
        return {str(term): place for place, term in enumerate(self._trained.terms)}

    @cached_property
    def _forms(self) -> list[tuple[re.Pattern[str], str]]:
        data = json.loads((self.folder / "manner.json").read_text(encoding="utf-8"))
        return [(re.compile(form, re.IGNORECASE), words) for form, words in data["forms"]]

    def in_general(self, text: str) -> str:
        """A sentence in which codes are words: "cancel ABC123" is "cancel my reservation"."""
        for form, words in self._forms:
            text = form.sub(partial(self._as_words, words), text)
        return text

    def _as_words(self, words: str, hit: re.Match[str]) -> str:
        """The words that stand for what looks like a code; a word in capitals is none."""
        code = hit.group()
        return code if code.isalpha() and self.is_word(code) else words

    def is_word(self, text: str) -> bool:
        """Whether these letters are a word: one of the examples', or one that the encoder knows."""
        from agent.clerk.understanding.encoder import knows_word

        return text.lower() in self._own_words or knows_word(text)

    @cached_property
    def _own_words(self) -> frozenset[str]:
        texts = " ".join(each for group in self.sentences.values() for each in group)
        return frozenset(re.findall(r"\b[a-z]+\b", texts))

    def guesses(self, text: str) -> tuple[Guess, ...]:
        """Every intent for a sentence, the likeliest first."""
        return self._known(self.in_general(text))

    @cached_property
    def _known(self) -> Callable[[str], tuple[Guess, ...]]:
        return lru_cache(maxsize=4096)(self._guesses)

    def _guesses(self, text: str) -> tuple[Guess, ...]:
        known, row = self._trained, vector(text)
        near = known.vectors @ row
        like = [np.sort(near[self.labels == n])[-NEAREST:].mean() for n in range(len(self.names))]
        scores = row @ known.weights[: len(row)] + known.bias
        told = self._shares(grams(text)) | self._shares(pieces(text))
        if told:
            places, share = np.array(list(told)), np.array(list(told.values()), np.float32)
            scores = scores + share @ known.weights[len(row) + places]
        likely = shares(scores)
        order = np.argsort(-likely, kind="stable")
        return tuple(Guess(self.names[n], float(likely[n]), float(like[n])) for n in order)

    def _shares(self, terms: Iterable[str]) -> dict[int, float]:
        """The share that each known term has of a sentence's; their squares add up to 1."""
        counts = Counter(self._places[each] for each in terms if each in self._places)
        told = {n: (1 + np.log(c)) * float(self._trained.rarity[n]) for n, c in counts.items()}
        length = np.sqrt(sum(each * each for each in told.values()))
        return {n: float(each / length) for n, each in told.items()}


def grams(text: str) -> list[str]:
    """The words of a text, and its pairs of words that stand side by side."""
    words = tokens(text)
    return [*words, *(f"{one} {other}" for one, other in pairwise(words))]


def pieces(text: str) -> list[str]:
    """Three and four letters in a row of each word, its ends told: a slip leaves most as they are.

    Each begins with a mark, so that none passes for a word.
    """
    words = [f" {word} " for word in text.lower().split()]
    return [
        f"~{word[place : place + size]}"
        for word in words
        for size in (3, 4)
        for place in range(len(word) - size + 1)
    ]


def widen(kept: Any) -> Any:
    """Numbers as they are reckoned with; they are kept at half the precision."""
    return kept.astype(np.float32) if kept.dtype.kind == "f" else kept
