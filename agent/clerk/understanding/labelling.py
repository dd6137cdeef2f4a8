"""Labels the clauses of a message: what each asks for, and the stance that it takes towards that.

A message is read as a whole, after the question that it replies to, by all-MiniLM-L6-v2 with layers
that were trained for this (``tests/generators/clerk_reader`` has the examples and the training). A
clause's vector is the mean of its tokens' outputs, so that "cancel it" in "cancel it. no wait,
don't" is known to be taken back, and "not before nine" after "at what time?" to deny nothing. From
that vector one linear layer tells the intent, for each domain, and another one the stance.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal, NamedTuple, get_args

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
    """The probabilities of the domain's intents and of ``STANCES``, each in order."""

    intents: tuple[float, ...]
    stances: tuple[float, ...]


class Trained(NamedTuple):
    """What training left: layers, and a linear layer for each domain and for the stances."""

    model: Transformer
    intents: dict[str, Affine]
    stances: Affine
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
        intents = {domain: read_part(file, domain) for domain in names}
        return Trained(read_transformer(file), intents, read_part(file, "stance"), names)


@lru_cache(maxsize=2048)
def label(domain: str, asked: str, pieces: tuple[Piece, ...]) -> tuple[Labels, ...]:
    """The labels of each clause of a message, given the question that it replies to.

    Passages of a long message are read one by one, each with the question and without it: the mean
    of both readings is steadier than either.
    """
    known, found = trained(), []
    for passage in _passages(pieces):
        readings = _clause_vectors(known.model, (asked, ANYTHING), passage)
        for both in zip(*readings, strict=True):
            heads = known.intents[domain], known.stances
            found.append(Labels(*(_likely(both, head) for head in heads)))
    return tuple(found)


def _likely(both: Sequence[Floats], head: Affine) -> tuple[float, ...]:
    """The probabilities that a linear layer gives a clause, by both readings."""
    one, other = (shares(apply_linear(vector, head)).astype(float) for vector in both)
    return tuple(((one + other) / 2).tolist())


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


def _clause_vectors(
    model: Transformer, questions: Sequence[str], pieces: Sequence[Piece]
) -> list[list[Floats]]:
    """The vectors of the clauses in a passage, read after each of some questions."""
    tokenizer = load_model().tokenizer
    asked = [tokenizer.encode(encodable(e)).ids[:LONGEST_QUESTION] for e in questions]
    passage = tokenizer.encode(encodable("".join(each.text for each in pieces)))
    texts = [[*each, *passage.ids[1:][: LONGEST_PASSAGE - len(each)]] for each in asked]
    outputs = outputs_of(model, texts)
    told = [rows[len(each) :] for each, rows in zip(asked, outputs, strict=True)]
    return [_means(rows, passage.offsets[1:], pieces) for rows in told]


def _means(
    rows: Floats, offsets: Sequence[tuple[int, int]], pieces: Sequence[Piece]
) -> list[Floats]:
    """The mean of the outputs of each clause's tokens, or of all if none of its tokens was read."""
    found, start = [], 0
    for piece in pieces:
        end = start + len(piece.text)
        places = enumerate(offsets[: len(rows)])
        own = [n for n, (a, b) in places if b > a and start <= a and b <= end]
        if piece.is_clause:
            found.append((rows[own] if own else rows).mean(axis=0))
        start = end
    return found
