"""The BERT computation in numpy: the tokens of a text in, one vector for each out.

In shapes, n is the number of tokens in a text. Texts are neither padded nor masked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

WIDTH = 384
HEADS = 12
TINY = np.float32(1e-12)
"""Prevents a division by zero; the model was trained with this value."""

ERF_SLOPE = np.float32(0.3275911)
ERF = (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592, 0.0)
"""Coefficients of the polynomial in Abramowitz and Stegun, 7.1.26, highest power first."""


class Affine(NamedTuple):
    """A linear layer, with a weight of (outputs, inputs), or the scale and shift of a norm."""

    weight: Floats
    bias: Floats


class Layer(NamedTuple):
    """One layer of the transformer."""

    attend: Affine
    """Queries, keys and values in one: 384 inputs, 3 * 384 outputs."""
    attended: Affine
    after_attention: Affine
    widen: Affine
    narrow: Affine
    after_narrowing: Affine


class Transformer(NamedTuple):
    """The model without its tokenizer."""

    words: Floats
    """(30522, 384): one row per token of the vocabulary."""
    places: Floats
    """(512, 384): one row per position, plus the segment embedding of a first sentence."""
    after_lookup: Affine
    layers: tuple[Layer, ...]


def outputs_of(model: Transformer, texts: Sequence[Sequence[int]]) -> list[Floats]:
    """The outputs (n, 384) of the last layer for each text of n tokens.

    A few short texts together take hardly longer than one: most of the time goes into fetching the
    weights from memory.
    """
    rows = (model.words[list(text)] + model.places[: len(text)] for text in texts)
    ends = np.cumsum([len(text) for text in texts])[:-1]
    x = normalise(np.concatenate([*rows]), model.after_lookup)
    for layer in model.layers:
        asked = np.split(apply_linear(x, layer.attend), ends)
        taken = apply_linear(np.concatenate([attention(text) for text in asked]), layer.attended)
        x = normalise(x + taken, layer.after_attention)
        thought = apply_linear(gelu(apply_linear(x, layer.widen)), layer.narrow)
        x = normalise(x + thought, layer.after_narrowing)
    return np.split(x, ends)


def attention(asked: Floats) -> Floats:
    """Multi-head attention: queries, keys and values (n, 3 * 384) in, (n, 384) out."""
    n = len(asked)
    queries, keys, values = asked.reshape(n, 3, HEADS, -1).transpose(1, 2, 0, 3)  # (12, n, 32) each
    scores = queries @ keys.transpose(0, 2, 1) / np.float32(np.sqrt(WIDTH // HEADS))
    mixed: Floats = shares(scores) @ values
    return mixed.transpose(1, 0, 2).reshape(n, WIDTH)


def shares(scores: Floats) -> Floats:
    """The softmax of the last axis."""
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    result: Floats = powers / powers.sum(axis=-1, keepdims=True)
    return result


def apply_linear(x: Floats, by: Affine) -> Floats:
    """Apply a linear layer: (n, inputs) to (n, outputs)."""
    return x @ by.weight.T + by.bias


def normalise(x: Floats, by: Affine) -> Floats:
    """Normalise each row of (n, 384) to mean 0 and variance 1, then scale and shift it."""
    x = x - x.mean(axis=1, keepdims=True)
    variance = np.square(x).mean(axis=1, keepdims=True)
    result: Floats = x / np.sqrt(variance + TINY) * by.weight + by.bias
    return result


def gelu(x: Floats) -> Floats:
    """Each x times the standard normal distribution function at x."""
    return np.float32(0.5) * x * (1 + erf(x * np.float32(np.sqrt(0.5))))


def erf(x: Floats) -> Floats:
    """The error function to within 1e-6."""
    size = np.abs(x)
    steep: Floats = np.reciprocal(1 + ERF_SLOPE * size)
    polynomial = np.full_like(x, ERF[0])
    for coefficient in ERF[1:]:
        polynomial *= steep
        polynomial += np.float32(coefficient)
    result: Floats = np.copysign(1 - polynomial * np.exp(-size * size), x)
    return result
