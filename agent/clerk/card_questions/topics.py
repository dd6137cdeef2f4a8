"""Tells what a question about a card is about, learned from questions that people wrote.

The questions, the topics and the training are in ``tests/generators/clerk_card_questions``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from safetensors import safe_open

from agent.clerk.understanding.encoder import load_model, mean_vectors
from agent.clerk.understanding.labelling import message_vectors
from agent.clerk.understanding.phrases import GENERAL, Phrases
from agent.clerk.understanding.spelling import correct
from agent.clerk.understanding.tokens import tokens
from agent.clerk.understanding.transformer import Floats, shares

WEIGHTS = Path(__file__).parent / "topics.safetensors"
PHRASES = Phrases(Path(__file__).parent)
tells = PHRASES.tell

LEAST, SURELY = 0.28, 0.5
"""How likely a topic must be that of a whole question, and of a part of it beside another."""

DOUBT = 0.6
"""How likely it must be, by the likelihood of the best topic, that a text is about none of them."""

_OF_OTHERS = -0.9
"""How high a text must score to be about other wishes."""

LONGEST, MOST = 500, 8
"""How many characters of a question, and how many of its parts, are read."""

_SENTENCES = re.compile(r"(?<=[.!?\n])\s+")
_WORDS = re.compile(r"\w")
_JOINTS = re.compile(r"(?<=\?)|[,;–—](?=\s)|\band\b|[+&.!\n]+", re.IGNORECASE)


class Reading(NamedTuple):
    """What a question about a card is about."""

    topics: list[tuple[str, str]]
    """The topics of its parts that are sure, and before them the likeliest one of the whole, unless
    a part has it or all are surer; each with the words that it was told from."""

    of_others: frozenset[str]
    """The whole, if it asks about wishes that are not on the card, and the parts that do."""

    parts: list[tuple[str, str]]
    """All parts, if there are several, each with its likeliest topic, sure or not."""


def read_questions(questions: Sequence[str], among: Collection[str] = ()) -> list[Reading]:
    """What each question is about, ``among`` the topics that can be answered, if any are given.

    Questions are read together, which is faster.
    """
    cut = [each[:LONGEST].strip() for each in questions]
    parts = {whole: _parts(whole) for whole in cut if whole}
    texts = [*dict.fromkeys(text for whole in parts for text in [whole, *parts[whole]])]
    scores = dict(zip(texts, _scores(texts), strict=True)) if texts else {}
    return [_reading(whole, parts.get(whole, []), scores, among) for whole in cut]


def features(texts: Sequence[str]) -> Floats:
    """What topics are told from (texts, 768): each text's vector before and after the reader's
    training. Either alone tells fewer topics right. Spelling mistakes are corrected before.
    """
    spelled = [correct(each) for each in texts]
    plain = mean_vectors(load_model().transformer, spelled)
    return np.concatenate([plain, message_vectors(spelled)], axis=1)


def _parts(whole: str) -> list[str]:
    """What is asked in a question, and if that has several parts, these."""
    said, text = _SENTENCES.split(whole), whole
    if "?" in text:  # what is only stated beside a question is no question of its own
        text = " ".join(e for e in said if "?" in e or GENERAL.tell(tokens(e)[:1], "asking"))
    parts: list[str] = []
    for each in filter(_WORDS.search, _JOINTS.split(text)):
        tag = tokens(each)[1:] == () and tells(tokens(each), "tag")
        if parts and (tag or tells(tokens(parts[-1])[:3], "condition")):
            parts[-1] = f"{parts[-1]},{each}"  # a condition asks nothing by itself, nor does a tag
        elif len(each.split()) > 1 or each[-1] == "?":
            parts.append(each)
    return [text, *parts[:MOST]] if len(parts) > 1 else [text]


def _reading(
    whole: str, parts: list[str], scores: dict[str, Floats], among: Collection[str]
) -> Reading:
    likely = [(*_likeliest(scores[each][:-1], among), each) for each in parts]
    first, *rest = likely or [("", 0.0, "")]
    least = SURELY if first[1] >= LEAST else LEAST
    found = [(topic, words) for topic, share, words in rest if share >= least]
    surer = len(dict(found)) > 1 and all(share >= max(least, first[1]) for _, share, _ in rest)
    if first[1] >= LEAST and not surer and first[0] not in dict(found):
        found.insert(0, (first[0], whole))
    found = found if len(found) > 1 else [(topic, whole) for topic, _ in found]
    others = [e for e in {whole, *parts} if e in scores and scores[e][-1] >= _OF_OTHERS]
    return Reading(found, frozenset(others), [(topic, words) for topic, _, words in rest])


def _scores(texts: Sequence[str]) -> Floats:
    """The scores (texts, n + 1) of n topics, and of being about other wishes."""
    _, weights, biases = _learned()
    scores: Floats = features(texts) @ weights.T + biases
    return scores


def _likeliest(scores: Floats, among: Collection[str]) -> tuple[str, float]:
    """The likeliest topic of a text, and how likely it is."""
    names = _learned()[0]
    likely = shares(scores) * [not among or each in among for each in names]
    best, none = int(likely.argmax()), names.index("none")
    if likely[none] >= DOUBT * likely[best]:
        best = none
    return names[best], float(likely[best])


@cache
def _learned() -> tuple[list[str], Floats, Floats]:
    """The names of n topics; weights (n + 1, 768) and n + 1 biases, the last for other wishes."""
    with safe_open(str(WEIGHTS), "numpy") as file:
        names = file.metadata()["topics"].split()
        weights, biases = (file.get_tensor(name) for name in ("weights", "biases"))
    return names, weights.astype(np.float32), biases.astype(np.float32)
