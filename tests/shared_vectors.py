"""The clerk's sentences, encoded once for all workers of a run.

Its encoder takes ten milliseconds a sentence, half of what a conversation with it costs, and most
conversations share their sentences with those of other tests. Tests of the encoder ask it itself.

What a run has encoded is kept for the next in pytest's cache, under a digest of all that a vector
hangs on: the encoder's code and weights, numpy and its kind of machine. ``pytest --cache-clear``
throws it away, and a whole run does without.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING
from unittest.mock import patch

from filelock import FileLock

from agent.clerk import policy
from agent.clerk.understanding import intents
from agent.context.embedding_worker import WEIGHTS_SHA256, weights_folder

if TYPE_CHECKING:
    from agent.clerk.understanding.transformer import Floats

_WAIT = 20
"""Seconds for another worker to have written, on a machine that stands still."""


class SharedVectors:
    """Texts to vectors: from the run's file, else from the encoder."""

    def __init__(self, file: Path, encode: Callable[[str], Floats]) -> None:
        """`encode` is the clerk's own."""
        self._encode = encode
        self._lock = Lock()
        self.encoded = 0
        self._kept = sqlite3.connect(
            file, timeout=_WAIT, isolation_level=None, check_same_thread=False
        )
        self._kept.execute("PRAGMA synchronous = OFF")
        self._kept.execute("CREATE TABLE IF NOT EXISTS vectors(text BLOB PRIMARY KEY, vector BLOB)")

    def vector(self, text: str) -> Floats:
        """The vector of one sentence."""
        import numpy as np

        key = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
        with self._lock:
            row = self._kept.execute("SELECT vector FROM vectors WHERE text = ?", (key,)).fetchone()
        if row is not None:
            kept: Floats = np.frombuffer(row[0], np.float32)
            return kept
        found = self._encode(text)
        with self._lock:
            self.encoded += 1
            self._kept.execute(
                "INSERT OR IGNORE INTO vectors VALUES (?, ?)", (key, found.tobytes())
            )
        return found

    def copy_to(self, path: Path) -> None:
        """Write all that the file has to another, which is there whole or not at all."""
        unfinished = path.with_suffix(".unfinished")
        unfinished.unlink(missing_ok=True)
        self._kept.execute("VACUUM INTO ?", (str(unfinished),))
        with unfinished.open("rb") as written:
            os.fsync(written.fileno())
        unfinished.replace(path)

    def close(self) -> None:
        """Let go of the file."""
        self._kept.close()


@contextmanager
def sharing_vectors(file: Path) -> Iterator[SharedVectors]:
    """The clerk of this process has its vectors from a file, which other processes may have open.

    One that is killed meanwhile leaves nothing amiss there.
    """
    shared = SharedVectors(file, intents.vector.__wrapped__)
    vector = lru_cache(maxsize=4096)(shared.vector)
    with patch.object(intents, "vector", vector), patch.object(policy, "vector", vector):
        yield shared
    shared.close()


@contextmanager
def keeping_vectors(file: Path, kept: Path) -> Iterator[SharedVectors]:
    """Workers that share `file` begin with what a run before kept in the folder `kept`."""
    path = kept / f"{digest_of_encoder()}.sqlite"
    lock = FileLock(file.with_suffix(".lock"))
    with lock:
        if not file.exists() and path.exists():
            shutil.copyfile(path, file)
    with sharing_vectors(file) as shared:
        yield shared
        with lock:
            if shared.encoded:
                for old in set(kept.glob("*.sqlite")) - {path}:
                    old.unlink()
                shared.copy_to(path)


UNDERSTANDING = Path(str(intents.__file__)).parent


def digest_of_encoder(code: Path = UNDERSTANDING) -> str:
    """Of all that a sentence's vector hangs on; the encoder refuses any other weights."""
    digest = hashlib.sha256(WEIGHTS_SHA256.encode())
    for path in (
        code / "encoder.py",
        code / "transformer.py",
        weights_folder() / "tokenizer.json",
    ):
        digest.update(path.read_bytes())
    machine = (platform.machine(), platform.processor(), version("numpy"), version("tokenizers"))
    digest.update(repr(machine).encode())
    return digest.hexdigest()
