"""The last resort: an unforeseen error becomes a sentence and a file, never a traceback.

The file may contain what people said. It lies in a folder of its own, only its owner can read it,
and its name cannot be guessed and is never reused.
"""

from __future__ import annotations

import os
import tempfile
import traceback
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from agent.models.redaction import redact
from console.setup import default_db
from sessions.store.folders import is_private, make_private

FOLDER = "saber-crashes"


def record_crash(error: BaseException) -> str:
    """Write the traceback to a new file and return the sentence that names it."""
    return _SENTENCE.format(kind=type(error).__name__, where=write_crash_file(error))


def write_crash_file(error: BaseException) -> str:
    """Write the traceback to a new file and return a sentence to append that says where it is."""
    path = _write_to_first(redact("".join(traceback.format_exception(error))))
    return "" if path is None else f" Details are in {path}."


def _write_to_first(text: str) -> Path | None:
    """Write the file in the first folder that accepts it, and return its path or None."""
    for folder in _folders():
        try:
            return _write(text, folder)
        except OSError:
            continue
    return None


def _folders() -> Iterator[Path]:
    """Yield the folder beside the sessions, then a temporary one; each is created if missing."""
    beside = default_db().parent / FOLDER
    with suppress(OSError):
        make_private(beside)
        if is_private(beside):
            yield beside
    with suppress(OSError):
        yield Path(tempfile.mkdtemp(prefix=f"{FOLDER}-"))


def _write(text: str, folder: Path) -> Path:
    now = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    handle, name = tempfile.mkstemp(dir=folder, prefix=f"{now}-", suffix=".log")
    with os.fdopen(handle, "w", encoding="utf-8", errors="replace") as stream:
        stream.write(text)
    return Path(name)


_SENTENCE = (
    "Something went wrong inside saber ({kind}). Everything up to that point is recorded: start "
    "saber again to resume.{where}"
)
