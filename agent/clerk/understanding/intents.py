"""Classifies what a sentence asks for, by its similarity to example sentences.

A domain lists its example sentences by intent: openings in ``examples.json``, what is said in the
middle of something in ``replies.json``. The classifier that was trained on them, and their vectors,
are stored in ``examples.npz``. The same text always gets the same answer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from agent.clerk.understanding.text_classifier import TextClassifier, vector, widen
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
    def classifier(self) -> TextClassifier:
        """What was trained on the examples."""
        return TextClassifier(self.folder / "examples.npz")

    @cached_property
    def _vectors(self) -> Floats:
        """(n, 384): the vectors of the n examples."""
        with np.load(self.classifier.path) as kept:
            vectors: Floats = widen(kept["vectors"])
        return vectors

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
        near = self._vectors @ vector(text)
        like = [np.sort(near[self.labels == n])[-NEAREST:].mean() for n in range(len(self.names))]
        likely = shares(self.classifier.scores(text) + self._prior_shifts[opening])
        order = np.argsort(-likely, kind="stable")
        return tuple(Guess(self.names[n], float(likely[n]), float(like[n])) for n in order)
