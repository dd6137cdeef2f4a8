"""Trains what tells the topics: ``python -m tests.generators.clerk_card_questions.train``.

A logistic regression over the sentences' vectors, for both domains together. A question with two
topics counts once for each.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

import numpy as np
from safetensors.numpy import save_file
from sklearn.linear_model import LogisticRegression

from agent.clerk.card_questions.topics import (
    WEIGHTS,
    features,
    read_questions,
)

HERE = Path(__file__).parent
DOMAINS = ("retail", "airline")
EVERY = 4
"""Of how many questions one is kept apart."""

OPEN = "open"
"""The topic of other wishes, which is told apart from all others by itself."""

STRENGTH = 20.0
"""How little the regression is held back (scikit-learn's ``C``), by cross-validation."""


class Asked(NamedTuple):
    """A question about a card, and what it is about."""

    text: str
    topics: tuple[str, ...]


def questions_of(domain: str) -> list[Asked]:
    """The questions of a domain, in the order in which they were written."""
    lines = (HERE / "data" / f"{domain}.jsonl").read_text("utf-8").splitlines()
    rows = (json.loads(line) for line in lines)
    return [Asked(row["text"], tuple(row["labels"])) for row in rows]


def kept_apart(asked: list[Asked]) -> list[Asked]:
    """The questions that nothing is learned from."""
    return asked[EVERY - 1 :: EVERY]


def learned_from(asked: list[Asked]) -> list[Asked]:
    """All the other questions."""
    return [each for place, each in enumerate(asked) if place % EVERY != EVERY - 1]


def count_right(asked: list[Asked]) -> int:
    """Of how many of a domain's questions one of the topics is told."""
    among = {topic for each in asked for topic in each.topics}
    read = zip(read_questions([each.text for each in asked], among), asked, strict=True)
    return sum(
        any(topic in of.topics for topic, _ in told.topics)
        or (OPEN in of.topics and of.text in told.of_others)
        for told, of in read
    )


def main() -> None:
    """Write the weights, and print the share of the questions kept apart that are told right."""
    rows = [each for domain in DOMAINS for each in learned_from(questions_of(domain))]
    pairs = [(each.text, topic) for each in rows for topic in each.topics]
    vectors = features([text for text, _ in pairs])
    is_open = np.array([topic == OPEN for _, topic in pairs])
    topics = [topic for _, topic in pairs if topic != OPEN]
    learned = LogisticRegression(C=STRENGTH, max_iter=1000).fit(vectors[~is_open], topics)
    others = LogisticRegression(C=STRENGTH / 2, max_iter=1000).fit(vectors, is_open)
    rows_of = [learned.coef_, others.coef_], [learned.intercept_, others.intercept_]
    weights = {
        "weights": np.concatenate(rows_of[0]).astype(np.float16, order="C"),  # as files keep it
        "biases": np.concatenate(rows_of[1]).astype(np.float16),
    }
    save_file(weights, str(WEIGHTS), {"topics": " ".join(learned.classes_)})
    for domain in DOMAINS:
        kept = kept_apart(questions_of(domain))
        right = count_right(kept)
        print(f"{domain}: {right} of {len(kept)} questions kept apart")


if __name__ == "__main__":
    main()
