"""Tells what a question about a card is about, learned from questions that people wrote.

The questions, the topics and the training are in ``tests/generators/clerk_card_questions``.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache
from pathlib import Path

import numpy as np
from safetensors import safe_open

from agent.clerk.understanding.encoder import vector
from agent.clerk.understanding.labelling import message_vector
from agent.clerk.understanding.phrases import GENERAL, Phrases
from agent.clerk.understanding.tokens import tokens
from agent.clerk.understanding.transformer import Floats, shares

WEIGHTS = Path(__file__).parent / "topics.safetensors"
PHRASES = Phrases(Path(__file__).parent)
tells = PHRASES.tell

LEAST, SURELY = 0.28, 0.55
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


def topics_of(question: str, among: Collection[str] = ()) -> dict[str, str]:
    """The topics of a question, each with the words that it was told from.

    They are the likeliest topic of the whole, and those of its parts that are sure, ``among`` the
    topics that can be answered, if any are given.
    """
    whole = text = question[:LONGEST].strip()
    if not text:
        return {}
    said = _SENTENCES.split(text)
    if "?" in text:  # what is only stated beside a question is no question of its own
        text = " ".join(e for e in said if "?" in e or GENERAL.tell(tokens(e)[:1], "asking"))
    parts: list[str] = []
    for each in filter(_WORDS.search, _JOINTS.split(text)):
        if parts and tells(tokens(parts[-1])[:3], "condition"):
            parts[-1] = f"{parts[-1]},{each}"  # a condition asks nothing by itself
        elif len(each.split()) > 1 or each[-1] == "?":
            parts.append(each)
    parts = [text, *parts[:MOST]] if len(parts) > 1 else [text]
    read = [(each, *_likeliest(each, among)) for each in parts]
    found = {topic: whole for _, topic, likely in read[:1] if likely >= LEAST}
    for words, topic, likely in read[1:]:
        if likely >= (SURELY if read[0][2] >= LEAST else LEAST):
            found.setdefault(topic, words)
    return found


def features(text: str) -> Floats:
    """What a topic is told from (768,): the text's vector before and after the reader's training.

    Either alone tells fewer topics right.
    """
    return np.concatenate([vector(text), message_vector(text)])


def is_of_other_wishes(text: str) -> bool:
    """Whether a text asks about wishes that are not on the card."""
    _, weights, biases = _learned()
    return bool(weights[-1] @ features(text) + biases[-1] >= _OF_OTHERS)


def _likeliest(text: str, among: Collection[str]) -> tuple[str, float]:
    """The likeliest topic of a text, and how likely it is."""
    names, weights, biases = _learned()
    likely = shares(weights[:-1] @ features(text) + biases[:-1])
    likely = likely * [not among or each in among for each in names]
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
