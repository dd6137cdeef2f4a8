"""Finds the terms of a message: what a wish hangs on, what is taken back, and what comes second.

A passage is read by all-MiniLM-L6-v2 with last layers that were trained for this
(``tests/generators/clerk_terms`` has the messages and the training). From the outputs of its tokens
one linear layer tells what each is part of; from those of a mention and of the whole passage
another one tells whether it is a fallback.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal, NamedTuple, get_args

import numpy as np
from safetensors import safe_open

from agent.clerk.understanding.mention_roles import Span, place_spans, tokens_of
from agent.clerk.understanding.phrases import tells
from agent.clerk.understanding.segmenting import clause_spans
from agent.clerk.understanding.tokens import tokens
from agent.clerk.understanding.trained_layers import read_part, read_transformer
from agent.clerk.understanding.transformer import (
    Affine,
    Floats,
    Transformer,
    apply_linear,
    outputs_of,
    shares,
)
from agent.comparison.sentences import sentences

WEIGHTS = Path(__file__).parent / "terms.safetensors"

FIRST_TRAINED = 2
"""The first layer that differs from those of all-MiniLM-L6-v2."""

PASSAGE = 400
"""How many characters of whole sentences are read together."""

LIKELY, SURELY = 0.4, 0.85
"""How likely the words of a part must be on average to set a term if some of them usually do ("if",
"otherwise"), and how likely to be a condition if they only tell of a price."""

RATHER = 0.7
"""How likely a mention must be to be a fallback."""

Kind = Literal["condition", "fallback", "taken_back"]
"""A *condition*: a change is wanted only if it holds ("as long as it's under $40"). A *fallback*:
what is wanted only if something else is impossible ("or else the grey one"); it is found so that it
is not taken for a condition. What is *taken back* was wanted before, in the same message ("forget
the bag"). Each has phrases of its name, without which a part hardly sets such a term."""

KINDS: tuple[Kind, ...] = get_args(Kind)

_OPENS = re.compile(
    r"\s+(?=(?:(?:but|and|or) )?(?:(?:only|not|even) )?(?:if|unless|provided|assuming|supposing"
    r"|in case|as long as|so long as|as soon as|until|once|whenever|the moment|only when"
    r"|on condition|or else|otherwise)\b)",
    re.IGNORECASE,
)
"""Where inside a clause a part begins that may set a term: "cancel it | only if it is free"."""

LEAST = 2
"""The fewest words of a term."""

_BREAKS = re.compile(r"[.!?]|.\w")
"""What between two parts keeps them apart: the end of a sentence, or other words."""


class Term(NamedTuple):
    """A part of a text that sets a term, and where it begins and ends."""

    kind: Kind
    start: int
    end: int


class Trained(NamedTuple):
    """What training left: layers, a linear layer for tokens, and one for mentions."""

    model: Transformer
    terms: Affine
    fallback: Affine


@lru_cache(maxsize=1024)
def terms_in(text: str) -> tuple[Term, ...]:
    """The terms that a text sets, in order."""
    return tuple(term for start, end in _passages(text) for term in _terms_of(text, start, end))


def are_fallbacks(text: str, spans: Sequence[Span]) -> list[bool]:
    """Of each thing that a text mentions, whether it is wanted only if another is impossible."""
    if not spans or not tells(tokens(text), "fallback"):
        return [False] * len(spans)
    offsets, outputs = read_passage(text)
    whole = outputs.mean(axis=0)
    own = (outputs[each].mean(axis=0) for each in place_spans(offsets, spans))
    vectors = np.stack([np.concatenate([each, whole]) for each in own])
    likely = shares(apply_linear(vectors, trained().fallback))[:, 1]
    return [bool(each > RATHER) for each in likely]


def _passages(text: str) -> list[Span]:
    """Where the passages of a text begin and end: as many sentences as are read together."""
    passages: list[Span] = []
    for start, end in _spans_of_sentences(text):
        if passages and end - passages[-1][0] <= PASSAGE:
            passages[-1] = passages[-1][0], end
        else:
            passages.append((start, end))
    return passages


def _spans_of_sentences(text: str) -> Iterator[Span]:
    end = 0
    for each in sentences(text):
        start = max(text.find(each.text, end), end)
        end = start + len(each.text)
        yield start, end


def _terms_of(text: str, start: int, end: int) -> Iterator[Term]:
    """Yield the terms of a passage: parts of it that stand together and set the same one."""
    passage = text[start:end]
    offsets, outputs = read_passage(passage)
    likely = shares(apply_linear(outputs, trained().terms))[:, 1:]
    found: list[Term] = []
    for first, last in _parts(passage):
        own = [n for n, (a, b) in enumerate(offsets) if b > a and first <= a and b <= last]
        mean = likely[own].mean(axis=0) if own else np.zeros(len(KINDS))
        kind, words = KINDS[int(mean.argmax())], tokens(passage[first:last])
        usual = tells(words, kind) and len(words) > 1
        priced = kind == "condition" and tells(words, "of a price")
        if mean.max() <= (LIKELY if usual else SURELY if priced else 1):
            continue
        between = passage[found[-1].end - start - 1 : first] if found else ""
        if found and found[-1].kind == kind and not _BREAKS.search(between):
            found[-1] = Term(kind, found[-1].start, start + last)
        else:
            found.append(Term(kind, start + first, start + last))
    yield from (each for each in found if len(tokens(text[each.start : each.end])) >= LEAST)


def _parts(passage: str) -> Iterator[Span]:
    """Yield where the parts of a passage begin and end that may set terms."""
    for begin, end in _spans_of_sentences(passage):
        sentence = passage[begin:end]
        for first, last in clause_spans(sentence):
            cuts = [hit.span() for hit in _OPENS.finditer(sentence, first + 1, last)]
            starts = [first, *(after for _, after in cuts)]
            ends = [*(before for before, _ in cuts), last]
            yield from ((begin + a, begin + b) for a, b in zip(starts, ends, strict=True))


@lru_cache(maxsize=256)
def read_passage(passage: str) -> tuple[list[Span], Floats]:
    """The offsets of a passage's tokens and the outputs for them, (tokens, 384)."""
    ids, offsets = tokens_of(passage)
    (outputs,) = outputs_of(trained().model, [ids])
    return offsets, outputs


@cache
def trained() -> Trained:
    """What training left, read from its file."""
    with safe_open(str(WEIGHTS), "np") as file:
        model = read_transformer(file, FIRST_TRAINED)
        return Trained(model, *(read_part(file, name) for name in ("terms", "fallback")))
