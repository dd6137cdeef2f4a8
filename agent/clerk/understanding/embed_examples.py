"""Computes what the classifiers load: ``python -m agent.clerk.understanding.embed_examples NAME``.

The name is that of a domain, or ``stances``. Run it again whenever a domain's ``examples.json`` or
``replies.json``, or ``stances.json``, has changed; a test tells if it was not.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial, reduce
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from agent.clerk.understanding import stances
from agent.clerk.understanding.encoder import SentenceEncoder
from agent.clerk.understanding.intent_catalogs import data_of
from agent.clerk.understanding.intents import Examples
from agent.clerk.understanding.text_classifier import TextClassifier, Trained, grams, pieces

CLERK = Path(__file__).parent.parent
DOMAINS = ("retail", "airline")
STRENGTHS = {"retail": 10.0, "airline": 30.0, "stances": 30.0}
"""The inverse of each classifier's regularisation strength, the best of 5 to 60.

It was chosen by cross-validation for the airline and the stances, and by the conversations that are
kept as tests for the store.
"""

WORDS = {2: 1.0, 3: 3.0}
"""The weight of words relative to vectors, by how many adjacent ones count together.

Whether a change is wanted depends on a few small words, so there they count more.
"""

PIECES = 0.5
"""The weight of character n-grams relative to whole words, which settle correctly spelled text."""


STANCE_OF = {
    "nothing_changes": "deny",
    "hypothetical": "ask",
    "policy_question": "ask",
    "price": "ask",
    "refund_amount": "ask",
    "return_how": "ask",
    "order_status": "mention",
    "state_check": "mention",
    "outcome": "mention",
    "complaint": "mention",
}
"""The stance of the examples of an intent; those of a change want it."""

SECOND_HAND = 0.1
"""How much an example of an intent counts for its stance, compared with one written for it.

They are many, and few of them are hard to tell apart; but they show how a need is put into words.
"""

BRIEF, BRIEF_WEIGHT = 6, 0.5
"""In so many words or fewer hardly anyone writes more than a request, and it counts so much."""

DETAILS = (
    "on my visa", "to my mastercard", "with paypal", "with my gift card", "because I am ill",
    "for my wife", "from my last order", "in business", "on Friday", "in black", "for two people",
    "to 12 Main Street", "as I ordered it by mistake", "on my card",
)  # fmt: skip
"""What may be added to any brief example: details say nothing about the stance, for all that they
stand in most requests."""


class Material(NamedTuple):
    """The n labelled sentences of a classifier, with codes replaced."""

    classifier: TextClassifier
    strength: float
    sentences: list[str]
    labels: list[int]
    weights: list[float]


def embed(sentences: Sequence[str]) -> Any:
    """The vectors of the sentences as they are stored, one row each."""
    return SentenceEncoder().encode(sentences).astype(np.float16)


class Counted(NamedTuple):
    """How often the v terms of n sentences occur."""

    terms: Any
    rarity: Any
    words: Any
    """(n, …) tf-idf weights of words and their sequences."""
    pieces: Any
    """(n, …) tf-idf weights of character n-grams."""


def count(given: Material) -> Counted:
    """Count the terms of labelled sentences."""
    from sklearn.feature_extraction.text import TfidfVectorizer  # takes 2 s

    kinds = (partial(grams, longest=given.classifier.longest), 1), (pieces, 3)
    counted = [
        TfidfVectorizer(analyzer=analyzer, sublinear_tf=True, min_df=often)
        for analyzer, often in kinds
    ]
    words, parts = [each.fit_transform(given.sentences) for each in counted]
    terms = np.concatenate([each.get_feature_names_out().astype(str) for each in counted])
    rarity = np.concatenate([each.idf_ for each in counted]).astype(np.float32)
    return Counted(terms, rarity, words, parts)


def learn(given: Material, vectors: Any) -> Trained:
    """Train on labelled sentences and their vectors; the result is deterministic."""
    from scipy.sparse import csr_matrix, hstack
    from sklearn.linear_model import LogisticRegression

    counted, weight = count(given), WORDS[given.classifier.longest]
    told = (counted.words * weight, counted.pieces * PIECES)
    rows = hstack([csr_matrix(vectors.astype(np.float64)), *told])
    learned = LogisticRegression(C=given.strength, max_iter=3000)
    learned.fit(rows.tocsr(), given.labels, sample_weight=given.weights)
    sizes = (vectors.shape[1], *(each.shape[1] for each in told))
    scale = np.repeat((1.0, weight, PIECES), sizes)[:, None]
    return Trained(
        counted.terms,
        counted.rarity,
        (learned.coef_.T * scale).astype(np.float16),
        learned.intercept_.astype(np.float32),
    )


def material(name: str) -> Material:
    """What the classifier of that name is trained on."""
    domains = {each: Examples(CLERK / each) for each in DOMAINS}
    if name not in domains:
        return _of_stances([*domains.values()])
    examples = domains[name]
    told = [examples.without_codes(each) for group in examples.sentences.values() for each in group]
    labels, weights = [*examples.labels], [1.0] * len(told)
    return Material(examples.classifier, STRENGTHS[name], told, labels, weights)


def _of_stances(domains: list[Examples]) -> Material:
    """The examples of stances, and those of the domains' intents that have one."""
    label = {str(name): n for n, name in enumerate(stances.STANCES)}
    rows = [
        (reduce(lambda text, each: each.without_codes(text), domains, text), label[stance], 1.0)
        for stance, group in stances.examples().items()
        for text in group
    ]
    rows += [
        (f"{text.rstrip('.!?')} {DETAILS[n % len(DETAILS)]}", stance, weight)
        for n, (text, stance, weight) in enumerate(rows)
        if len(text.split()) <= BRIEF + 2 and stance != label["none"]
    ]
    for examples in domains:
        acts = dict.fromkeys(data_of(examples.folder)["acts"], "want")
        rows += [
            (examples.without_codes(text), label[stance], _weight(text))
            for intent, stance in {**acts, **STANCE_OF}.items()
            for text in examples.sentences.get(intent, [])
        ]
    sentences, labels, weights = map(list, zip(*rows, strict=True))
    return Material(stances.CLASSIFIER, STRENGTHS["stances"], sentences, labels, weights)


def _weight(text: str) -> float:
    return BRIEF_WEIGHT if len(text.split()) <= BRIEF else SECOND_HAND


def main(name: str) -> None:
    """Train the classifier of that name, and store it."""
    given = material(name)
    vectors = embed(given.sentences)
    kept = learn(given, vectors)._asdict()
    if name in DOMAINS:  # there, what a sentence is similar to counts as well
        kept["vectors"] = vectors
    np.savez_compressed(given.classifier.path, **kept)


if __name__ == "__main__":
    main(sys.argv[1])
