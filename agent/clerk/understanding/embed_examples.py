"""Computes what ``intents`` loads: ``python -m agent.clerk.understanding.embed_examples retail``.

To be run again whenever a domain's ``examples.json`` has changed; a test says when.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix, hstack
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

from agent.clerk.understanding.encoder import SentenceEncoder
from agent.clerk.understanding.intents import Examples, Trained, grams

CLERK = Path(__file__).parent.parent
STRENGTH = 20.0
"""The inverse of how much the regression is held back; the best of 5 to 60 in cross-validation."""


def trained(examples: Examples) -> Trained:
    """All that is kept of a domain's examples; always the same."""
    groups = examples.sentences.values()
    sentences = [examples.in_general(each) for group in groups for each in group]
    vectors: Any = SentenceEncoder().encode(sentences).astype(np.float16)
    counted = TfidfVectorizer(analyzer=grams, sublinear_tf=True)
    rows = hstack([csr_matrix(vectors.astype(np.float64)), counted.fit_transform(sentences)])
    learned = LogisticRegression(C=STRENGTH, max_iter=2000).fit(rows.tocsr(), examples.labels)
    return Trained(
        vectors,
        counted.get_feature_names_out().astype(str),
        counted.idf_.astype(np.float32),
        learned.coef_.T.astype(np.float16),
        learned.intercept_.astype(np.float32),
    )


def main(domain: str) -> None:
    """Write what was learned of one domain."""
    examples = Examples(CLERK / domain)
    np.savez_compressed(CLERK / domain / "examples.npz", **trained(examples)._asdict())


if __name__ == "__main__":
    main(sys.argv[1])
