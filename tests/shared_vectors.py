"""The clerk's sentences, encoded once for all workers of a run.

Its encoder takes ten milliseconds a sentence, half of what a conversation with it costs, and most
conversations share their sentences with those of other tests. Tests of the encoder ask it itself.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING
from unittest.mock import patch

from agent.clerk import policy
from agent.clerk.understanding import intents, text_classifier

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
            self._kept.execute(
                "INSERT OR IGNORE INTO vectors VALUES (?, ?)", (key, found.tobytes())
            )
        return found

    def close(self) -> None:
        """Let go of the file."""
        self._kept.close()


@contextmanager
def sharing_vectors(file: Path) -> Iterator[None]:
    """The clerk of this process has its vectors from a file, which other processes may have open.

    One that is killed meanwhile leaves nothing amiss there.
    """
    shared = SharedVectors(file, text_classifier.vector.__wrapped__)
    vector = lru_cache(maxsize=4096)(shared.vector)
    with ExitStack() as patched:
        for module in (text_classifier, intents, policy):
            patched.enter_context(patch.object(module, "vector", vector))
        yield
    shared.close()
