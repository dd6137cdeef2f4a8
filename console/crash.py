"""The last resort: what was not foreseen becomes a sentence and a file, never a traceback.

The file may hold what people said. It lies in a folder of its own, can be read by its owner alone,
and has a name that nobody can guess and that is never taken twice.
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
from sessions.store.folders import is_own, make_own

FOLDER = "saber-crashes"


def record(error: BaseException) -> str:
    """Write the traceback to a file of its own; returns the sentence that names it."""
    return _SENTENCE.format(kind=type(error).__name__, where=where(error))


def where(error: BaseException) -> str:
    """Write the traceback to a file of its own; returns where, as a sentence to be appended."""
    path = _write_to_first(redact("".join(traceback.format_exception(error))))
    return "" if path is None else f" Details are in {path}."


def _write_to_first(text: str) -> Path | None:
    """The file in the first folder that takes it; None where none does."""
    for folder in _folders():
        try:
            return _write(text, folder)
        except OSError:
            continue
    return None


def _folders() -> Iterator[Path]:
    """Beside the sessions, else among what the machine throws away some day; made if missing."""
    beside = default_db().parent / FOLDER
    with suppress(OSError):
        make_own(beside)
        if is_own(beside):
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
    "Something went wrong inside saber ({kind}). Everything up to there is recorded: "
    "start saber again to resume.{where}"
)
