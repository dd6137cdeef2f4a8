"""Labels the clauses of a message: what each asks for, and the stance that it takes towards that.

A message is read as a whole, after the question that it replies to, by all-MiniLM-L6-v2 with layers
that were trained for this (``tests/generators/clerk_reader`` has the examples and the training). A
clause's vector is the mean of its tokens' outputs, so that "cancel it" in "cancel it. no wait,
don't" is known to be taken back, and "not before nine" after "at what time?" to deny nothing. From
that vector one linear layer tells the intent, for each domain, and another one the stance.

The weights are stored as 8-bit integers with a scale for each row, and computed in float32.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from safetensors import safe_open

from agent.clerk.understanding.encoder import LAYERS, load_model, token_numbers
from agent.clerk.understanding.transformer import (
    Floats,
    Layer,
    Linear,
    Norm,
    Transformer,
    apply_linear,
    outputs_of,
    shares,
    vector_of,
)

WEIGHTS = Path(__file__).parent / "reader.safetensors"

Stance = Literal["want", "deny", "ask", "mention", "none"]
"""The customer *wants* a change made, *denies* it, only *asks* about it, or *mentions* it: it was
made already, or is somebody else's. A detail or a remark has *none*."""

STANCES: tuple[Stance, ...] = get_args(Stance)

LONGEST_QUESTION, LONGEST_PASSAGE = 40, 160
"""How many tokens are read of a question, and of a question and a passage together."""

ANYTHING = "..."
"""What stands for a question where it is not known what a message replies to."""

PASSAGE = 500
"""How many characters of a message are read together."""


class Piece(NamedTuple):
    """A piece of a message: a clause to label, or what stands between two."""

    text: str
    is_clause: bool = True


class Labels(NamedTuple):
    """What a clause is likely to be, each a probability."""

    intents: tuple[float, ...]
    """In the order of the domain's intents."""

    stances: tuple[float, ...]
    """In the order of ``STANCES``."""


class Trained(NamedTuple):
    """What training left: layers, a linear layer for each domain, and one for stances."""

    layers: tuple[Layer, ...]
    intents: dict[str, Linear]
    stances: Linear
    names: dict[str, list[str]]
    """The intents of each domain, in order."""


def intent_names(domain: str) -> list[str]:
    """The names of a domain's intents, in the order of their probabilities."""
    return trained().names[domain]


@cache
def trained() -> Trained:
    """What training left, read from its file."""
    with safe_open(str(WEIGHTS), "np") as file:
        names: dict[str, list[str]] = json.loads(file.metadata()["intents"])
        layers = tuple(_layer(file, f"layer.{number}") for number in range(LAYERS))
        intents = {domain: _linear(file, domain) for domain in names}
        return Trained(layers, intents, _linear(file, "stance"), names)


def _layer(file: Any, name: str) -> Layer:
    return Layer(
        _linear(file, f"{name}.attend"),
        _linear(file, f"{name}.attended"),
        _norm(file, f"{name}.after_attention"),
        _linear(file, f"{name}.widen"),
        _linear(file, f"{name}.narrow"),
        _norm(file, f"{name}.after_narrowing"),
    )


def _linear(file: Any, name: str) -> Linear:
    rows = file.get_tensor(f"{name}.weight").astype(np.float32)
    return Linear(rows * file.get_tensor(f"{name}.scale")[:, None], file.get_tensor(f"{name}.bias"))


def _norm(file: Any, name: str) -> Norm:
    return Norm(file.get_tensor(f"{name}.scale"), file.get_tensor(f"{name}.shift"))


@lru_cache(maxsize=2048)
def label(domain: str, asked: str, pieces: tuple[Piece, ...]) -> tuple[Labels, ...]:
    """The labels of each clause of a message, given the question that it replies to.

    Passages of a long message are read one by one, each with the question and without it: the mean
    of both readings is steadier than either.
    """
    return tuple(
        labels
        for passage in _passages(pieces)
        for labels in map(_between, *_label_passage(domain, (asked, ANYTHING), passage))
    )


def message_vector(text: str) -> Floats:
    """The unit vector (384,) of a text by the trained layers, which know what customers ask."""
    known, model = trained(), load_model()
    layered = Transformer(*model.transformer[:-1], known.layers)
    return vector_of(layered, token_numbers(model.tokenizer, text))


def _between(one: Labels, other: Labels) -> Labels:
    """The mean of two readings of a clause."""
    return Labels(
        *(
            tuple((a + b) / 2 for a, b in zip(*each, strict=True))
            for each in zip(one, other, strict=True)
        )
    )


def _passages(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """The pieces in passages of at most ``PASSAGE`` characters, if no piece is longer itself."""
    passages: list[list[Piece]] = []
    size = 0
    for piece in pieces:
        size += len(piece.text)
        if not passages or size > PASSAGE:
            passages.append([])
            size = len(piece.text)
        passages[-1].append(piece)
    return passages


def _label_passage(
    domain: str, questions: Sequence[str], pieces: Sequence[Piece]
) -> list[list[Labels]]:
    """The labels of the clauses in a passage, read after each of some questions."""
    known, model = trained(), load_model()
    asked = [model.tokenizer.encode(_text(each)).ids[:LONGEST_QUESTION] for each in questions]
    passage = model.tokenizer.encode(_text("".join(each.text for each in pieces)))
    told = [passage.ids[1:][: LONGEST_PASSAGE - len(each)] for each in asked]
    layered = Transformer(*model.transformer[:-1], known.layers)
    outputs = outputs_of(layered, [[*each, *own] for each, own in zip(asked, told, strict=True)])
    return [
        _label_clauses(known, domain, own[len(each) :], passage.offsets[1:], pieces)
        for each, own in zip(asked, outputs, strict=True)
    ]


def _label_clauses(
    known: Trained,
    domain: str,
    outputs: Floats,
    offsets: Sequence[tuple[int, int]],
    pieces: Sequence[Piece],
) -> list[Labels]:
    rows = _clause_rows(offsets[: len(outputs)], pieces)
    return [_labels_of(known, domain, outputs[own] if own else outputs) for own in rows]


def _clause_rows(
    offsets: Sequence[tuple[int, int]], pieces: Sequence[Piece]
) -> Iterator[list[int]]:
    """Yield which tokens, by their offsets in the text, each clause has."""
    start = 0
    for piece in pieces:
        end = start + len(piece.text)
        if piece.is_clause:
            yield [n for n, (a, b) in enumerate(offsets) if b > a and start <= a and b <= end]
        start = end


def _labels_of(known: Trained, domain: str, outputs: Floats) -> Labels:
    vector = outputs.mean(axis=0)
    intents, stances = (
        shares(apply_linear(vector, by)) for by in (known.intents[domain], known.stances)
    )
    return Labels(tuple(map(float, intents)), tuple(map(float, stances)))


def _text(text: str) -> str:
    """A text that can be encoded: a lone surrogate, which is not text, is read as "?"."""
    return text.encode("utf-8", "replace").decode("utf-8")
