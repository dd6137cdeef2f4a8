"""What a sentence asks for, by the example sentences that it is most like.

A domain lists its example sentences by intent in ``examples.json``. Their vectors, and the weights
of a logistic regression over them, are computed ahead by ``embed_examples`` and lie beside them in
``examples.npz``, so that starting costs nothing. The same words always get the same answer.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from agent.clerk.understanding.transformer import Floats

NEAREST = 3
"""How many of an intent's examples count for how near a sentence is to it."""

SHARPNESS = 14.0
"""How much nearer examples have to be for their intent to be the likelier one."""

SCALE = 8.0
"""By how much vectors are stretched before the regression."""

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
    def _kept(self) -> tuple[Floats, Floats]:
        with np.load(self.folder / "examples.npz") as kept:
            return kept["vectors"].astype(np.float32), kept["weights"].astype(np.float32)

    @cached_property
    def _cache(self) -> dict[str, tuple[Guess, ...]]:
        return {}

    def guesses(self, text: str) -> tuple[Guess, ...]:
        """Every intent for a sentence, the likeliest first."""
        found = self._cache.get(text)
        if found is None:
            if len(self._cache) > 4096:
                self._cache.clear()
            found = self._cache[text] = self._guesses(vector(text))
        return found

    def _guesses(self, row: Floats) -> tuple[Guess, ...]:
        vectors, weights = self._kept
        near = vectors @ row
        like = np.array(
            [np.sort(near[self.labels == n])[-NEAREST:].mean() for n in range(len(self.names))]
        )
        learned = softmax(row * SCALE @ weights[:-1] + weights[-1])
        likely = (learned + softmax(like * SHARPNESS)) / 2
        order = np.argsort(-likely, kind="stable")
        return tuple(Guess(self.names[n], float(likely[n]), float(like[n])) for n in order)


def softmax(scores: Any) -> Any:
    """Scores as shares of one."""
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def trained(vectors: Floats, labels: Sequence[int]) -> Floats:
    """The weights of a logistic regression, the last row its bias; always the same ones."""
    places = np.asarray(labels)
    count = int(places.max()) + 1
    rows = np.hstack([vectors * SCALE, np.ones((len(vectors), 1))]).astype(np.float64)
    truth = np.eye(count)[places]
    weight = 1 / np.sqrt(np.bincount(places, minlength=count))[places]
    weight /= weight.mean()
    weights = np.zeros((rows.shape[1], count))
    momentum = np.zeros_like(weights)
    for _ in range(300):
        slope = rows.T @ ((softmax(rows @ weights) - truth) * weight[:, None]) / len(rows)
        momentum = 0.9 * momentum + slope + 1e-3 * weights
        weights -= 0.05 * momentum
    return weights.astype(np.float32)
