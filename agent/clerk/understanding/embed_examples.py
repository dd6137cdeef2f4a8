"""Computes what ``intents`` loads: ``python -m agent.clerk.understanding.embed_examples retail``.

To be run again whenever a domain's ``examples.json`` has changed; a test says when.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from agent.clerk.understanding.encoder import SentenceEncoder
from agent.clerk.understanding.intents import Examples, Trained, grams, pieces

CLERK = Path(__file__).parent.parent
STRENGTHS = {"retail": 10.0, "airline": 30.0}
"""The inverse of how much each domain's regression is held back; the best of 5 to 60, in the
airline by cross-validation, in the store by the conversations that are kept as tests."""

PIECES = 0.5
"""How much the pieces of words weigh beside the words: what is spelled right is told by these."""


def embed(sentences: Sequence[str]) -> Any:
    """Their vectors as they are kept, a row each."""
    return SentenceEncoder().encode(sentences).astype(np.float16)


def learn(examples: Examples, sentences: Sequence[str], vectors: Any) -> Trained:
    """All that is kept of a domain's examples, of which these are the vectors; always the same."""
    from scipy.sparse import csr_matrix, hstack  # two seconds, which its tests need not all wait
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression

    counted = [
        TfidfVectorizer(analyzer=analyzer, sublinear_tf=True, min_df=often)
        for analyzer, often in ((grams, 1), (pieces, 2))
    ]
    weighed = ((counted[0], 1.0), (counted[1], PIECES))
    told = [each.fit_transform(sentences) * weight for each, weight in weighed]
    rows = hstack([csr_matrix(vectors.astype(np.float64)), *told])
    strength = STRENGTHS[examples.folder.name]
    learned = LogisticRegression(C=strength, max_iter=2000).fit(rows.tocsr(), examples.labels)
    sizes = (vectors.shape[1] + told[0].shape[1], told[1].shape[1])
    scale = np.repeat((1.0, PIECES), sizes)[:, None]
    return Trained(
        vectors,
        np.concatenate([each.get_feature_names_out().astype(str) for each in counted]),
        np.concatenate([each.idf_ for each in counted]).astype(np.float32),
        (learned.coef_.T * scale).astype(np.float16),
        learned.intercept_.astype(np.float32),
    )


def in_general(examples: Examples) -> list[str]:
    """Every example sentence in order, as it is embedded."""
    return [examples.in_general(each) for group in examples.sentences.values() for each in group]


def main(domain: str) -> None:
    """Write what was learned of one domain."""
    examples = Examples(CLERK / domain)
    sentences = in_general(examples)
    kept = learn(examples, sentences, embed(sentences))
    np.savez_compressed(CLERK / domain / "examples.npz", **kept._asdict())


if __name__ == "__main__":
    main(sys.argv[1])
