"""Sentences to vectors: all-MiniLM-L6-v2 computed with numpy, so that no torch is imported.

The vectors are those of sentence-transformers to within float32's rounding. Sentences go through
the model one at a time, and numpy's BLAS has one thread: a sentence's vector cannot depend, not
even in its last bit, on what else is encoded with it or on how many cores there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from threading import Lock
from typing import NamedTuple

import numpy as np
from safetensors.numpy import load_file
from threadpoolctl import threadpool_limits
from tokenizers import Tokenizer

from agent.clerk.understanding.transformer import (
    WIDTH,
    Floats,
    Layer,
    Linear,
    Norm,
    Transformer,
    vector_of,
)
from agent.context.embedding_worker import check_weights, weights_folder

LONGEST = 256
"""Tokens that are read of a sentence, the two that mark its ends among them."""

LAYERS = 6


class Model(NamedTuple):
    """Everything that encoding needs."""

    tokenizer: Tokenizer
    transformer: Transformer


class SentenceEncoder:
    """Encodes sentences with the one model of the process, which the first sentence loads."""

    def encode(self, sentences: Sequence[str]) -> Floats:
        """(sentences, 384): a unit vector each, always the same; may raise WeightsRefused."""
        vectors = np.empty((len(sentences), WIDTH), np.float32)
        for row, sentence in enumerate(sentences):
            model = load_model()
            vectors[row] = vector_of(model.transformer, token_numbers(model.tokenizer, sentence))
        return vectors


_loading = Lock()


def load_model() -> Model:
    """The model, read at the first call; a thread that comes meanwhile waits for it."""
    with _loading:
        return _read_model()


@cache
def _read_model() -> Model:
    """Read the model and, for as long as the process lives, leave numpy's BLAS one thread.

    Threads gain little on a sentence, and where the cores are busy they wait for each other for
    several times as long as the sentence takes.
    """
    folder = weights_folder()
    check_weights(folder)
    threadpool_limits(1, user_api="blas")
    return Model(read_tokenizer(folder), read_transformer(folder))


def read_tokenizer(folder: Path) -> Tokenizer:
    """The model's tokenizer, cutting where sentence-transformers cuts and padding nothing."""
    tokenizer: Tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(LONGEST)
    return tokenizer


def token_numbers(tokenizer: Tokenizer, sentence: str) -> list[int]:
    """The n tokens of a sentence; half a surrogate pair, which is no text, is read as "?"."""
    text = sentence.encode("utf-8", "replace").decode("utf-8")
    numbers: list[int] = tokenizer.encode(text).ids
    return numbers


def knows_word(word: str) -> bool:
    """Whether a word stands in the model's vocabulary as a whole, as words do and codes do not."""
    return load_model().tokenizer.token_to_id(word.lower()) is not None


def read_transformer(folder: Path) -> Transformer:
    """The weights in a folder, by what each is for."""
    weights = load_file(folder / "model.safetensors")
    table = "embeddings.{}_embeddings.weight"
    return Transformer(
        weights[table.format("word")],
        weights[table.format("position")] + weights[table.format("token_type")][0],
        _norm(weights, "embeddings.LayerNorm"),
        tuple(_layer(weights, f"encoder.layer.{number}") for number in range(LAYERS)),
    )


def _layer(weights: dict[str, Floats], name: str) -> Layer:
    asked = [_linear(weights, f"{name}.attention.self.{of}") for of in ("query", "key", "value")]
    return Layer(
        Linear(np.concatenate([a.weight for a in asked]), np.concatenate([a.bias for a in asked])),
        _linear(weights, f"{name}.attention.output.dense"),
        _norm(weights, f"{name}.attention.output.LayerNorm"),
        _linear(weights, f"{name}.intermediate.dense"),
        _linear(weights, f"{name}.output.dense"),
        _norm(weights, f"{name}.output.LayerNorm"),
    )


def _linear(weights: dict[str, Floats], name: str) -> Linear:
    return Linear(weights[f"{name}.weight"], weights[f"{name}.bias"])


def _norm(weights: dict[str, Floats], name: str) -> Norm:
    return Norm(weights[f"{name}.weight"], weights[f"{name}.bias"])
