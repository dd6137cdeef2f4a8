"""Trains what finds an answer about rules: ``python -m tests.generators.clerk_rules.train``.

A logistic regression over the vectors of the example questions tells which answer a question wants;
the likeness of the question to the answers themselves is added when one is asked.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import save_file
from sklearn.linear_model import LogisticRegression

from agent.clerk.understanding.encoder import vector
from agent.clerk.understanding.transformer import Floats

HERE = Path(__file__).parent
CLERK = Path(__file__).parents[3] / "agent" / "clerk"
DOMAINS = ("retail", "airline")
STRENGTH = 30.0
"""How little the regression is held back (scikit-learn's ``C``), by cross-validation."""


def rows_of(domain: str) -> list[dict[str, Any]]:
    """The answers of a domain, with their questions."""
    rows: list[dict[str, Any]] = json.loads((HERE / "data" / f"{domain}.json").read_text("utf-8"))
    return rows


def shipped(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What ships of the answers: all but their questions."""
    return [{k: row[k] for k in ("answer", "lines", "of") if k in row} for row in rows]


def train(rows: list[dict[str, Any]]) -> dict[str, Floats]:
    """The weights that tell n answers apart (n x 384), their n biases, and the answers' vectors."""
    asked = [(n, text) for n, row in enumerate(rows) for text in row["asked"]]
    vectors = np.stack([vector(text) for _, text in asked])
    learned = LogisticRegression(C=STRENGTH, max_iter=400).fit(vectors, [n for n, _ in asked])
    return {
        "weights": learned.coef_.astype(np.float16, order="C"),  # the order that files keep
        "biases": learned.intercept_.astype(np.float16),
        "answers": np.stack([vector(row["answer"]) for row in rows]).astype(np.float16),
    }


def main() -> None:
    """Write both files of each domain."""
    for domain in DOMAINS:
        rows = rows_of(domain)
        kept = shipped(rows)
        text = json.dumps(kept, indent=1, ensure_ascii=False)
        (CLERK / domain / "rules.json").write_text(f"{text}\n", encoding="utf-8")
        save_file(train(rows), str(CLERK / domain / "rules.safetensors"))
        print(f"{domain}: {len(rows)} answers, {sum(len(row['asked']) for row in rows)} questions")


if __name__ == "__main__":
    main()
