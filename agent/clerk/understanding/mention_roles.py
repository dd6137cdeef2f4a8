"""Tells what a customer wants with each thing that a text mentions: "all on the visa, I want to
hang on to my certificate" wants the one used and the other kept out.

A text, or of a long one the passage around a mention, is read by all-MiniLM-L6-v2 with last layers
that were trained for this (``tests/generators/clerk_mentions`` has the messages and the training).
From the mean of the outputs of a mention's tokens and that of the whole passage, one linear layer
tells its role.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal, NamedTuple, get_args

import numpy as np
from safetensors import safe_open

from agent.clerk.understanding.encoder import encodable, load_model
from agent.clerk.understanding.trained_layers import read_part, read_transformer
from agent.clerk.understanding.transformer import (
    Affine,
    Floats,
    Transformer,
    apply_linear,
    outputs_of,
    shares,
)

WEIGHTS = Path(__file__).parent / "roles.safetensors"

FIRST_TRAINED = 2
"""The first layer that differs from those of all-MiniLM-L6-v2."""

LONGEST = 160
"""How many tokens are read of a text."""

PASSAGE, STEP = 250, 125
"""Of a text with more characters only so many are read around each mention, as in training; where
a passage begins is a multiple of the step, so that mentions near each other share one."""

Role = Literal["wanted", "acted_on", "kept_out", "mentioned"]
"""What a customer wants with a thing: to use or choose it, to have it changed or taken back, to
have it left alone, or nothing of these: it is asked about, was paid with, or is somebody else's."""

ROLES: tuple[Role, ...] = get_args(Role)

KEPT_OUT = ROLES.index("kept_out")
SURELY_KEPT_OUT = 0.6
"""How likely it must be that a thing is kept out; else its next likely role counts."""

Span = tuple[int, int]
"""Where a mention begins and ends in a text, in characters."""


class Trained(NamedTuple):
    """What training left."""

    model: Transformer
    roles: Affine


def roles_of(text: str, spans: tuple[Span, ...]) -> tuple[Role, ...]:
    """The likeliest role of each of the things that a text mentions."""
    if not spans:
        return ()
    vectors = np.stack([_vector(text, start, end) for start, end in spans])
    likely = shares(apply_linear(vectors, trained().roles))
    unsure = likely[:, KEPT_OUT] < SURELY_KEPT_OUT
    likely[unsure, KEPT_OUT] = 0
    return tuple(ROLES[best] for best in likely.argmax(axis=1).tolist())


def _vector(text: str, start: int, end: int) -> Floats:
    """What the role of a mention is told by, (768): its own tokens and all of its passage."""
    begin = max(0, min((start - PASSAGE // 4) // STEP * STEP, len(text) - PASSAGE))
    offsets, outputs = _read(text[begin : begin + PASSAGE])
    (places,) = place_spans(offsets, [(start - begin, end - begin)])
    return np.concatenate([outputs[places].mean(axis=0), outputs.mean(axis=0)])


@lru_cache(maxsize=256)
def _read(passage: str) -> tuple[list[Span], Floats]:
    """The offsets of a passage's tokens and the outputs for them."""
    tokens, offsets = tokens_of(passage)
    (outputs,) = outputs_of(trained().model, [tokens])
    return offsets, outputs


def places_in(text: str, spans: Sequence[Span]) -> tuple[list[int], list[list[int]]]:
    """A text as tokens, and the places of each span's tokens; of all if none of its own is read."""
    tokens, offsets = tokens_of(text)
    return tokens, place_spans(offsets, spans)


def tokens_of(text: str) -> tuple[list[int], list[Span]]:
    """A text as tokens, and where each stands; what marks its ends stands nowhere."""
    read = load_model().tokenizer.encode(encodable(text))
    return read.ids[:LONGEST], read.offsets[:LONGEST]


def place_spans(offsets: Sequence[Span], spans: Sequence[Span]) -> list[list[int]]:
    """The tokens of each span, by their places; all of them if none of its own is read."""
    own = [
        [n for n, (a, b) in enumerate(offsets) if b > a and start <= a and b <= end]
        for start, end in spans
    ]
    return [each or [*range(len(offsets))] for each in own]


@cache
def trained() -> Trained:
    """What training left, read from its file."""
    with safe_open(str(WEIGHTS), "np") as file:
        return Trained(read_transformer(file, FIRST_TRAINED), read_part(file, "roles"))
