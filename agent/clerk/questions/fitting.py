"""Tells how well facts answer a question, and whether the answer begins with a yes or a no.

Questions and facts become vectors by all-MiniLM-L6-v2 with last layers that were trained so that a
question is nearest to the facts that answer it (``tests/generators/clerk_questions`` has the
questions that people asked, and the training). From a question's vector it is also told how likely
no fact at all answers it, and from both whether the answer begins with a yes or a no.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from safetensors import safe_open

from agent.clerk.understanding.encoder import encodable, load_model
from agent.clerk.understanding.spelling import correct
from agent.clerk.understanding.trained_layers import read_part, read_transformer
from agent.clerk.understanding.transformer import (
    TINY,
    WIDTH,
    Affine,
    Floats,
    Transformer,
    apply_linear,
    outputs_of,
    shares,
)

WEIGHTS = Path(__file__).parent / "fitting.safetensors"

FIRST_TRAINED = 3
"""The first layer that differs from those of all-MiniLM-L6-v2."""

LEADS = ("", "Yes", "No")

SURELY_LED = 0.95
"""How likely the answer must begin with a yes or a no to begin so."""

LONGEST = 80
"""How many tokens are read of a text."""

TOGETHER = 8
"""How many texts are read at once; more would not be faster."""


class Fit(NamedTuple):
    """How a fact fits a question."""

    fact: str
    likelihood: float
    """How likely it is the best answer, among all facts and no answer at all."""

    lead: str = ""
    """One of ``LEADS`` if the answer surely begins with it."""

    vector: Floats = np.zeros(WIDTH, np.float32)
    """The fact's vector."""


class _Trained(NamedTuple):
    """What training left."""

    model: Transformer
    none: Affine
    leads: Affine
    sharpness: float


def tokens_of(text: str) -> list[int]:
    """A question or a fact as tokens."""
    return load_model().tokenizer.encode(encodable(text)).ids[:LONGEST]


def best_fits(question: str, facts: Sequence[str], most: int) -> list[Fit]:
    """The facts, of at least one, that answer a question best, the best first."""
    known = _trained()
    (asked,) = _vectors([correct(question)])
    told = np.stack(_vectors(facts))
    none = apply_linear(asked[None], known.none)[0]
    likely = shares(np.concatenate([known.sharpness * (told @ asked), none]))
    best = np.argsort(-likely[:-1], kind="stable")[:most]
    return [
        Fit(facts[place], float(likely[place]), _lead(asked, told[place]), told[place])
        for place in best
    ]


def _lead(asked: Floats, told: Floats) -> str:
    """The word that an answer surely begins with; empty if that is unclear."""
    both = np.concatenate([asked, told, asked * told])[None] * np.float32(np.sqrt(len(told)))
    likely = shares(apply_linear(both, _trained().leads))[0]
    best = int(likely.argmax())
    return LEADS[best] if likely[best] >= SURELY_LED else ""


_kept: dict[str, Floats] = {}
"""Vectors of texts that were read before; most facts are told again at the next question."""

_MOST_KEPT = 20_000


def _vectors(texts: Sequence[str]) -> list[Floats]:
    """A unit vector for each text."""
    known = {each: _kept[each] for each in texts if each in _kept}
    new = sorted({each for each in texts if each not in known}, key=len)
    for start in range(0, len(new), TOGETHER):
        group = new[start : start + TOGETHER]
        rows = outputs_of(_trained().model, [tokens_of(each) for each in group])
        for text, row in zip(group, rows, strict=True):
            mean = row.mean(axis=0)
            known[text] = mean / np.maximum(np.sqrt(mean @ mean), TINY)
    if len(_kept) > _MOST_KEPT:
        _kept.clear()
    _kept.update(known)
    return [known[each] for each in texts]


@cache
def _trained() -> _Trained:
    """What training left, read from its file."""
    with safe_open(str(WEIGHTS), "np") as file:
        model = read_transformer(file, FIRST_TRAINED)
        heads = read_part(file, "none"), read_part(file, "leads")
        return _Trained(model, *heads, float(file.get_tensor("sharpness")[0]))
