from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from agent.context import embedding_worker
from agent.context.embedding_worker import WeightsRefused, check_weights, weights_folder

ROOT = Path(embedding_worker.__file__).parents[2]


def test_weights_that_are_not_the_published_ones_are_not_loaded(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"something else")
    with pytest.raises(WeightsRefused, match="not the published ones"):
        check_weights(tmp_path)
    with pytest.raises(WeightsRefused, match="cannot be read"):
        check_weights(tmp_path / "nowhere")
    with pytest.raises(WeightsRefused, match="not installed"):
        weights_folder("no_such_package_here")


def test_a_worker_without_its_weights_says_so_and_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    code = (
        "import agent.context.embedding_worker as worker, sys; worker.PACKAGE = 'x'; "
        "worker.weights_folder.__defaults__ = ('no_such_package_here',); sys.exit(worker.main())"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, cwd=ROOT, input=b"", timeout=60
    )
    assert ended.returncode == 1
    assert ended.stdout.startswith(b'{"refused": "The embedding model is not installed.')


def test_importing_the_client_imports_nothing_heavy() -> None:
    code = (
        "import sys, agent.context.embedding, agent.context.selection, agent.reflection.reflection;"
        "print({'torch', 'faiss', 'numpy', 'sentence_transformers'} & set(sys.modules))"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=ROOT, timeout=60)
    assert ended.stdout.strip() == b"set()", ended.stderr
