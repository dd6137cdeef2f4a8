"""Computes what ``intents`` loads: ``python -m agent.clerk.understanding.embed_examples retail``.

To be run again whenever a domain's ``examples.json`` has changed; a test says when.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from agent.clerk.understanding.encoder import SentenceEncoder
from agent.clerk.understanding.intents import Examples, trained
from agent.clerk.understanding.transformer import Floats

CLERK = Path(__file__).parent.parent


def embedded(examples: Examples) -> Floats:
    """The vectors of all example sentences, at the precision in which they are kept."""
    sentences = [each for group in examples.sentences.values() for each in group]
    kept: Floats = SentenceEncoder().encode(sentences).astype(np.float16)
    return kept


def main(domain: str) -> None:
    """Write the vectors and weights of one domain."""
    examples = Examples(CLERK / domain)
    vectors = embedded(examples)
    weights = trained(vectors.astype(np.float32), list(examples.labels))
    np.savez_compressed(CLERK / domain / "examples.npz", vectors=vectors, weights=weights)


if __name__ == "__main__":
    main(sys.argv[1])
