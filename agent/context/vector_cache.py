"""A cache of computed vectors, keyed by the model's weights and the text.

The file holds digests and numbers, never a text, and nothing depends on it: a damaged file is
deleted and filled again, and if no file can be used the vectors are kept in memory only.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sessions.store.folders import make_private

Vector = NDArray[np.float32]
"""A unit vector, or several, one per row."""

Row = tuple[str | bytes, ...]
"""The parameters of an SQL statement."""

_TABLE = """
CREATE TABLE IF NOT EXISTS vectors(
    weights TEXT NOT NULL, text TEXT NOT NULL, vector BLOB NOT NULL, PRIMARY KEY(weights, text)
) WITHOUT ROWID
"""
LOCKED = 0.2
"""Seconds to wait for another program that writes to the same file."""

AT_ONCE = 64
"""How many texts are encoded before their vectors are stored."""

_MANY = 500
"""How many texts are looked up in one statement."""


class VectorCache:
    """Maps texts to unit vectors: from memory, else from the file, else from the encoder."""

    def __init__(
        self,
        encode: Callable[[list[str]], Vector],
        weights: str,
        dimension: int,
        path: Path | None = None,
    ) -> None:
        """`encode` returns a unit row of `dimension` floats per text; `weights` names its model."""
        self._encode = encode
        self._dimension = dimension
        self._memory: dict[str, Vector] = {}
        self._file = None if path is None else VectorFile(path, weights)
        self.encode_calls = 0
        self.encoded = 0
        """How many texts the encoder was given."""

    def vectors(self, texts: Sequence[str]) -> Vector:
        """One row for each text (at least one), in order; no text is ever encoded twice."""
        keys = [hashlib.sha256(text.encode()).hexdigest() for text in texts]
        by_key = dict(zip(keys, texts, strict=True))
        self._recall([key for key in by_key if key not in self._memory])
        missing = {key: text for key, text in by_key.items() if key not in self._memory}
        if missing:
            self._learn(missing)
        return np.stack([self._memory[key] for key in keys])

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()

    def _learn(self, missing: Mapping[str, str]) -> None:
        """Encode in batches and store each one, so that work is kept if the rest is abandoned."""
        keys, texts = list(missing), list(missing.values())
        for start in range(0, len(keys), AT_ONCE):
            some = texts[start : start + AT_ONCE]
            self.encode_calls += 1
            self.encoded += len(some)
            rows = self._encode(some).astype(np.float32)
            new = dict(zip(keys[start : start + AT_ONCE], rows, strict=True))
            self._memory.update(new)
            if self._file is not None:
                self._file.store({key: vector.tobytes() for key, vector in new.items()})

    def _recall(self, keys: list[str]) -> None:
        if self._file is None or not keys:
            return
        for key, blob in self._file.read(keys).items():
            if len(blob) == self._dimension * 4:
                vector = np.frombuffer(blob, np.float32)
                if abs(float(np.dot(vector, vector)) - 1) < 1e-3:
                    self._memory[key] = vector


class VectorFile:
    """A small SQLite file of blobs by digest; a problem with it only costs time."""

    def __init__(self, path: Path, weights: str) -> None:
        self._path = path
        self._weights = weights
        self._connection: sqlite3.Connection | None = None
        try:
            self._connection = self._open()
        except sqlite3.OperationalError:
            self._connection = None
        except sqlite3.DatabaseError:
            self._rebuild()
        except OSError:
            self._connection = None

    def read(self, keys: Sequence[str]) -> dict[str, bytes]:
        """The blobs that are in the file, by key."""
        found: dict[str, bytes] = {}
        for start in range(0, len(keys), _MANY):
            some = keys[start : start + _MANY]
            marks = ",".join("?" * len(some))
            query = f"SELECT text, vector FROM vectors WHERE weights = ? AND text IN ({marks})"
            found.update(self._run_or_recover(query, [(self._weights, *some)]))
        return found

    def store(self, blobs: Mapping[str, bytes]) -> None:
        """Store blobs; existing ones are kept."""
        rows: list[Row] = [(self._weights, key, blob) for key, blob in blobs.items()]
        self._run_or_recover("INSERT OR IGNORE INTO vectors VALUES (?, ?, ?)", rows)

    def close(self) -> None:
        """Close the file."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _run_or_recover(self, statement: str, rows: list[Row]) -> list[tuple[str, bytes]]:
        if self._connection is None:
            return []
        try:
            with self._connection:
                return [found for row in rows for found in self._connection.execute(statement, row)]
        except sqlite3.OperationalError:
            return []  # locked, read-only or full: the vectors stay in memory
        except sqlite3.DatabaseError:
            self._rebuild()
            return []

    def _rebuild(self) -> None:
        """Delete a damaged file and create an empty one."""
        self.close()
        try:
            for suffix in ("", "-journal", "-wal", "-shm"):
                Path(f"{self._path}{suffix}").unlink(missing_ok=True)
            self._connection = self._open()
        except (OSError, sqlite3.Error):
            self._connection = None

    def _open(self) -> sqlite3.Connection:
        make_private(self._path.parent)
        with suppress(FileExistsError):  # create it, but never open an existing one here
            os.close(os.open(self._path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        connection = sqlite3.connect(self._path, timeout=LOCKED)
        try:
            connection.execute("PRAGMA synchronous=OFF")
            connection.execute(_TABLE)
        except sqlite3.Error:
            connection.close()
            raise
        return connection
