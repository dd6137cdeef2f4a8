"""Classifies the stance of a text towards the change that it speaks of.

The customer *wants* it made, *denies* it, only *asks* about it, or *mentions* it: it was made
already, or somebody else's. A reason or a detail has *none*. What tells them apart was learned from
examples that are the same for all domains (``stances.json``), so no rules about "don't", "if" or
"would" are needed.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Literal, get_args

from agent.clerk.understanding.text_classifier import TextClassifier
from agent.clerk.understanding.transformer import shares

Stance = Literal["want", "deny", "ask", "mention", "none"]
STANCES: tuple[Stance, ...] = get_args(Stance)

_HERE = Path(__file__).parent
CLASSIFIER = TextClassifier(_HERE / "stances.npz", longest=3)


def examples() -> dict[str, list[str]]:
    """The examples by stance, in the order of the classifier's labels."""
    kept: dict[str, list[str]] = json.loads((_HERE / "stances.json").read_text(encoding="utf-8"))
    return {each: kept[each] for each in STANCES}


@lru_cache(maxsize=4096)
def stances(text: str) -> dict[Stance, float]:
    """The probability of each stance of a text in which codes are replaced."""
    return dict(zip(STANCES, map(float, shares(CLASSIFIER.scores(text))), strict=True))
