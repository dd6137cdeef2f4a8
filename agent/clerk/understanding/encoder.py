"""Encodes sentences as vectors: all-MiniLM-L6-v2 computed in numpy, so that torch is not imported.

The vectors equal those of sentence-transformers to within float32 rounding. Sentences go through
the model one at a time, and numpy's BLAS has one thread. A sentence's vector therefore does not
depend, even in its last bit, on what else is encoded or on the number of cores.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from threading import Lock
from typing import NamedTuple

import numpy as np
from safetensors.numpy import load_file
from threadpoolctl import threadpool_limits
from tokenizers import Tokenizer

from agent.clerk.understanding.transformer import (
    TINY,
    WIDTH,
    Affine,
    Floats,
    Layer,
    Transformer,
    outputs_of,
)
from agent.context.embedding_worker import check_weights, weights_folder

LONGEST = 256
"""How many tokens of a sentence are read, including the two that mark its ends."""

TOGETHER = 8
"""How many sentences are read at once; more would not be faster."""

LAYERS = 6
_ATTEND = tuple(f"attention.self.{each}" for each in ("query", "key", "value"))
_PARTS = (
    "attention.output.dense",
    "attention.output.LayerNorm",
    "intermediate.dense",
    "output.dense",
    "output.LayerNorm",
)
"""What a layer's parts after the first are called in the file, in the order of ``Layer``."""


class Model(NamedTuple):
    """Everything that encoding needs."""

    tokenizer: Tokenizer
    transformer: Transformer


def encode(sentences: Sequence[str]) -> Floats:
    """Return (sentences, 384): a unit vector each, deterministic; may raise WeightsRefused."""
    vectors = np.empty((len(sentences), WIDTH), np.float32)
    for row, sentence in enumerate(sentences):
        vectors[row] = mean_vectors(load_model().transformer, [sentence])[0]
    return vectors


def mean_vectors(transformer: Transformer, sentences: Sequence[str]) -> Floats:
    """Unit vectors (sentences, 384) by these layers, each the mean of its tokens' outputs.

    The sentences are read together, a few at a time, which takes a third of the time that they take
    one by one. The last bits of a vector may then depend on the other sentences.
    """
    encoder = load_model().tokenizer
    numbers = [encoder.encode(encodable(each)).ids for each in sentences]
    groups = (numbers[start : start + TOGETHER] for start in range(0, len(numbers), TOGETHER))
    outputs = [each for group in groups for each in outputs_of(transformer, group)]
    means = (each.mean(axis=0) for each in outputs)
    return np.stack([mean / np.maximum(np.sqrt(mean @ mean), TINY) for mean in means])


@lru_cache(maxsize=4096)
def vector(text: str) -> Floats:
    """The vector of one sentence."""
    row: Floats = encode([text])[0]
    return row


def encodable(text: str) -> str:
    """A text in which a lone surrogate, which is not text, is a "?"."""
    return text.encode("utf-8", "replace").decode("utf-8")


def knows_word(word: str) -> bool:
    """Whether a word is in the model's vocabulary as a whole, as words are and codes are not."""
    return load_model().tokenizer.token_to_id(word.lower()) is not None


_loading = Lock()


def load_model() -> Model:
    """The model, which the first call reads; a thread that calls in the meantime waits for it."""
    with _loading:
        return _read_model()


@cache
def _read_model() -> Model:
    """Read the model and limit numpy's BLAS to one thread for the rest of the process.

    More threads gain little on a single sentence, and on busy cores they wait for each other.
    """
    folder = weights_folder()
    check_weights(folder)
    threadpool_limits(1, user_api="blas")
    return Model(read_tokenizer(folder), _read_transformer(folder))


def read_tokenizer(folder: Path) -> Tokenizer:
    """The model's tokenizer, which truncates as sentence-transformers does and does not pad."""
    tokenizer: Tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(LONGEST)
    return tokenizer


def _read_transformer(folder: Path) -> Transformer:
    weights = load_file(folder / "model.safetensors")
    table = "embeddings.{}_embeddings.weight"
    return Transformer(
        weights[table.format("word")],
        weights[table.format("position")] + weights[table.format("token_type")][0],
        _part(weights, "embeddings.LayerNorm"),
        tuple(_layer(weights, f"encoder.layer.{number}") for number in range(LAYERS)),
    )


def _layer(weights: dict[str, Floats], name: str) -> Layer:
    asked = [_part(weights, f"{name}.{each}") for each in _ATTEND]
    attend = Affine(*(np.concatenate(each) for each in zip(*asked, strict=True)))
    return Layer(attend, *(_part(weights, f"{name}.{each}") for each in _PARTS))


def _part(weights: dict[str, Floats], name: str) -> Affine:
    return Affine(weights[f"{name}.weight"], weights[f"{name}.bias"])
