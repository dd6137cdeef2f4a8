"""Vectors that runs of the tests keep are the encoder's, and no other encoder's."""

from __future__ import annotations

from pathlib import Path
from shutil import copyfile

import numpy as np
import pytest

from agent.clerk.understanding import intents
from agent.clerk.understanding.encoder import SentenceEncoder
from tests import shared_vectors
from tests.shared_vectors import UNDERSTANDING, digest_of_encoder, keeping_vectors

SENTENCE = "Where is my parcel?"


def _encoded(folder: Path, run: str) -> int:
    """How many sentences a run had to encode, of one that is asked for twice."""
    with keeping_vectors(folder / f"{run}.sqlite", folder / "kept") as shared:
        for vector in (intents.vector, intents.vector):
            assert np.array_equal(vector(SENTENCE), SentenceEncoder().encode([SENTENCE])[0])
        return shared.encoded


def test_what_a_run_has_encoded_the_next_has_not_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "kept").mkdir()
    assert [_encoded(tmp_path, run) for run in ("first", "second")] == [1, 0]
    monkeypatch.setattr(shared_vectors, "digest_of_encoder", lambda: "another")
    assert [_encoded(tmp_path, run) for run in ("third", "fourth")] == [1, 0]
    assert [path.name for path in (tmp_path / "kept").iterdir()] == ["another.sqlite"]


@pytest.mark.parametrize("module", ["encoder.py", "transformer.py"])
def test_another_encoder_has_another_digest(tmp_path: Path, module: str) -> None:
    for name in ("encoder.py", "transformer.py"):
        copyfile(UNDERSTANDING / name, tmp_path / name)
    assert digest_of_encoder(tmp_path) == digest_of_encoder()
    with (tmp_path / module).open("a") as code:
        code.write("# and a change\n")
    assert digest_of_encoder(tmp_path) != digest_of_encoder()
