"""Tells what a question about a card is about, learned from questions that people wrote.

The questions, the topics and the training are in ``tests/generators/clerk_card_questions``.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import numpy as np
from safetensors import safe_open

from agent.clerk.understanding.encoder import vector
from agent.clerk.understanding.labelling import message_vector
from agent.clerk.understanding.transformer import Floats, shares

WEIGHTS = Path(__file__).parent / "topics.safetensors"

LEAST, SURELY = 0.28, 0.55
"""How likely a topic must be that of a whole question, and of a part of it beside another."""

DOUBT = 0.6
"""How likely it must be, by the likelihood of the best topic, that a text is about none of them."""

LONGEST, MOST = 500, 8
"""How many characters of a question, and how many of its parts, are read."""

_JOINTS = re.compile(r"[,;–—](?=\s)|\band\b|[+&.?!\n]+", re.IGNORECASE)


def topics_of(question: str) -> dict[str, str]:
    """The topics of a question, each with the words that it was told from.

    They are the likeliest topic of the whole, and those of its parts that are sure.
    """
    text = question[:LONGEST].strip()
    if not text:
        return {}
    parts = [each for each in _JOINTS.split(text) if len(each.split()) > 1][:MOST]
    read = [(each, *_likeliest(each)) for each in ([text, *parts] if len(parts) > 1 else [text])]
    found = {topic: words for words, topic, likely in read[:1] if likely >= LEAST}
    for words, topic, likely in read[1:]:
        if likely >= (SURELY if read[0][2] >= LEAST else LEAST):
            found.setdefault(topic, words)
    return found


def features(text: str) -> Floats:
    """What a topic is told from (768,): the text's vector before and after the reader's training.

    Either alone tells fewer topics right.
    """
    return np.concatenate([vector(text), message_vector(text)])


def _likeliest(text: str) -> tuple[str, float]:
    """The likeliest topic of a text, and how likely it is."""
    names, weights, biases = _learned()
    likely = shares(weights @ features(text) + biases)
    best, none = int(likely.argmax()), names.index("none")
    if likely[none] >= DOUBT * likely[best]:
        best = none
    return names[best], float(likely[best])


@cache
def _learned() -> tuple[list[str], Floats, Floats]:
    """The names of n topics, their weights (n, 768) and their n biases."""
    with safe_open(str(WEIGHTS), "numpy") as file:
        names = file.metadata()["topics"].split()
        weights, biases = (file.get_tensor(name) for name in ("weights", "biases"))
    return names, weights.astype(np.float32), biases.astype(np.float32)
