"""BERT's arithmetic with numpy: the tokens of one sentence in, a unit vector out.

Shapes are written with n for the tokens of the sentence. There is only ever one, so nothing is
padded, and the attention mask, which would be all ones, is left out.
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
"""Keeps a division from being one by zero; the model was trained with this one."""

ERF_SLOPE = np.float32(0.3275911)
ERF = (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592, 0.0)
"""Abramowitz and Stegun, 7.1.26: of a polynomial, the highest power's first."""


class Linear(NamedTuple):
    """A weighted sum: `weight` is (outputs, inputs), `bias` (outputs,)."""

    weight: Floats
    bias: Floats


class Norm(NamedTuple):
    """What a layer normalisation multiplies by and adds, both (384,)."""

    scale: Floats
    shift: Floats


class Layer(NamedTuple):
    """One of the transformer's layers."""

    attend: Linear
    """Queries, keys and values in one: 384 inputs, 3 * 384 outputs."""
    attended: Linear
    after_attention: Norm
    widen: Linear
    """384 inputs, 1536 outputs."""
    narrow: Linear
    after_narrowing: Norm


class Transformer(NamedTuple):
    """The model without its tokenizer."""

    words: Floats
    """(30522, 384): a row for each token of the vocabulary."""
    places: Floats
    """(512, 384): a row for each place in a sentence, with what is added to a text that is the
    first of two: there never is a second."""
    after_lookup: Norm
    layers: tuple[Layer, ...]


def vector_of(model: Transformer, numbers: Sequence[int]) -> Floats:
    """From n tokens to a unit vector (384,): the mean of what the last layer gives for each."""
    x = normalise(model.words[numbers] + model.places[: len(numbers)], model.after_lookup)
    for layer in model.layers:
        x = apply_layer(x, layer)
    mean: Floats = x.mean(axis=0)
    vector: Floats = mean / np.maximum(np.sqrt(mean @ mean), TINY)
    return vector


def apply_layer(x: Floats, layer: Layer) -> Floats:
    """(n, 384) through one layer to (n, 384)."""
    taken = apply_linear(attention(apply_linear(x, layer.attend)), layer.attended)
    x = normalise(x + taken, layer.after_attention)
    thought = apply_linear(gelu(apply_linear(x, layer.widen)), layer.narrow)
    return normalise(x + thought, layer.after_narrowing)


def attention(asked: Floats) -> Floats:
    """Queries, keys and values (n, 3 * 384) to what each token takes from the others (n, 384)."""
    n = len(asked)
    queries, keys, values = asked.reshape(n, 3, HEADS, -1).transpose(1, 2, 0, 3)  # (12, n, 32) each
    scores = queries @ keys.transpose(0, 2, 1) / np.float32(np.sqrt(WIDTH // HEADS))
    mixed: Floats = shares(scores) @ values
    return mixed.transpose(1, 0, 2).reshape(n, WIDTH)


def shares(scores: Floats) -> Floats:
    """The softmax of the last axis; the shape stays."""
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    result: Floats = powers / powers.sum(axis=-1, keepdims=True)
    return result


def apply_linear(x: Floats, by: Linear) -> Floats:
    """(n, inputs) to (n, outputs)."""
    return x @ by.weight.T + by.bias


def normalise(x: Floats, by: Norm) -> Floats:
    """Each row of (n, 384) moved to mean 0 and variance 1, then scaled and shifted."""
    x = x - x.mean(axis=1, keepdims=True)
    variance = np.square(x).mean(axis=1, keepdims=True)
    result: Floats = x / np.sqrt(variance + TINY) * by.scale + by.shift
    return result


def gelu(x: Floats) -> Floats:
    """Each x times the share of a normal distribution that lies below x; the shape stays."""
    return np.float32(0.5) * x * (1 + erf(x * np.float32(np.sqrt(0.5))))


def erf(x: Floats) -> Floats:
    """The error function to within 1e-6; the shape stays."""
    size = np.abs(x)
    steep: Floats = np.reciprocal(1 + ERF_SLOPE * size)
    result: Floats = np.copysign(1 - polynomial(ERF, steep) * np.exp(-size * size), x)
    return result


def polynomial(coefficients: Sequence[float], x: Floats) -> Floats:
    """The polynomial's value for each x; the highest power's coefficient is first."""
    result = np.full_like(x, coefficients[0])
    for coefficient in coefficients[1:]:
        result *= x
        result += np.float32(coefficient)
    return result
