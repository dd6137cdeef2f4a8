"""A linear classifier of sentences, by what they mean and by the words that they use.

It is a logistic regression over a sentence's vector, its words and sequences of words, and
character n-grams. The vectors capture what words mean, the words distinguish "add a bag" from "how
much is a bag" and "cancel it" from "don't cancel it", and the n-grams recognise "resrvatoin". The
weights are computed by ``embed_examples``, so that starting costs nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from threadpoolctl import threadpool_limits

from agent.clerk.understanding.tokens import tokens
from agent.clerk.understanding.transformer import Floats


class Trained(NamedTuple):
    """What is precomputed from n examples with k labels, with v terms."""

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
class TextClassifier:
    """A classifier as it was stored by ``embed_examples``."""

    path: Path

    longest: int = 2
    """How many adjacent words count together at most."""

    @cached_property
    def trained(self) -> Trained:
        """What was learned."""
        threadpool_limits(1, user_api="blas")  # as in the encoder, which may not get loaded
        with np.load(self.path) as kept:
            return Trained(*(widen(kept[name]) for name in Trained._fields))

    @cached_property
    def _places(self) -> dict[str, int]:
        return {str(term): place for place, term in enumerate(self.trained.terms)}

    def scores(self, text: str) -> Floats:
        """The score of each of the k labels: the logarithm of its likelihood, up to a constant."""
        known, row = self.trained, vector(text)
        scores: Floats = row @ known.weights[: len(row)] + known.bias
        told = self._shares(grams(text, self.longest)) | self._shares(pieces(text))
        if told:
            places, share = np.array(list(told)), np.array(list(told.values()), np.float32)
            scores = scores + share @ known.weights[len(row) + places]
        return scores

    def _shares(self, terms: Iterable[str]) -> dict[int, float]:
        """The tf-idf weight of each known term of a sentence; their squares add up to 1."""
        counts = Counter(self._places[each] for each in terms if each in self._places)
        told = {n: (1 + np.log(c)) * float(self.trained.rarity[n]) for n, c in counts.items()}
        length = np.sqrt(sum(each * each for each in told.values()))
        return {n: float(each / length) for n, each in told.items()}


def grams(text: str, longest: int = 2) -> list[str]:
    """The words of a text, and its sequences of up to so many adjacent words.

    Where more than two count, the beginning and the end of the text count as words as well.
    """
    words = tokens(text) if longest <= 2 else ("^", *tokens(text), "$")
    return [
        " ".join(words[place : place + size])
        for size in range(1, longest + 1)
        for place in range(len(words) - size + 1)
    ]


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
