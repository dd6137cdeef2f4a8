"""The last resort: what was not foreseen becomes a sentence and a file, never a traceback."""

from __future__ import annotations

import tempfile
import traceback
from pathlib import Path

from agent.redaction import redact
from console.setup import default_db


def record(error: BaseException) -> str:
    """Write the traceback to a file of its own; returns the sentence that names it."""
    text = redact("".join(traceback.format_exception(error)))
    for folder in (default_db().parent, Path(tempfile.gettempdir())):
        path = folder / "saber-crash.log"
        try:
            path.write_text(text, encoding="utf-8", errors="replace")
        except OSError:
            continue
        return _SENTENCE.format(kind=type(error).__name__, where=f" Details are in {path}.")
    return _SENTENCE.format(kind=type(error).__name__, where="")


_SENTENCE = (
    "Something went wrong inside saber ({kind}). Everything up to there is recorded: "
    "start saber again to resume.{where}"
)
